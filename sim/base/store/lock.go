package store

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"mcsim/sim/base/replace"
)

// InUseError says that another run has the file.
type InUseError struct{ Path, Holder string }

func (e InUseError) Error() string {
	return fmt.Sprintf("%s is in use by %s; wait for its end, or name another place", e.Path, e.Holder)
}

// lockPath is the file whose lock stands for that of a file of nodes, since that one is replaced.
func lockPath(path string) string { return path + ".lock" }

// lock is the lock of a file of nodes. The system takes it from a process that ends, however it
// ends; what it leaves then is a file that locks nothing.
type lock struct{ *os.File }

// acquireLock takes the lock of a file of nodes and writes down who has it.
func acquireLock(path string) (*lock, error) {
	for {
		if info, err := os.Lstat(lockPath(path)); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is no file that a run made; remove it", lockPath(path))
		}
		f, err := os.OpenFile(lockPath(path), os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, replace.CannotWrite(lockPath(path), err)
		}
		got, err := tryLock(f)
		switch l := (&lock{f}); {
		case err != nil:
			return nil, errors.Join(replace.CannotWrite(lockPath(path), err), f.Close())
		case !got:
			return nil, errors.Join(InUseError{path, holder(lockPath(path))}, f.Close())
		case l.stands():
			return l, l.sign()
		}
		f.Close() // its holder removed it in between
	}
}

// stands reports whether the file that is locked is the one that others would find.
func (l *lock) stands() bool {
	own, err := l.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(l.Name())
	return err == nil && os.SameFile(own, there)
}

// sign writes down who has the lock.
func (l *lock) sign() error {
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown host"
	}
	if _, err := fmt.Fprintf(l, "process %d on %s, since %s\n", os.Getpid(), host,
		time.Now().Format(time.DateTime)); err != nil {
		return errors.Join(replace.CannotWrite(l.Name(), err), l.release())
	}
	return nil
}

// holder is who has the lock, as they wrote it down.
func holder(path string) string {
	text, err := os.ReadFile(path)
	line, _, _ := strings.Cut(string(text), "\n")
	if err != nil || line == "" {
		return "another run"
	}
	return line
}
