//go:build linux || darwin || freebsd || netbsd

package main

import (
	"fmt"
	"syscall"
)

// leastAddress is the address space that the Go runtime cannot do without, and dies of with
// pages of its own state: it reserves far more than it uses. A run of the default plan on two
// cores reserves 1.8 GiB.
const leastAddress = 2 << 30

// checkLimits refuses to begin where the process may not have that.
func checkLimits() error {
	var space syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &space); err == nil && uint64(space.Cur) < leastAddress {
		return fmt.Errorf("only %d MiB of address space are allowed here (ulimit -v), and at least %d are wanted, though little of it is used", uint64(space.Cur)>>20, leastAddress>>20)
	}
	return nil
}
