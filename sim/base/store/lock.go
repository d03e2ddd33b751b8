package store

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"mcsim/sim/base/replace"
)

// InUseError is the error of a file that another run has locked.
type InUseError struct{ Path, Holder string }

func (e InUseError) Error() string {
	return fmt.Sprintf("%s is in use by %s; wait for its end, or name another place", e.Path, e.Holder)
}

// lockPath returns the path of the lock of a file of nodes, a file of its own since the file of
// nodes is replaced.
func lockPath(path string) string { return path + ".lock" }

// lock is the lock of a file of nodes. The system releases it when its process ends, however it
// ends; the file that is left then locks nothing.
type lock struct{ *os.File }

// acquireLock takes the lock of a file of nodes and writes down its holder. It fails with
// InUseError if another process has it.
func acquireLock(path string) (*lock, error) {
	for {
		if info, err := os.Lstat(lockPath(path)); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is no file that a run made; remove it", lockPath(path))
		}
		f, err := os.OpenFile(lockPath(path), os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, replace.CannotWrite(lockPath(path), err)
		}
		ok, err := tryLock(f)
		switch l := (&lock{f}); {
		case err != nil:
			return nil, errors.Join(replace.CannotWrite(lockPath(path), err), f.Close())
		case !ok:
			return nil, errors.Join(InUseError{path, readHolder(lockPath(path))}, f.Close())
		case l.isCurrent():
			return l, l.writeHolder()
		}
		f.Close() // its holder removed it in between
	}
}

// isCurrent reports whether the locked file is the one that others would find.
func (l *lock) isCurrent() bool {
	locked, err := l.Stat()
	if err != nil {
		return false
	}
	current, err := os.Stat(l.Name())
	return err == nil && os.SameFile(locked, current)
}

// writeHolder writes down who has the lock.
func (l *lock) writeHolder() error {
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

// readHolder returns who has the lock, as they wrote it down.
func readHolder(path string) string {
	text, err := os.ReadFile(path)
	line, _, _ := strings.Cut(string(text), "\n")
	if err != nil || line == "" {
		return "another run"
	}
	return line
}
