package store

import (
	"fmt"
	"io"
	"os"
)

// file is the storage of nodes.
type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Sync() error
}

// open opens a regular file, and returns its size in bytes. It refuses pipes, which would block.
func open(path string, flag int) (f *os.File, size int64, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, 0, err
	case info.IsDir():
		return nil, 0, fmt.Errorf("%s: is a folder, not a file of nodes", path)
	case !info.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s: is not a regular file", path)
	}
	f, err = os.OpenFile(path, flag, 0)
	return f, info.Size(), err
}

// memory is a file in memory.
type memory struct{ b []byte }

func (f *memory) ReadAt(b []byte, offset int64) (int, error) { return copy(b, f.b[offset:]), nil }
func (f *memory) WriteAt(b []byte, offset int64) (int, error) {
	f.b = append(f.b[:offset], b...)
	return len(b), nil
}
func (f *memory) Truncate(size int64) error {
	f.b = f.b[:size]
	return nil
}
func (f *memory) Sync() error  { return nil }
func (f *memory) Close() error { return nil }
