// Package replace writes files atomically: a reader sees the old content or the new content, but
// never a part of it. Several files can be replaced together: all of the new files are on the disk
// before the first is renamed.
//
// A [Set] writes each file under a new name next to its path ([Set.Add]) and renames all of them at
// the end ([Set.Commit]). [File] and [Text] replace one file.
//
// On systems where renaming over a file is not atomic (Windows), readers may find no file for a
// moment.
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

// Set is a set of files that are replaced together. The zero value is an empty set.
type Set struct {
	staged []staged
	swept  map[string]bool // folders in which Sweep was called
}

// staged is a complete new file and the path to which it is renamed.
type staged struct{ name, path string }

// Add writes and syncs a new file next to path. If it fails, the error names the path and the set
// is unchanged.
func (s *Set) Add(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return CannotWrite(path, errors.New("is a directory"))
	}
	if dir := filepath.Dir(path); !s.swept[dir] {
		Sweep(dir)
		if s.swept == nil {
			s.swept = map[string]bool{}
		}
		s.swept[dir] = true
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
	err = errors.Join(err, f.Close())
	if err != nil {
		os.Remove(f.Name())
		return CannotWrite(path, err)
	}
	s.staged = append(s.staged, staged{name: f.Name(), path: path})
	return nil
}

// create opens a new file next to path. Its name contains the host and the process, so that other
// processes can tell whether it is still being written.
func create(path string) (*os.File, error) {
	name := fmt.Sprintf("%s.%s-%d-%s.new", path, host(), os.Getpid(), rand.Text()[:12])
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// newSuffix matches the end of the name of a new file: the host, the process, and a random word,
// since in containers all processes may have the number 1.
var newSuffix = regexp.MustCompile(`\.([0-9a-f]{8})-([0-9]+)-[A-Z2-7]{12}\.new$`)

// host returns a hash of the name of this machine or container.
var host = sync.OnceValue(func() string {
	name, _ := os.Hostname()
	h := fnv.New32a()
	h.Write([]byte(name))
	return fmt.Sprintf("%08x", h.Sum32())
})

// maxWriteTime is longer than the time that writing any file takes.
const maxWriteTime = time.Hour

// Sweep removes new files that killed processes left in a folder: files of this host whose process
// has ended, and files of any host that have not been written to for maxWriteTime.
func Sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // writing to the folder will report the error
	}
	for _, e := range entries {
		match := newSuffix.FindStringSubmatch(e.Name())
		if match == nil {
			continue
		}
		hasEnded := match[1] == host() && !isRunning(match[2])
		info, err := e.Info()
		if err == nil && (hasEnded || time.Since(info.ModTime()) > maxWriteTime) {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// isRunning reports whether a process with that number exists.
func isRunning(number string) bool {
	pid, err := strconv.Atoi(number)
	if err != nil {
		return false
	}
	if pid == os.Getpid() {
		return true
	}
	p, err := os.FindProcess(pid)
	return err == nil && !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone) // signal 0 has no effect
}

// CheckWritable returns an error if no file can be created in a folder.
func CheckWritable(dir string) error {
	f, err := create(filepath.Join(dir, "mcsim"))
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// CannotWrite returns an error of one line that path cannot be written. It replaces errors that
// name the new file next to path, whose name users do not know, by their cause.
func CannotWrite(path string, err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err
	} else if failed, ok := errors.AsType[*os.LinkError](err); ok {
		err = failed.Err
	}
	return fmt.Errorf("%s cannot be written: %w", path, err)
}

// Commit renames all files of the set, in the order in which they were added, and empties the set.
func (s *Set) Commit() error {
	defer s.Discard()
	for len(s.staged) > 0 {
		f := s.staged[0]
		if err := os.Rename(f.name, f.path); err != nil {
			return CannotWrite(f.path, err)
		}
		s.staged = s.staged[1:]
		SyncFolder(filepath.Dir(f.path))
	}
	return nil
}

// SyncFolder syncs the entries of a folder to the disk, on systems that support it.
func SyncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// Discard removes the new files of the set. It may be deferred: after Commit it does nothing.
func (s *Set) Discard() {
	for _, f := range s.staged {
		os.Remove(f.name)
	}
	s.staged = nil
}

// AddText adds a file with the text.
func (s *Set) AddText(path string, text []byte) error {
	return s.Add(path, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// File replaces one file.
func File(path string, write func(io.Writer) error) error {
	var s Set
	if err := s.Add(path, write); err != nil {
		return err
	}
	return s.Commit()
}

// Text replaces one file by a text. If path is a pipe or a device, Text writes to it and does not
// replace it.
func Text(path string, text []byte) error {
	info, err := os.Stat(path)
	isPipeOrDevice := err == nil && !info.Mode().IsRegular() && !info.IsDir()
	if isPipeOrDevice {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return CannotWrite(path, err)
		}
		return nil
	}
	return File(path, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// IsSameFile reports whether two paths name one file, which need not exist.
func IsSameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(infoA, infoB)
	}
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB
}
