//go:build linux || darwin || freebsd || netbsd

package main

import (
	"errors"
	"fmt"
	"syscall"
)

// What the Go runtime cannot do without, and dies of with pages of its own state: files
// of its own, of which a command opens a few more at a time, and address space, of which
// it reserves far more than it uses. Above these the usual errors say what is missing.
const (
	leastFiles   = 16
	leastAddress = 2 << 30 // a run of the default plan on two cores reserves 1.8 GiB
)

// checkLimits refuses to begin where the process may not open the files, or not have the
// address space, that the runtime takes without asking. It opens no file in any other
// way: the runtime would be what fails.
func checkLimits() error {
	var space syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &space); err == nil && uint64(space.Cur) < leastAddress {
		return fmt.Errorf("only %d MiB of address space are allowed here (ulimit -v), and at least %d are wanted, though little of it is used", uint64(space.Cur)>>20, leastAddress>>20)
	}
	free := 0
	for ; free < leastFiles; free += 2 {
		var ends [2]int
		if err := syscall.Pipe(ends[:]); errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
			return fmt.Errorf("only %d more files may be opened here (ulimit -n), and at least %d are wanted", free, leastFiles)
		} else if err != nil {
			return nil // for which files are not to blame
		}
		defer syscall.Close(ends[0])
		defer syscall.Close(ends[1])
	}
	return nil
}
