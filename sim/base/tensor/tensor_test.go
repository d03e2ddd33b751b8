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

// numbers reads all of an array in the order of its indexes.
func numbers(a *Array) (all []float64, err error) {
	lead := a.Shape[:max(0, len(a.Shape)-2)]
	at := make([]int, len(lead))
	for {
		m, err := a.Matrix(at...)
		if err != nil {
			return nil, err
		}
		m.Infinite = true
		part := make([]float64, m.Rows*m.Columns)
		if err := Read(m, part); err != nil {
			return nil, err
		}
		all = append(all, part...)
		k := len(at) - 1
		for ; k >= 0; k-- {
			if at[k]++; at[k] < lead[k] {
				break
			}
			at[k] = 0
		}
		if k < 0 {
			return all, nil
		}
	}
}

// What NumPy and PyTorch wrote is read as what they say it is, to the last bit.
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
			t.Errorf("%s: %v, not %d arrays", path, f.Names(), len(want))
		}
		for name, w := range want {
			a, err := f.Lookup(name)
			simtest.Must(t, err)
			got, err := numbers(a)
			if a.IsWhole() {
				if err == nil || !strings.Contains(err.Error(), "save it as BF16") {
					t.Errorf("%s: %v of whole numbers", name, err)
				}
				continue
			}
			if slices.Contains(w.Data, "nan") {
				if err == nil || !strings.Contains(err.Error(), "NaN at [") {
					t.Errorf("%s: %v of NaN", name, err)
				}
				continue
			}
			if err != nil || !slices.Equal(a.Shape, w.Shape) && len(w.Shape) > 0 || len(got) != len(w.Data) {
				t.Errorf("%s: %v %s, %d numbers", name, err, a.Dimensions(), len(got))
				continue
			}
			for i, text := range w.Data {
				x, err := strconv.ParseFloat(text, 64) // in hexadecimal, or inf
				simtest.Must(t, err)
				if got[i] != x {
					t.Errorf("%s[%d]: %v, not %v", name, i, got[i], x)
				}
			}
		}
	}
}

// header is a file of safetensors with a header and so many bytes of data.
func header(text string, data int) string {
	return string(binary.LittleEndian.AppendUint64(nil, uint64(len(text)))) + text + strings.Repeat("\x00", data)
}

// npy is a .npy file with a header.
func npy(header, data string) string {
	return magic + "\x01\x00" + string([]byte{byte(len(header)), byte(len(header) >> 8)}) + header + data
}

// zipped is an archive of members.
func zipped(t *testing.T, method uint16, members ...string) string {
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

// opened writes a file, opens it, and reads all of its arrays.
func opened(t *testing.T, name, text string) error {
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
			_, err = numbers(a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// What is no file of arrays is refused in one line that says where and what.
func TestRefusals(t *testing.T) {
	entry := func(dtype, shape, offsets string) string {
		return fmt.Sprintf(`"a":{"dtype":"%s","shape":%s,"data_offsets":%s}`, dtype, shape, offsets)
	}
	good := entry("F32", "[2]", "[0,8]")
	dict := func(descr, shape string) string {
		return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }"
	}
	for _, c := range []struct{ name, text, says string }{
		{"a.safetensors", header("{"+good+"}", 8), ""},
		{"a.safetensors", header("{"+good+`,"__metadata__":{"format":"pt"}}   `, 8), ""},
		{"a.safetensors", "", "is empty"},
		{"a.safetensors", "\x01\x00\x00", "ends within its first 8 bytes"},
		{"a.safetensors", header("{"+good+"}", 7), "within array"},
		{"a.safetensors", header("{"+good+"}", 9), "the arrays end at 8"},
		{"a.safetensors", "\xff\xff\xff\xff\x00\x00\x00\x00{}", "the format allows 100000000"},
		{"a.safetensors", "\xff\xff\xff\xff\xff\xff\xff\xff{}", "the format allows 100000000"},
		{"a.safetensors", "\x20\x00\x00\x00\x00\x00\x00\x00{}", "ends within its header"},
		{"a.safetensors", header("{"+good+`,"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}`, 12),
			"within the one before it"},
		{"a.safetensors", header("{"+good+`,"b":{"dtype":"F32","shape":[2],"data_offsets":[12,20]}}`, 20),
			"a hole from 8 on"},
		{"a.safetensors",
			header(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}}`, 5), "not a multiple of the 4 bytes"},
		{"a.safetensors", header("{"+entry("F32", "[2]", "[8,0]")+"}", 8), "where it begins and where it ends"},
		{"a.safetensors", header("{"+entry("F32", "[2]", "[0]")+"}", 8), "where it begins and where it ends"},
		{"a.safetensors", header("{"+entry("F33", "[2]", "[0,8]")+"}", 8), `the type "F33"`},
		{"a.safetensors", header("{"+entry("F32", "[3]", "[0,8]")+"}", 8), "of type F32 are 12"},
		{"a.safetensors", header("{"+entry("F32", "[4294967296,4294967296]", "[0,8]")+"}", 8), "more than 2^63"},
		{"a.safetensors", header("{"+entry("F32", "[-2]", "[0,8]")+"}", 8), "whole numbers from 0 on"},
		{"a.safetensors", header("{"+entry("F32", "[2.0]", "[0,8]")+"}", 8), "whole numbers from 0 on"},
		{"a.safetensors", header("{"+entry("F32", `["2"]`, "[0,8]")+"}", 8), "whole numbers from 0 on"},
		{"a.safetensors", header("{"+entry("F32", "[99999999999999999999]", "[0,8]")+"}", 8), "whole numbers from 0 on"},
		{"a.safetensors", header("{"+entry("F32", "["+strings.Repeat("1,", 80)+"2]", "[0,8]")+"}", 8), "has 81 axes"},
		{"a.safetensors", header("{"+good+","+good+"}", 8), "duplicate"},
		{"a.safetensors", header("{\"\xff\":1}", 8), "UTF-8"},
		{"a.safetensors", header("{"+strings.Repeat("[", 100_000), 8), "not one of safetensors"},
		{"a.safetensors", header(`{"a":"`+strings.Repeat("a", 5000)+`"}`, 0), "is described in 5002 bytes"},
		{"a.safetensors", header("{"+good+"}{}", 8), "after top-level value"},
		{"a.safetensors", header("{"+entry("F8_E4M3", "[2]", "[0,2]")+"}", 2), "save it as BF16"},
		{"a.safetensors", header("{"+entry("F32", "[0]", "[0,0]")+"}", 0), "has no numbers"},
		{"a.safetensors", header("{"+entry("BF16", "[2,2]", "[0,8]")+"}", 4) + "\xc0\x7f\x00\x00", "NaN at [1 0]"},
		{"a.npy", npy(dict("<f8", "(1,)"), "\x00\x00\x00\x00\x00\x00\xf0\x3f"), ""},
		{"a.npy", npy(dict("<f8", "(2,)"), "123"), "ends after 3 of the 16 bytes"},
		{"a.npy", npy(dict("<f2", "(1,)"), "123"), "goes on after"},
		{"a.npy", npy(dict("<f8", "(4294967296, 4294967296)"), ""), "more than 2^63"},
		{"a.npy", npy(dict("<f8", "(99999999999999999999,)"), ""), "has the shape (9999"},
		{"a.npy", npy(dict("<c8", "(1,)"), ""), `has the type "<c8"`},
		{"a.npy", npy(dict("|O8", "(1,)"), ""), `has the type "|O8"`},
		{"a.npy", npy(dict("<f8", "(0, 3)"), ""), "has no numbers"},
		{"a.npy", npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", ""), "plain numbers"},
		{"a.npy", magic + "\x09\x00\x00\x00", "has the version 9"},
		{"a.npy", magic + "\x02\x00\xff\xff\xff\x7f", "no header of at most 10000"},
		{"a.npy", magic + "\x01\x00\x50\x00{", "ends within its header"},
		{"a.npz", "PK\x03\x04", "is not a .npz file"},
		{"a.npz", zipped(t, zip.Deflate, "a.npy", npy(dict("<f2", "(1,)"), "10"), "readme.txt", "x"), ""},
		{"a.npz", zipped(t, zip.Store, "a.npy", npy(dict("<f2", "(1,)"), "10")), ""},
		{"a.npz", zipped(t, zip.Store, "readme.txt", "x"), "holds no arrays"},
		{"a.npz", zipped(t, zip.Store, "archive/data.pkl", "x"), "is a pickle"},
		{"a.npz", zipped(t, zip.Deflate, "a.npy", npy(dict("<f2", "(1,)"), "10"), "a.npy", "x"), "stands twice"},
		{"a.npz", zipped(t, zip.Deflate, "a.npy", npy(dict("<f2", "(1000000000000,)"), "1")), "ends after 1 of"},
		{"a.npz", zipped(t, zip.Deflate, "a.npy", "x"), "is not a .npy file"},
		{"a.npz", strings.Replace(zipped(t, zip.Store, "a.npy", npy(dict("<f2", "(3,)"), "ABCDEF")), "ABC", "ABD", 1),
			"is damaged"},
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
		err := opened(t, c.name, c.text)
		if c.says == "" && err != nil ||
			c.says != "" &&
				(err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s %.100q: %v, which does not say %q", c.name, c.text, err, c.says)
		}
	}
	whole := header("{"+good+"}", 8)
	for n := range whole {
		if err := opened(t, "a.safetensors", whole[:n]); err == nil {
			t.Errorf("a file that ends after %d bytes is read", n)
		}
	}
}

// Shards are read as one; a name stands in one file alone, and a shard has what the index says.
func TestShards(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		simtest.Must(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	one := func(name string) string {
		return header(fmt.Sprintf(`{"%s":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, name), 4)
	}
	a, b := write("a.safetensors", one("x")), write("b.safetensors", one("y"))
	index := write("model.safetensors.index.json",
		`{"metadata":{"total_size":8},"weight_map":{"x":"a.safetensors","y":"b.safetensors"}}`)
	f, err := Open(index)
	simtest.Must(t, err)
	if names := f.Names(); !slices.Equal(names, []string{"x", "y"}) {
		t.Errorf("%v", names)
	}
	if _, err := f.Lookup("z"); err == nil || !strings.Contains(err.Error(), `no array "z"; there are x, y`) {
		t.Error(err)
	}
	simtest.Must(t, f.Close())
	for says, paths := range map[string][]string{
		"which does not have it": {write("lacking.index.json", `{"weight_map":{"x":"b.safetensors"}}`)},
		"stands in":              {a, write("c.safetensors", one("x"))},
		"is given twice":         {a, a},
		"is a folder":            {dir},
		"such as":                {dir},
		"no such file":           {filepath.Join(dir, "none.npz")},
		"a pipe":                 {os.DevNull},
	} {
		if _, err := Open(paths...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v, which does not say %q", paths, err, says)
		}
	}
	if f, err := Open(a, b); err != nil || len(f.Names()) != 2 {
		t.Errorf("two files: %v", err)
	}
}

// A file of 20 GB whose numbers are holes, and one of 10⁵ arrays, cost what is read of them.
func TestLargeFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sparse.safetensors")
	const side = 1 << 16
	text := header(
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
	simtest.Must(t, Read(m.Part(side-64, side, 2*side-64, 2*side), out))
	simtest.Must(t, Read(m.Transposed().Part(0, 64, 0, 64), out))

	var many strings.Builder
	const arrays = 100_000
	for i := range arrays {
		fmt.Fprintf(&many, `,"layer.%d":{"dtype":"U8","shape":[1],"data_offsets":[%d,%d]}`, i, i, i+1)
	}
	path = filepath.Join(t.TempDir(), "many.safetensors")
	simtest.Must(t, os.WriteFile(path, []byte(header("{"+many.String()[1:]+"}", arrays)), 0o644))
	f, err = Open(path)
	simtest.Must(t, err)
	defer f.Close()
	if n := len(f.Names()); n != arrays {
		t.Errorf("%d arrays", n)
	}
}

// Parts, rows and columns of a matrix are those of its array, in either order.
func TestParts(t *testing.T) {
	var data []byte
	for i := range 2 * 5 * 7 {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(i)))
	}
	for _, fortran := range []string{"False", "True"} {
		text := npy("{'descr': '<f4', 'fortran_order': "+fortran+", 'shape': (2, 5, 7), }", string(data))
		a, err := numpyAt(strings.NewReader(text), int64(len(text)))
		simtest.Must(t, err)
		at := func(h, i, j int) float64 {
			if fortran == "True" {
				return float64(h + 2*i + 10*j)
			}
			return float64(35*h + 7*i + j)
		}
		m, err := a.Matrix(1)
		simtest.Must(t, err)
		for _, turned := range []bool{false, true} {
			part := m.Part(1, 4, 2, 7)
			if turned {
				part = m.Transposed().Part(2, 7, 1, 4)
			}
			out := make([]float64, 15)
			simtest.Must(t, Read(part, out))
			for k, x := range out {
				i, j := k/5, k%5
				if turned {
					i, j = k%3, k/3
				}
				if want := at(1, 1+i, 2+j); x != want {
					t.Errorf("fortran %s, turned %v: %v at %d, %d, not %v", fortran, turned, x, i, j, want)
				}
			}
		}
		if _, err := a.Matrix(2); err == nil || !strings.Contains(err.Error(), "no part 2 of 2") {
			t.Error(err)
		}
		if _, err := a.Matrix(); err == nil || !strings.Contains(err.Error(), "has 3 axes") {
			t.Error(err)
		}
	}
}

// Every number of 16 bits is what its parts say.
func TestHalves(t *testing.T) {
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
		if got := float64(half(uint16(b))); got != want && !(got != got && want != want) {
			t.Fatalf("%#x is %v, not %v", b, got, want)
		}
	}
}
