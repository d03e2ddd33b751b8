package store

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockOffset is the position of the locked byte. It is after the end of the file, since other
// processes must read the file and Windows does not allow them to read locked bytes.
const lockOffset = 1 << 30

// release releases the lock and then removes its file, since Windows does not remove open files.
// The file remains if another process has opened it in the meantime.
func (l *lock) release() error {
	err := l.Close()
	_ = os.Remove(l.Name())
	return err
}

// tryLock takes the lock of an open file. ok is false if another process has it. The system
// releases the lock when the process ends.
func tryLock(f *os.File) (bool, error) {
	region := windows.Overlapped{Offset: lockOffset}
	err := windows.LockFileEx(windows.Handle(f.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &region)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
