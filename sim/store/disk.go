package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"mcsim/sim/replace"
)

// Disk is what a store asks of a disk.
type Disk interface {
	// Open opens a file to be read and written; fs.ErrNotExist where there is none.
	Open(path string) (File, error)
	// Replace puts a new file in the place, or makes it, so that at no time, whatever happens,
	// a part of it stands there. It calls ready when the new one is written and has not yet taken
	// the place.
	Replace(path string, write func(io.Writer) error, ready func()) error
}

// File is a file of a disk.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Size() (int64, error)
	Truncate(size int64) error
	Sync() error // what was written outlives a loss of power
}

// System is the disk of the system.
type System struct{}

// Open opens a regular file.
func (System) Open(path string) (File, error) { return open(path, os.O_RDWR) }

// open opens a regular file, and waits for none that is a pipe.
func open(path string, flag int) (File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s: is a folder, not a file of nodes", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: is no regular file", path)
	}
	f, err := os.OpenFile(path, flag, 0)
	if err != nil {
		return nil, err
	}
	return systemFile{f}, nil
}

// Replace writes a new file beside the place and renames it.
func (System) Replace(path string, write func(io.Writer) error, ready func()) error {
	var s replace.Set
	if err := s.Add(path, write); err != nil {
		return err
	}
	ready()
	return s.Commit()
}

type systemFile struct{ *os.File }

// Size is how many bytes the file has.
func (f systemFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// memory is a disk of files that end with the program.
type memory struct{ files map[string]*memoryFile }

func newMemory() memory { return memory{map[string]*memoryFile{}} }

func (m memory) Open(path string) (File, error) {
	f, ok := m.files[path]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return f, nil
}

func (m memory) Replace(path string, write func(io.Writer) error, ready func()) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	ready()
	m.files[path] = &memoryFile{b.Bytes()}
	return nil
}

type memoryFile struct{ b []byte }

func (f *memoryFile) ReadAt(b []byte, at int64) (int, error) {
	if len(b) == 0 { // which a reader takes for the end
		return 0, nil
	}
	return bytes.NewReader(f.b).ReadAt(b, at)
}

func (f *memoryFile) WriteAt(b []byte, at int64) (int, error) {
	if at != int64(len(f.b)) {
		return 0, errors.New("a file in memory is written at its end alone")
	}
	f.b = append(f.b, b...)
	return len(b), nil
}

func (f *memoryFile) Size() (int64, error) { return int64(len(f.b)), nil }
func (f *memoryFile) Truncate(size int64) error {
	f.b = f.b[:size]
	return nil
}
func (f *memoryFile) Sync() error  { return nil }
func (f *memoryFile) Close() error { return nil }

// cannotWrite says in one line that a file cannot be written to.
func cannotWrite(path string, err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return fmt.Errorf("%s cannot be written: %w", filepath.Clean(path), err)
}
