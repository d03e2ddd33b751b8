package tensor

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mcsim/sim/simtest"
)

// readAll reads all numbers of an array in the order of their indexes.
func readAll(a *Array) (numbers []float64, err error) {
	leading := a.Shape[:max(0, len(a.Shape)-2)]
	indexes := make([]int, len(leading))
	for {
		m, err := a.Matrix(indexes...)
		if err != nil {
			return nil, err
		}
		m.AllowInfinite = true
		part := make([]float64, m.Rows*m.Columns)
		if err := Read(m, part); err != nil {
			return nil, err
		}
		numbers = append(numbers, part...)
		k := len(indexes) - 1
		for ; k >= 0; k-- {
			indexes[k]++
			if indexes[k] < leading[k] {
				break
			}
			indexes[k] = 0
		}
		if k < 0 {
			return numbers, nil
		}
	}
}

// TestAgainstNumPyAndPyTorch compares the arrays of files that NumPy and PyTorch wrote with the
// exact numbers, which they wrote as hexadecimal text.
func TestAgainstNumPyAndPyTorch(t *testing.T) {
	for _, path := range []string{"testdata/arrays.npz", "testdata/tensors.safetensors"} {
		f, err := Open(path)
		simtest.Must(t, err)
		defer f.Close()
		list, err := os.ReadFile(strings.TrimSuffix(path, filepath.Ext(path)) + ".json")
		simtest.Must(t, err)
		var want map[string]struct {
			Shape []int
			Data  []string
		}
		simtest.Must(t, json.Unmarshal(list, &want))
		if len(f.Names()) != len(want) || len(want) < 10 {
			t.Errorf("%s has the arrays %v, want %d arrays (at least 10)", path, f.Names(), len(want))
		}
		for name, w := range want {
			a, err := f.Lookup(name)
			simtest.Must(t, err)
			got, err := readAll(a)
			if a.IsWhole() {
				if err == nil || !strings.Contains(err.Error(), "save it as BF16") {
					t.Errorf("%s has whole numbers: error %v, want one that contains \"save it as BF16\"", name, err)
				}
				continue
			}
			if slices.Contains(w.Data, "nan") {
				if err == nil || !strings.Contains(err.Error(), "NaN at [") {
					t.Errorf("%s has NaN: error %v, want one that contains \"NaN at [\"", name, err)
				}
				continue
			}
			simtest.Must(t, err)
			if !slices.Equal(a.Shape, w.Shape) || len(got) != len(w.Data) {
				t.Errorf("%s has the shape %v and %d numbers, want %v and %d", name, a.Shape, len(got), w.Shape,
					len(w.Data))
				continue
			}
			for i, text := range w.Data {
				x, err := strconv.ParseFloat(text, 64) // in hexadecimal, or inf
				simtest.Must(t, err)
				if got[i] != x {
					t.Errorf("%s[%d] is %v, want %v", name, i, got[i], x)
				}
			}
		}
	}
}

// newSafetensors returns a file with a header and the given number of bytes of data.
func newSafetensors(text string, data int) string {
	return string(binary.LittleEndian.AppendUint64(nil, uint64(len(text)))) + text + strings.Repeat("\x00", data)
}

// newNumPy returns a .npy file.
func newNumPy(header, data string) string {
	return magic + "\x01\x00" + string([]byte{byte(len(header)), byte(len(header) >> 8)}) + header + data
}

// newArchive returns a zip archive. members are pairs of a name and a text.
func newArchive(t *testing.T, method uint16, members ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: members[i], Method: method})
		simtest.Must(t, err)
		_, err = w.Write([]byte(members[i+1]))
		simtest.Must(t, err)
	}
	simtest.Must(t, z.Close())
	return b.String()
}

// openAndReadAll writes a file, opens it, and reads all of its arrays.
func openAndReadAll(t *testing.T, name, text string) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	simtest.Must(t, os.WriteFile(path, []byte(text), 0o644))
	f, err := Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, name := range f.Names() {
		a, err := f.Lookup(name)
		if err == nil {
			_, err = readAll(a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func TestRefusals(t *testing.T) {
	formatEntry := func(dtype, shape, offsets string) string {
		return fmt.Sprintf(`"a":{"dtype":"%s","shape":%s,"data_offsets":%s}`, dtype, shape, offsets)
	}
	good := formatEntry("F32", "[2]", "[0,8]")
	formatDict := func(descr, shape string) string {
		return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }"
	}
	for _, c := range []struct{ name, text, want string }{
		{"a.safetensors", newSafetensors("{"+good+"}", 8), ""},
		{"a.safetensors", newSafetensors("{"+good+`,"__metadata__":{"format":"pt"}}   `, 8), ""},
		{"a.safetensors", "", "is empty"},
		{"a.safetensors", "\x01\x00\x00", "ends within its first 8 bytes"},
		{"a.safetensors", newSafetensors("{"+good+"}", 7), "within array"},
		{"a.safetensors", newSafetensors("{"+good+"}", 9), "the arrays end at 8"},
		{"a.safetensors", "\xff\xff\xff\xff\x00\x00\x00\x00{}", "the format allows 100000000"},
		{"a.safetensors", "\xff\xff\xff\xff\xff\xff\xff\xff{}", "the format allows 100000000"},
		{"a.safetensors", "\x20\x00\x00\x00\x00\x00\x00\x00{}", "ends within its header"},
		{"a.safetensors", newSafetensors("{"+good+`,"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}`, 12),
			"within the one before it"},
		{"a.safetensors", newSafetensors("{"+good+`,"b":{"dtype":"F32","shape":[2],"data_offsets":[12,20]}}`, 20),
			"a gap from 8 on"},
		{"a.safetensors", newSafetensors(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},`+
			`"b":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}}`, 5), "not a multiple of the 4 bytes"},
		{"a.safetensors", newSafetensors("{"+formatEntry("F32", "[2]", "[8,0]")+"}", 8),
			"where it begins and where it ends"},
		{"a.safetensors", newSafetensors("{"+formatEntry("F32", "[2]", "[0]")+"}", 8),
			"where it begins and where it ends"},
		{"a.safetensors", newSafetensors("{"+formatEntry("F33", "[2]", "[0,8]")+"}", 8), `the type "F33"`},
		{"a.safetensors", newSafetensors("{"+formatEntry("F32", "[3]", "[0,8]")+"}", 8), "of type F32 are 12"},
		{"a.safetensors", newSafetensors("{"+formatEntry("F32", "[4294967296,4294967296]", "[0,8]")+"}", 8),
			"more than 2^63"},
		{"a.safetensors", newSafetensors("{"+formatEntry("F32", "[-2]", "[0,8]")+"}", 8), "whole numbers from 0 on"},
		{"a.safetensors", newSafetensors("{"+formatEntry("F32", "[2.0]", "[0,8]")+"}", 8), "whole numbers from 0 on"},
		{"a.safetensors", newSafetensors("{"+formatEntry("F32", `["2"]`, "[0,8]")+"}", 8), "whole numbers from 0 on"},
		{"a.safetensors", newSafetensors("{"+formatEntry("F32", "[99999999999999999999]", "[0,8]")+"}", 8),
			"whole numbers from 0 on"},
		{"a.safetensors", newSafetensors("{"+formatEntry("F32", "["+strings.Repeat("1,", 80)+"2]", "[0,8]")+"}", 8),
			"has 81 axes"},
		{"a.safetensors", newSafetensors("{"+good+","+good+"}", 8), "duplicate"},
		{"a.safetensors", newSafetensors("{\"\xff\":1}", 8), "UTF-8"},
		{"a.safetensors", newSafetensors("{"+strings.Repeat("[", 100_000), 8), "not one of safetensors"},
		{"a.safetensors", newSafetensors(`{"a":"`+strings.Repeat("a", 5000)+`"}`, 0), "is described in 5002 bytes"},
		{"a.safetensors", newSafetensors("{"+good+"}{}", 8), "after top-level value"},
		{"a.safetensors", newSafetensors("{"+formatEntry("F8_E4M3", "[2]", "[0,2]")+"}", 2), "save it as BF16"},
		{"a.safetensors", newSafetensors("{"+formatEntry("F32", "[0]", "[0,0]")+"}", 0), "has no numbers"},
		{"a.safetensors", newSafetensors("{"+formatEntry("BF16", "[2,2]", "[0,8]")+"}", 4) + "\xc0\x7f\x00\x00",
			"NaN at [1 0]"},
		{"a.npy", newNumPy(formatDict("<f8", "(1,)"), "\x00\x00\x00\x00\x00\x00\xf0\x3f"), ""},
		{"a.npy", newNumPy(formatDict("<f8", "(2,)"), "123"), "ends after 3 of the 16 bytes"},
		{"a.npy", newNumPy(formatDict("<f2", "(1,)"), "123"), "goes on after"},
		{"a.npy", newNumPy(formatDict("<f8", "(4294967296, 4294967296)"), ""), "more than 2^63"},
		{"a.npy", newNumPy(formatDict("<f8", "(99999999999999999999,)"), ""), "has the shape (9999"},
		{"a.npy", newNumPy(formatDict("<c8", "(1,)"), ""), `has the type "<c8"`},
		{"a.npy", newNumPy(formatDict("|O8", "(1,)"), ""), `has the type "|O8"`},
		{"a.npy", newNumPy(formatDict("<f8", "(0, 3)"), ""), "has no numbers"},
		{"a.npy", newNumPy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", ""), "plain numbers"},
		{"a.npy", magic + "\x09\x00\x00\x00", "has the version 9"},
		{"a.npy", magic + "\x02\x00\xff\xff\xff\x7f", "no header of at most 10000"},
		{"a.npy", magic + "\x01\x00\x50\x00{", "ends within its header"},
		{"a.npz", "PK\x03\x04", "is not a .npz file"},
		{"a.npz", newArchive(t, zip.Deflate, "a.npy", newNumPy(formatDict("<f2", "(1,)"), "10"), "readme.txt", "x"),
			""},
		{"a.npz", newArchive(t, zip.Store, "a.npy", newNumPy(formatDict("<f2", "(1,)"), "10")), ""},
		{"a.npz", newArchive(t, zip.Store, "readme.txt", "x"), "an archive without arrays"},
		{"a.npz", newArchive(t, zip.Store, "archive/data.pkl", "x"), "is a pickle"},
		{"a.npz", newArchive(t, zip.Deflate, "a.npy", newNumPy(formatDict("<f2", "(1,)"), "10"), "a.npy", "x"),
			"is twice in the file"},
		{"a.npz", newArchive(t, zip.Deflate, "a.npy", newNumPy(formatDict("<f2", "(1000000000000,)"), "1")),
			"ends after 1 of"},
		{"a.npz", newArchive(t, zip.Deflate, "a.npy", "x"), "is not a .npy file"},
		{"a.npz", strings.Replace(newArchive(t, zip.Store, "a.npy", newNumPy(formatDict("<f2", "(3,)"), "ABCDEF")),
			"ABC", "ABD", 1),
			"has a wrong checksum"},
		{"model.pt", "\x80\x02}q\x00.", "is a pickle"},
		{"model.bin", "anything", "is a pickle"},
		{"model", "\x80\x04\x95xxxxxx", "is a pickle"},
		{"a.txt", "hello, world", "is not a .npy, .npz or .safetensors file"},
		{"lfs.safetensors", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "run git lfs pull"},
		{"page.safetensors", "\n<!DOCTYPE html>\n<html></html>", "page of HTML"},
		{"page.npz", "<html><body></body></html>", "page of HTML"},
		{"model.gguf", "GGUF\x03\x00\x00\x00\x00\x00", "GGUF"},
		{"model.onnx", "\x08\x07\x12\x07pytorch", "onnx.numpy_helper"},
		{"model.h5", "\x89HDF\r\n\x1a\n\x00", "HDF5"},
		{"m.index.json", "{}", "no weight_map"},
		{"m.index.json", `{"weight_map":{"a":"../b.safetensors"}}`, "of the same folder"},
		{"m.index.json", `{"weight_map":{"a":"b.bin"}}`, "of the same folder"},
		{"m.index.json", `{"weight_map":{"a":"b.safetensors"}}`, "b.safetensors"},
		{"m.index.json", `{"weight_map":[]}`, "not an index"},
		{"m.index.json", `{"weight_map":`, "not an index"},
	} {
		err := openAndReadAll(t, c.name, c.text)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s %.100q: error %v, want none", c.name, c.text, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %.100q: error %v, want one line that contains %q", c.name, c.text, err, c.want)
		}
	}
	text := newSafetensors("{"+good+"}", 8)
	for n := range text {
		if err := openAndReadAll(t, "a.safetensors", text[:n]); err == nil {
			t.Errorf("a file that is truncated after %d bytes gives no error", n)
		}
	}
}

// TestShards checks that the arrays of shards are found through their index. It also checks that a
// name in two files, an index that does not fit its shards, and paths of other things are errors.
func TestShards(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		simtest.Must(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	newShard := func(name string) string {
		return newSafetensors(fmt.Sprintf(`{"%s":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, name), 4)
	}
	a, b := write("a.safetensors", newShard("x")), write("b.safetensors", newShard("y"))
	index := write("model.safetensors.index.json",
		`{"metadata":{"total_size":8},"weight_map":{"x":"a.safetensors","y":"b.safetensors"}}`)
	f, err := Open(index)
	simtest.Must(t, err)
	if names := f.Names(); !slices.Equal(names, []string{"x", "y"}) {
		t.Errorf("the arrays of the index are %v, want x and y", names)
	}
	if _, err := f.Lookup("z"); err == nil || !strings.Contains(err.Error(), `no array "z"; there are x, y`) {
		t.Errorf("Lookup of z: error %v, want one that lists x and y", err)
	}
	simtest.Must(t, f.Close())
	for want, paths := range map[string][]string{
		"which does not have it": {write("lacking.index.json", `{"weight_map":{"x":"b.safetensors"}}`)},
		"is also in":             {a, write("c.safetensors", newShard("x"))},
		"is given twice":         {a, a},
		"is a folder":            {dir},
		"such as":                {dir},
		"no such file":           {filepath.Join(dir, "none.npz")},
		"a pipe":                 {os.DevNull},
	} {
		if _, err := Open(paths...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one that contains %q", paths, err, want)
		}
	}
	both, err := Open(a, b)
	simtest.Must(t, err)
	if names := both.Names(); len(names) != 2 {
		t.Errorf("the arrays of two files are %v, want x and y", names)
	}
}

// TestLargeFiles reads parts of a sparse file of 17 GB, and opens a file with 10⁵ arrays.
func TestLargeFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sparse.safetensors")
	const side = 1 << 16
	text := newSafetensors(
		fmt.Sprintf(`{"w":{"dtype":"F16","shape":[%d,%d],"data_offsets":[0,%d]}}`, side, side*2, 4*side*side),
		0,
	)
	simtest.Must(t, os.WriteFile(path, []byte(text), 0o644))
	if err := os.Truncate(path, int64(len(text))+4*side*side); err != nil {
		t.Skip(err)
	}
	f, err := Open(path)
	simtest.Must(t, err)
	defer f.Close()
	w, err := f.Lookup("w")
	simtest.Must(t, err)
	m, err := w.Matrix()
	simtest.Must(t, err)
	out := make([]float32, 64*64)
	simtest.Must(t, Read(m.Submatrix(side-64, side, 2*side-64, 2*side), out))
	simtest.Must(t, Read(m.Transpose().Submatrix(0, 64, 0, 64), out))

	var entries strings.Builder
	const arrays = 100_000
	for i := range arrays {
		fmt.Fprintf(&entries, `,"layer.%d":{"dtype":"U8","shape":[1],"data_offsets":[%d,%d]}`, i, i, i+1)
	}
	path = filepath.Join(t.TempDir(), "many.safetensors")
	simtest.Must(t, os.WriteFile(path, []byte(newSafetensors("{"+entries.String()[1:]+"}", arrays)), 0o644))
	f, err = Open(path)
	simtest.Must(t, err)
	defer f.Close()
	if n := len(f.Names()); n != arrays {
		t.Errorf("the file has %d arrays, want %d", n, arrays)
	}
}

// TestSubmatrix compares the numbers of submatrices with their values, for arrays in row-major and
// column-major order and for transposed matrices.
func TestSubmatrix(t *testing.T) {
	var data []byte
	for i := range 2 * 5 * 7 {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(i)))
	}
	for _, fortran := range []string{"False", "True"} {
		text := newNumPy("{'descr': '<f4', 'fortran_order': "+fortran+", 'shape': (2, 5, 7), }", string(data))
		a, err := openNumPy(strings.NewReader(text), int64(len(text)))
		simtest.Must(t, err)
		valueAt := func(h, i, j int) float64 {
			if fortran == "True" {
				return float64(h + 2*i + 10*j)
			}
			return float64(35*h + 7*i + j)
		}
		m, err := a.Matrix(1)
		simtest.Must(t, err)
		for _, transposed := range []bool{false, true} {
			part := m.Submatrix(1, 4, 2, 7)
			if transposed {
				part = m.Transpose().Submatrix(2, 7, 1, 4)
			}
			out := make([]float64, 15)
			simtest.Must(t, Read(part, out))
			for k, x := range out {
				i, j := k/5, k%5
				if transposed {
					i, j = k%3, k/3
				}
				if want := valueAt(1, 1+i, 2+j); x != want {
					t.Errorf("fortran_order %s, transposed %v: %v at %d, %d, want %v", fortran, transposed, x, i, j, want)
				}
			}
		}
		if _, err := a.Matrix(2); err == nil || !strings.Contains(err.Error(), "no index 2 on an axis of length 2") {
			t.Errorf("Matrix(2): error %v, want \"no index 2 on an axis of length 2\"", err)
		}
		if _, err := a.Matrix(); err == nil || !strings.Contains(err.Error(), "has 3 axes") {
			t.Errorf("Matrix(): error %v, want \"has 3 axes\"", err)
		}
	}
}

// TestDecodeFloat16 compares all numbers of binary16 with their definition by sign, exponent and
// fraction.
func TestDecodeFloat16(t *testing.T) {
	for b := range 1 << 16 {
		sign, exponent, fraction := 1-2*float64(b>>15), b>>10&31, float64(b&1023)
		want := sign * math.Ldexp(1+fraction/1024, exponent-15)
		switch {
		case exponent == 0:
			want = sign * math.Ldexp(fraction/1024, -14)
		case exponent == 31 && fraction > 0:
			want = math.NaN()
		case exponent == 31:
			want = math.Inf(int(sign))
		}
		got := float64(decodeFloat16(uint16(b)))
		bothNaN := math.IsNaN(got) && math.IsNaN(want)
		if got != want && !bothNaN {
			t.Fatalf("%#x is %v, want %v", b, got, want)
		}
	}
}

// TestBoundedMessages checks that long names, types and shapes, and chains of indexes are refused
// with a short line.
func TestBoundedMessages(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	float := `{"dtype":"F32","shape":[1],"data_offsets":[0,4]}`
	folder := t.TempDir()
	for name, content := range map[string]string{
		"name.safetensors":    newSafetensors(`{"`+long+`":`+float+`}`, 4),
		"type.safetensors":    newSafetensors(`{"a":{"dtype":"`+long[:4000]+`","shape":[1],"data_offsets":[0,4]}}`, 4),
		"offsets.safetensors": newSafetensors(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0`+strings.Repeat(",4", 1500)+`]}}`, 4),
		"shape.npy": magic + "\x01\x00\x70\x17{'descr': '<f4', 'fortran_order': False, 'shape': (" +
			strings.Repeat("1,", 2971) + ")}",
		"array.json":         `{"weight_map": {"` + long + `": "x.safetensors"}}`,
		"shard.json":         `{"weight_map": {"a": "` + long + `.safetensors"}}`,
		"chain.json":         `{"weight_map": {"a": "second.safetensors"}}`,
		"second.safetensors": `{"weight_map": {"a": "third.safetensors"}}`,
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		files, err := Open(path)
		if err == nil {
			_, err = files.Lookup("a")
		}
		if err == nil || len(err.Error()) > 1000 {
			t.Errorf("%s: got the error %.200v of %d bytes, want one of at most 1000", name, err, len(fmt.Sprint(err)))
		}
	}
	_, err := Open(filepath.Join(folder, "chain.json"))
	if err == nil || !strings.Contains(err.Error(), "is an index of shards, not a shard") {
		t.Errorf("chain of indexes: got the error %v, want one about an index in place of a shard", err)
	}
}
