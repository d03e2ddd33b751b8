//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package store

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// release removes the lock's file and releases the lock.
func (l *lock) release() error { return errors.Join(os.Remove(l.Name()), l.Close()) }

// tryLock takes the lock of an open file. ok is false if another process has it. The system
// releases the lock when the process ends.
func tryLock(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
