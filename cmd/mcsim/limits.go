//go:build linux || darwin || freebsd || netbsd

package main

import (
	"fmt"
	"syscall"
)

// minAddressSpace is the address space in bytes that the Go runtime needs. The runtime reserves far
// more address space than it uses: 1.8 GiB for a run of the default plan on two cores. If it cannot
// reserve the space, it prints its own state over several pages in place of a clear error.
const minAddressSpace = 2 << 30

// checkLimits returns an error if the process has a limit below minAddressSpace.
func checkLimits() error {
	var space syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_AS, &space)
	if err == nil && uint64(space.Cur) < minAddressSpace {
		return fmt.Errorf("the limit on the address space (ulimit -v) is %d MiB; at least %d are required, "+
			"although mcsim uses little of it", uint64(space.Cur)>>20, minAddressSpace>>20)
	}
	return nil
}
