package kernel

import (
	"fmt"
	"os"

	"mcsim/sim/law"
	"mcsim/sim/names"
)

// implementation is one way to compute the bits.
type implementation struct {
	name      string
	available bool
	laws      map[string]vector // none for the portable Go
	gram      gram              // nil for the portable Go
	row       rowKernel         // its functions nil for the portable Go
	lane      laneKernel        // likewise
}

// vector is a law in assembly.
type vector struct {
	// pairs writes the scores of 16 pairs of dimension d, fill the draws of
	// whole groups of words; both continue the lanes of state.
	pairs, fill func(state *uint32, n int, to *float32, parameters *uint32)
	draws       int // of a group
	// rescale makes unit-variance vectors of the draws, where not nil.
	rescale func(dst *float32, d int)
}

// gram is Products in assembly; stride is the size of a panel of keys in bytes.
type gram func(q, k *float32, stride, d int, tile *float32, keep int, sums *float32)

// parameters holds the laws that have any, as the assembly reads them.
var parameters = map[string]func(l law.Law) [2]uint32{
	names.LawStudentT:          studentWords,
	names.LawBernoulliGaussian: bernoulliWords,
}

// active is chosen once, at the start of the process.
var active, selection = choose(os.Getenv("MCSIM_KERNEL"))

// Select reports whether the kernel that MCSIM_KERNEL asks for (portable,
// avx2 or avx512; empty for the fastest) is in use. All give the same bits.
func Select() error { return selection }

// Name is the name of the kernel in use.
func Name() string { return active.name }

// choose returns the implementation of the given name, or the fastest.
func choose(name string) (implementation, error) {
	var fastest *implementation
	for i := range implementations {
		k := &implementations[i]
		if k.available && fastest == nil {
			fastest = k
		}
		if k.name != name {
			continue
		}
		if !k.available {
			return portable, fmt.Errorf("MCSIM_KERNEL=%s: not available here", name)
		}
		return *k, nil
	}
	if name != "" {
		return *fastest, fmt.Errorf("MCSIM_KERNEL=%s: no such kernel; it is portable, avx2 or avx512", name)
	}
	return *fastest, nil
}

var portable = implementation{name: "portable", available: true}
