//go:build linux || darwin || freebsd || netbsd

package main

import (
	"fmt"
	"syscall"
)

// minAddressSpace is the address space that the Go runtime needs: it reserves far more than it
// uses, and prints pages of its own state if it cannot. A run of the default plan on two
// cores reserves 1.8 GiB.
const minAddressSpace = 2 << 30

// checkLimits refuses a process that may not have the address space.
func checkLimits() error {
	var space syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &space); err == nil && uint64(space.Cur) < minAddressSpace {
		return fmt.Errorf("only %d MiB of address space are allowed here (ulimit -v), and at least %d are wanted, "+
			"though little of it is used", uint64(space.Cur)>>20, minAddressSpace>>20)
	}
	return nil
}
