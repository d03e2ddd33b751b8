// Package replace writes files so that a reader meets the old text or the new one,
// never a part, and several files together: all of them stand on the disk before
// the first takes its place.
//
// A [Set] writes each file under a new name beside its place ([Set.Add]) and renames all
// of them at the end ([Set.Commit]); [File] and [Text] are sets of one.
//
// It builds on every system that Go does; where renaming over a file is not atomic
// (Windows), the change is as quick as the system makes it.
package replace

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Set is files that are to be replaced together. The zero value is an empty set.
type Set struct {
	staged []staged
}

// mu is held while files take their places, so that Abandon does not come in between.
// open are all files that are written and have not; placed are the places that were taken.
var (
	mu     sync.Mutex
	open   = map[string]bool{}
	placed []string
)

// Abandon removes what sets have written that has not taken its place, and lets nobody
// write any more: for a program that ends. It lists all that was ever put in its place.
func Abandon() []string {
	mu.Lock()
	for from := range open {
		os.Remove(from)
	}
	return placed
}

// staged is a file that is written, beside the one whose place it will take.
type staged struct{ from, to string }

// Add writes what is to stand at the path to a new file beside it, and to the disk. An
// error names the path; the set is then as it was before.
func (s *Set) Add(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return CannotWrite(path, errors.New("is a directory"))
	}
	f, err := create(path)
	if err != nil {
		return CannotWrite(path, err)
	}
	buffered := bufio.NewWriterSize(f, 1<<16)
	err = errors.Join(write(buffered), buffered.Flush())
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		remove(f.Name())
		return CannotWrite(path, err)
	}
	s.staged = append(s.staged, staged{f.Name(), path})
	return nil
}

// create opens a new file beside the path, that no other process has: in containers the numbers of all may be 1.
func create(path string) (*os.File, error) {
	mu.Lock()
	defer mu.Unlock()
	f, err := os.OpenFile(path+"."+rand.Text()[:12]+newFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		open[f.Name()] = true
	}
	return f, err
}

// Clear removes new files that a process left beside the path as it was killed. The caller
// knows that no other is writing one.
func Clear(path string) { ClearOlder(path, 0) }

// ClearOlder is Clear of files that have not been written to for so long, where another process may be writing one.
func ClearOlder(path string, age time.Duration) {
	dir, base := filepath.Split(path)
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return // whoever writes there says so
	}
	mu.Lock()
	defer mu.Unlock()
	for _, e := range entries {
		if name := dir + e.Name(); strings.HasPrefix(e.Name(), base+".") && strings.HasSuffix(name, newFile) && !open[name] {
			if info, err := e.Info(); err == nil && time.Since(info.ModTime()) >= age {
				os.Remove(name)
			}
		}
	}
}

// newFile ends the names of new files.
const newFile = ".new"

// CannotWrite says in one line that a file cannot be written, or the new one beside it.
func CannotWrite(path string, err error) error {
	var opened *fs.PathError
	var renamed *os.LinkError
	switch {
	case errors.As(err, &opened):
		err = opened.Err
	case errors.As(err, &renamed):
		err = renamed.Err
	}
	return fmt.Errorf("%s cannot be written: %w", path, err)
}

// Commit puts every file of the set in its place, in the order in which they were
// added. The set is empty afterwards.
func (s *Set) Commit() error {
	defer s.Discard()
	mu.Lock()
	defer mu.Unlock()
	for len(s.staged) > 0 {
		f := s.staged[0]
		if err := os.Rename(f.from, f.to); err != nil {
			return CannotWrite(f.to, err)
		}
		placed = append(placed, f.to)
		delete(open, f.from)
		s.staged = s.staged[1:]
		SyncFolder(filepath.Dir(f.to))
	}
	return nil
}

// SyncFolder has the disk keep what a folder lists. Systems that cannot, such as Windows, say so,
// and there is no more to be done.
func SyncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// Discard removes what was written and not put in its place. It may be deferred: after
// Commit there is nothing to remove.
func (s *Set) Discard() {
	for _, f := range s.staged {
		remove(f.from)
	}
	s.staged = nil
}

// remove removes a file that was written and is not wanted.
func remove(name string) {
	mu.Lock()
	defer mu.Unlock()
	os.Remove(name)
	delete(open, name)
}

// AddText is Add of a text.
func (s *Set) AddText(path string, text []byte) error { return s.Add(path, writes(text)) }

// writes writes a text.
func writes(text []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(text); return err }
}

// File replaces one file.
func File(path string, write func(io.Writer) error) error {
	var s Set
	if err := s.Add(path, write); err != nil {
		return err
	}
	return s.Commit()
}

// Text replaces one file by a text. What is there and is no regular file, a pipe or a
// device, is written to instead.
func Text(path string, text []byte) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return CannotWrite(path, err)
		}
		return nil
	}
	return File(path, writes(text))
}
