package kernel

import (
	"fmt"
	"os"
	"strings"

	"mcsim/sim/base/distribution"
	"mcsim/sim/names"
)

// implementation is one way to compute the bits.
type implementation struct {
	name          string
	available     bool
	lanes         int               // that a distribution in assembly draws at once
	distributions map[string]vector // none for the portable Go
	assembly      *assembly         // nil for the portable Go
}

// assembly is all that knows of no distribution. All but gram, which takes all lanes at once, take
// as many lanes as fit a register. The stride of gram is the size of a panel of keys in
// bytes.
type assembly struct {
	gram        func(q, k *float32, stride, d int, tile *float32, keep int, sums *float32)
	lanes       int
	peaks       func(scores *float32, keys int, first *float32)
	gaps        func(first *float32, scale float64, sums *float64)
	sums        func(scores *float32, keys int, first *float32, scale float32, sums *float64)
	logs        func(sums *float64)
	dots        func(q, k *float32, d, vectors int, sums *float32)
	differences func(k, base, diff *float32, d, vectors int, squares *float32)
	blend       func(k, weights *float32, d, vectors int, sum *float32)
	above       func(scores *float32, keys int, least *float32, counts *int32)
	weights     func(scores *float32, keys int, first *float32, scale float32, e, e2 *float32)
}

// vector is a distribution in assembly.
type vector struct {
	// pairs writes the scores of a pair of dimension d in each of the lanes, fill the
	// draws of whole groups of words; both continue the lanes of state.
	pairs, fill func(state *uint32, n int, to *float32, parameters *uint32)
	draws       int // of a group
	// rescale makes unit-variance vectors of the draws, where not nil.
	rescale func(dst *float32, d int)
}

// parameters holds the distributions that have any, as the assembly reads them.
var parameters = map[string]func(l distribution.Distribution) [2]uint32{
	names.DistributionStudentT:          studentWords,
	names.DistributionBernoulliGaussian: bernoulliWords,
}

// active is chosen once, at the start of the process.
var active, selection = choose(os.Getenv("MCSIM_KERNEL"))

// known are the names of all kernels, on whatever machine.
const known = "portable, avx2, avx512 or neon"

// Select reports whether the kernel that MCSIM_KERNEL asks for (one of those known; empty
// for the fastest) is in use. All give the same bits.
func Select() error { return selection }

// Name is the name of the kernel in use.
func Name() string { return active.name }

// choose returns the implementation of the given name, or the fastest.
func choose(name string) (implementation, error) {
	here := Names()
	if name == "" {
		name = here[0]
	}
	for _, k := range implementations {
		if k.available && k.name == name {
			return k, nil
		}
	}
	return portable, fmt.Errorf("MCSIM_KERNEL=%s: this machine has %s; there are %s", name, strings.Join(here, ", "),
		known)
}

var portable = implementation{name: "portable", available: true}
