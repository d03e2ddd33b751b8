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
	"crypto/rand"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Set is files that are to be replaced together. The zero value is an empty set.
type Set struct {
	staged []staged
}

// mu is held while files take their places, so that Abandon does not come in between.
// open are all files that are written and have not, swept the folders that were; placed are the places that were taken.
var (
	mu     sync.Mutex
	open   = map[string]bool{}
	swept  = map[string]bool{}
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

// create opens a new file beside the path, that no other process has.
func create(path string) (*os.File, error) {
	Sweep(filepath.Dir(path))
	mu.Lock()
	defer mu.Unlock()
	name := fmt.Sprintf("%s.%s-%d-%s.new", path, host(), os.Getpid(), rand.Text()[:12])
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		open[f.Name()] = true
	}
	return f, err
}

// written is how the name of a new file ends: the host and the process that writes it, and a
// word, since in containers the numbers of all may be 1. Earlier versions wrote the word alone.
var written = regexp.MustCompile(`\.(?:([0-9a-f]{8})-([0-9]+)-)?[A-Z2-7]{12}\.new$`)

// host stands for the name of this machine, or container.
var host = sync.OnceValue(func() string {
	name, _ := os.Hostname()
	h := fnv.New32a()
	h.Write([]byte(name))
	return fmt.Sprintf("%08x", h.Sum32())
})

// forgotten is more than any file takes to write.
const forgotten = time.Hour

// Sweep removes new files that were left in a folder by processes that were killed: those of
// processes of this host that are no more, and all that nobody has written to for an hour. A folder
// is swept once.
func Sweep(dir string) {
	mu.Lock()
	defer mu.Unlock()
	if swept[dir] {
		return
	}
	swept[dir] = true
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // whoever writes there says so
	}
	for _, e := range entries {
		of := written.FindStringSubmatch(e.Name())
		if of == nil {
			continue
		}
		ended := of[1] == host() && !runs(of[2])
		if info, err := e.Info(); err == nil && (ended || time.Since(info.ModTime()) > forgotten) {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// runs reports whether there is a process of that number.
func runs(number string) bool {
	pid, err := strconv.Atoi(number)
	if err != nil || pid == os.Getpid() {
		return err == nil
	}
	p, err := os.FindProcess(pid)
	return err == nil && !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// Try says whether a file can be made in a folder.
func Try(dir string) error {
	f, err := create(filepath.Join(dir, "mcsim"))
	if err != nil {
		return err
	}
	f.Close()
	remove(f.Name())
	return nil
}

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
