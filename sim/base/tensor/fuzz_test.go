package tensor

import (
	"archive/zip"
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// sound fails where an array does not have the numbers that its shape says.
func sound(t *testing.T, a *Array, most int64) {
	size, err := byteSize(a.Shape, widths[a.Type])
	if err != nil || size > most {
		t.Fatalf("%s of type %s in %d bytes: %v", a.Dimensions(), a.Type, most, err)
	}
	if _, err := numbers(a); err == nil && size == 0 {
		t.Errorf("numbers of %s", a.Dimensions())
	}
}

// FuzzSafetensors: whatever the bytes, arrays that lie in the file, or a reason.
func FuzzSafetensors(f *testing.F) {
	f.Add(
		[]byte(
			header(
				`{"a":{"dtype":"F16","shape":[2,1],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[],"data_offsets":[4,5]}}`,
				5,
			),
		),
	)
	f.Add([]byte(header(`{"__metadata__":{"x":"y"},"a":{"shape":[0],"data_offsets":[0,0],"dtype":"BF16"}}`, 0)))
	f.Fuzz(func(t *testing.T, data []byte) {
		arrays, _ := safetensors(bytes.NewReader(data), int64(len(data)))
		for _, a := range arrays {
			sound(t, a, int64(len(data)))
		}
	})
}

// FuzzNumpy: whatever the bytes, an array that fills the file, or a reason.
func FuzzNumpy(f *testing.F) {
	f.Add([]byte(npy("{'descr': '<f8', 'fortran_order': True, 'shape': (1, 1), }", strings.Repeat("\x00", 8))))
	f.Add([]byte(npy("{'descr': '>f2', 'fortran_order': False, 'shape': (2,), }", "abcd")))
	f.Fuzz(func(t *testing.T, data []byte) {
		if a, err := numpyAt(bytes.NewReader(data), int64(len(data))); err == nil {
			sound(t, a, int64(len(data)))
		}
	})
}

// FuzzIndex: whatever the bytes, files of the same folder, or a reason.
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

// FuzzArchive: whatever the bytes, arrays of what the archive declares, or a reason.
func FuzzArchive(f *testing.F) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"a.npy", "b.npy"} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = w.Write([]byte(npy("{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }", "abcd")))
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
		all := &Files{arrays: map[string]func() (*Array, error){}, where: map[string]string{}}
		if all.archive("x.npz", bytes.NewReader(data), int64(len(data))) != nil {
			return
		}
		for _, name := range all.Names() {
			if a, err := all.Lookup(name); err == nil {
				sound(t, a, maxInflated)
			}
		}
	})
}
