package store

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockOffset is beyond every byte that is read, since Windows lets nobody read what is locked.
const lockOffset = 1 << 30

// release gives the lock back and removes its file, which Windows lets nobody do while it is
// open; nor is it removed where another has opened it by now.
func (l *lock) release() error {
	err := l.Close()
	_ = os.Remove(l.Name())
	return err
}

// tryLock takes the lock of an open file, which the system takes back when its process ends; false if
// another has it.
func tryLock(f *os.File) (bool, error) {
	at := windows.Overlapped{Offset: lockOffset}
	err := windows.LockFileEx(windows.Handle(f.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
