//go:build linux || darwin || freebsd || netbsd

package main

import (
	"fmt"
	"syscall"
)

// minAddressSpace is the address space in bytes that the Go runtime needs. The runtime reserves
// far more than it uses, and prints pages of its own state if it cannot. A run of the default plan
// on two cores reserves 1.8 GiB.
const minAddressSpace = 2 << 30

// checkLimits returns an error if the process has a limit below minAddressSpace.
func checkLimits() error {
	var space syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &space); err == nil && uint64(space.Cur) < minAddressSpace {
		return fmt.Errorf("the limit on the address space (ulimit -v) is %d MiB; at least %d are required, "+
			"although mcsim uses little of it", uint64(space.Cur)>>20, minAddressSpace>>20)
	}
	return nil
}
