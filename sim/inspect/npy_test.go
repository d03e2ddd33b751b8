package inspect

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"math"
	"mcsim/sim/simtest"
	"os"
	"strconv"
	"strings"
	"testing"
)

// NumPy's own file, with its own list of what each array holds, is read as that.
func TestAgainstNumPy(t *testing.T) {
	data, err := os.ReadFile("testdata/arrays.npz")
	simtest.Must(t, err)
	a, err := OpenArchive(bytes.NewReader(data), int64(len(data)))
	simtest.Must(t, err)
	list, err := os.ReadFile("testdata/arrays.json")
	simtest.Must(t, err)
	var want map[string]struct {
		Type  string
		Shape []int
		Data  []string
	}
	simtest.Must(t, json.Unmarshal(list, &want))
	if len(a.Names()) != len(want) || len(want) < 10 {
		t.Errorf("%v, not %d arrays", a.Names(), len(want))
	}
	for name, w := range want {
		got, err := a.Array(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(got.Shape) != len(w.Shape) || len(got.Data) != len(w.Data) || got.Type != w.Type {
			t.Errorf("%s: %s of %s, %d numbers", name, got.Dimensions(), got.Type, len(got.Data))
			continue
		}
		for i, n := range w.Shape {
			if got.Shape[i] != n {
				t.Errorf("%s: shape %v, not %v", name, got.Shape, w.Shape)
			}
		}
		for i, text := range w.Data {
			x, err := strconv.ParseFloat(text, 64) // in hexadecimal, or inf or nan
			simtest.Must(t, err)
			if got.Data[i] != x && !(math.IsNaN(got.Data[i]) && math.IsNaN(x)) {
				t.Errorf("%s[%d]: %v, NumPy %v", name, i, got.Data[i], x)
			}
		}
	}
}

// file writes a .npy file with a header.
func file(header string, data ...byte) []byte {
	return append(append([]byte(magic+"\x01\x00"), byte(len(header)), byte(len(header)>>8)), append([]byte(header), data...)...)
}

// What is no array of numbers is refused with a reason, and never read beyond its end.
func TestRefusals(t *testing.T) {
	for want, data := range map[string][]byte{
		"is no .npy file":                      []byte("PK"),
		"has the version 9":                    []byte(magic + "\x09\x00\x00\x00"),
		"no header of at most 10000":           []byte(magic + "\x02\x00\xff\xff\xff\x7f"),
		"ends within its header":               []byte(magic + "\x01\x00\x50\x00{"),
		"not one of plain numbers":             file("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }"),
		`has the type "<c8"`:                   file("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }"),
		`has the type "|O8"`:                   file("{'descr': '|O8', 'fortran_order': False, 'shape': (1,), }"),
		"ends after 0 of 2 numbers":            file("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", 1, 2, 3),
		"goes on after its 1 numbers":          file("{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }", 1, 2),
		"has more than 67108864 numbers":       file("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }"),
		"has no numbers":                       file("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }"),
		"has the shape (99999999999999999999)": file("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999), }"),
	} {
		if a, err := readArray(bytes.NewReader(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v of %s, which does not say %q", err, a.Dimensions(), want)
		}
	}
}

// An archive says which names it has; two arrays of one name, and damage, are refused.
func TestArchives(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"Q.npy", "twice.npy", "twice.npy", "readme.txt"} {
		w, err := z.Create(name)
		simtest.Must(t, err)
		if _, err := w.Write(file("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }", 1, 2, 3)); err != nil {
			t.Fatal(err)
		}
	}
	simtest.Must(t, z.Close())
	read := func(data []byte, name string) error {
		a, err := OpenArchive(bytes.NewReader(data), int64(len(data)))
		if err == nil {
			_, err = a.Array(name)
		}
		return err
	}
	if err := read(b.Bytes(), "Q"); err != nil {
		t.Error(err)
	}
	if err := read(b.Bytes(), "K"); err == nil || !strings.Contains(err.Error(), `has no array "K"; it has Q, twice`) {
		t.Error(err)
	}
	if err := read(b.Bytes(), "twice"); err == nil || !strings.Contains(err.Error(), "two arrays") {
		t.Error(err)
	}
	var other bytes.Buffer // as PyTorch writes one
	z = zip.NewWriter(&other)
	if _, err := z.Create("archive/data.pkl"); err != nil {
		t.Fatal(err)
	}
	simtest.Must(t, z.Close())
	if err := read(other.Bytes(), "Q"); err == nil || !strings.Contains(err.Error(), "holds no arrays of NumPy (.npy)") {
		t.Error(err)
	}
	if err := read([]byte("no archive"), "Q"); err == nil || !strings.Contains(err.Error(), "is no .npz file") {
		t.Error(err)
	}
}

// FuzzRead: whatever the bytes, an array or a reason.
func FuzzRead(f *testing.F) {
	f.Add(file("{'descr': '<f8', 'fortran_order': True, 'shape': (1, 1), }", 0, 0, 0, 0, 0, 0, 0, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := readArray(bytes.NewReader(data))
		if n, bad := count(a.Shape); err == nil && (bad != nil || n != len(a.Data)) {
			t.Errorf("%d numbers of the shape %v", len(a.Data), a.Shape)
		}
	})
}
