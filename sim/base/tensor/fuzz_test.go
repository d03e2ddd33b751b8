package tensor

import (
	"archive/zip"
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// checkReadable fails the test if the array's shape needs more than maxSize bytes, or if numbers
// are read from an array without numbers.
func checkReadable(t *testing.T, a *Array, maxSize int64) {
	size, err := byteSize(a.Shape, widths[a.Type])
	if err != nil || size > maxSize {
		t.Fatalf("%s of type %s need %d bytes (error %v), want at most %d", a.Dimensions(), a.Type, size, err, maxSize)
	}
	if _, err := readAll(a); err == nil && size == 0 {
		t.Errorf("no error from reading the numbers of %s, which has none", a.Dimensions())
	}
}

// FuzzSafetensors checks that any bytes are refused, or give arrays that are not larger than the
// file.
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

// FuzzNumpy checks that any bytes are refused, or give an array that is not larger than the file.
func FuzzNumpy(f *testing.F) {
	f.Add([]byte(newNumPy("{'descr': '<f8', 'fortran_order': True, 'shape': (1, 1), }", strings.Repeat("\x00", 8))))
	f.Add([]byte(newNumPy("{'descr': '>f2', 'fortran_order': False, 'shape': (2,), }", "abcd")))
	f.Fuzz(func(t *testing.T, data []byte) {
		if a, err := openNumPy(bytes.NewReader(data), int64(len(data))); err == nil {
			checkReadable(t, a, int64(len(data)))
		}
	})
}

// FuzzIndex checks that any bytes are refused, or give shards in the folder of the index.
func FuzzIndex(f *testing.F) {
	f.Add([]byte(`{"metadata":{"total_size":8},"weight_map":{"x":"a.safetensors","y":"b.safetensors"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		shardOf, err := readIndex(bytes.NewReader(data))
		if err != nil {
			return
		}
		for array, shard := range shardOf {
			if filepath.Base(shard) != shard {
				t.Errorf("the shard of %q is %q, want a file in the folder of the index", array, shard)
			}
		}
	})
}

// FuzzArchive checks that any bytes are refused, or give arrays that are not larger than
// maxInflated.
func FuzzArchive(f *testing.F) {
	f.Add("a.npy", []byte(newNumPy("{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }", "abcd")), uint16(0), false)
	f.Add("b.npy", []byte(newNumPy("{'descr': '>f8', 'fortran_order': True, 'shape': (1, 1), }", "abcdefgh")), uint16(40), true)
	f.Fuzz(func(t *testing.T, name string, content []byte, position uint16, isCompressed bool) {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		header := &zip.FileHeader{Name: name, Method: zip.Store}
		if isCompressed {
			header.Method = zip.Deflate
		}
		w, err := z.CreateHeader(header)
		if err == nil {
			_, err = w.Write(content)
		}
		if err = errors.Join(err, z.Close()); err != nil {
			return
		}
		data := b.Bytes()
		if position > 0 { // damage a byte, often of a field of the archive
			data[int(position)%len(data)] ^= 1 << (position % 8)
		}
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
