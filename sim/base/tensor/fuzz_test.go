package tensor

import (
	"archive/zip"
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// checkReadable fails the test unless the array has the numbers of its shape.
func checkReadable(t *testing.T, a *Array, maxSize int64) {
	size, err := byteSize(a.Shape, widths[a.Type])
	if err != nil || size > maxSize {
		t.Fatalf("%s of type %s in %d bytes: %v", a.Dimensions(), a.Type, maxSize, err)
	}
	if _, err := readAll(a); err == nil && size == 0 {
		t.Errorf("numbers of %s", a.Dimensions())
	}
}

// FuzzSafetensors checks that any bytes give arrays that lie in the file, or an error.
func FuzzSafetensors(f *testing.F) {
	f.Add([]byte(newSafetensors(`{"a":{"dtype":"F16","shape":[2,1],"data_offsets":[0,4]},`+
		`"b":{"dtype":"U8","shape":[],"data_offsets":[4,5]}}`, 5)))
	f.Add([]byte(newSafetensors(`{"__metadata__":{"x":"y"},"a":{"shape":[0],"data_offsets":[0,0],"dtype":"BF16"}}`, 0)))
	f.Fuzz(func(t *testing.T, data []byte) {
		arrays, _ := readSafetensors(bytes.NewReader(data), int64(len(data)))
		for _, a := range arrays {
			checkReadable(t, a, int64(len(data)))
		}
	})
}

// FuzzNumpy checks that any bytes give an array that fills the file, or an error.
func FuzzNumpy(f *testing.F) {
	f.Add([]byte(newNumPy("{'descr': '<f8', 'fortran_order': True, 'shape': (1, 1), }", strings.Repeat("\x00", 8))))
	f.Add([]byte(newNumPy("{'descr': '>f2', 'fortran_order': False, 'shape': (2,), }", "abcd")))
	f.Fuzz(func(t *testing.T, data []byte) {
		if a, err := openNumPy(bytes.NewReader(data), int64(len(data))); err == nil {
			checkReadable(t, a, int64(len(data)))
		}
	})
}

// FuzzIndex checks that any bytes give files of the same folder, or an error.
func FuzzIndex(f *testing.F) {
	f.Add([]byte(`{"metadata":{"total_size":8},"weight_map":{"x":"a.safetensors","y":"b.safetensors"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		shards, err := readIndex(bytes.NewReader(data))
		for name, shard := range shards {
			if err == nil && filepath.Base(shard) != shard {
				t.Errorf("%q is in %q", name, shard)
			}
		}
	})
}

// FuzzArchive checks that any bytes give arrays with the declared sizes, or an error.
func FuzzArchive(f *testing.F) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"a.npy", "b.npy"} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = w.Write([]byte(newNumPy("{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }", "abcd")))
		}
		if err != nil {
			f.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		files := &Files{loaders: map[string]func() (*Array, error){}, fileOf: map[string]string{}}
		if files.addArchive("x.npz", bytes.NewReader(data), int64(len(data))) != nil {
			return
		}
		for _, name := range files.Names() {
			if a, err := files.Lookup(name); err == nil {
				checkReadable(t, a, maxInflated)
			}
		}
	})
}
