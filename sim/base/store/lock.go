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
	return fmt.Sprintf("%s: in use by %s; wait until it ends, or use another folder", e.Path, e.Holder)
}

// lockPath returns the path of the lock's file for a file of nodes. The file of nodes itself cannot
// be locked, since it is replaced.
func lockPath(path string) string { return path + ".lock" }

// lock is the lock of a file of nodes. The system releases it when the process ends in any way. The
// lock's file may remain then, but it is not locked.
type lock struct{ *os.File }

// acquireLock locks a file of nodes and writes the holder into the lock's file. It fails with
// InUseError if another process has the lock.
func acquireLock(path string) (*lock, error) {
	for {
		if info, err := os.Lstat(lockPath(path)); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: not the lock file of a run; remove it", lockPath(path))
		}
		f, err := os.OpenFile(lockPath(path), os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, replace.CannotWrite(lockPath(path), err)
		}
		ok, err := tryLock(f)
		l := &lock{f}
		switch {
		case err != nil:
			return nil, errors.Join(replace.CannotWrite(lockPath(path), err), f.Close())
		case !ok:
			return nil, errors.Join(InUseError{path, readHolder(lockPath(path))}, f.Close())
		case l.isCurrent():
			return l, l.writeHolder()
		}
		f.Close() // the previous holder removed this file after it was opened; try again
	}
}

// isCurrent reports whether the locked file is still the one at its path.
func (l *lock) isCurrent() bool {
	locked, err := l.Stat()
	if err != nil {
		return false
	}
	current, err := os.Stat(l.Name())
	return err == nil && os.SameFile(locked, current)
}

// writeHolder writes into the file who has the lock.
func (l *lock) writeHolder() error {
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown host"
	}
	_, err = fmt.Fprintf(l, "process %d on %s, since %s\n", os.Getpid(), host, time.Now().Format(time.DateTime))
	if err != nil {
		return errors.Join(replace.CannotWrite(l.Name(), err), l.release())
	}
	return nil
}

// readHolder returns who has the lock.
func readHolder(path string) string {
	text, err := os.ReadFile(path)
	line, _, _ := strings.Cut(string(text), "\n")
	if err != nil || line == "" {
		return "another run"
	}
	return line
}
