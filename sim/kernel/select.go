package kernel

import (
	"fmt"
	"os"
	"strings"

	"mcsim/sim/base/distribution"
	"mcsim/sim/names"
)

// implementation is one of the kernels, which all compute the same bits.
type implementation struct {
	name          string
	available     bool                    // whether this processor can run it
	lanes         int                     // lanes that the assembly of a distribution takes at once
	distributions map[string]vectorKernel // assembly by name; nil for portable Go
	assembly      *assembly               // nil for portable Go
}

// assembly has the functions that do not depend on a distribution. gram takes all lanes at once,
// and its stride is the size of a panel of keys in bytes. The other functions take the number of
// lanes in the field lanes, which fit in a register.
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
	above       func(scores *float32, keys int, threshold *float32, counts *int32)
	weights     func(scores *float32, keys int, first *float32, scale float32, e, e2 *float32)
}

// vectorKernel is the assembly of a distribution.
type vectorKernel struct {
	// pairs writes the score of a pair of dimension n in each lane. fill writes the draws of n
	// groups of words in each lane. Both update the state of the lanes.
	pairs, fill func(state *uint32, n int, dst *float32, parameters *uint32)
	draws       int // draws per group
	// rescale rescales vectors of d draws to the length √d; nil if the draws are the components.
	rescale func(dst *float32, d int)
}

// parameterPackers has the functions that return the parameters for the assembly of a distribution.
var parameterPackers = map[string]func(l distribution.Distribution) [2]uint32{
	names.DistributionStudentT:          packStudentParams,
	names.DistributionBernoulliGaussian: packBernoulliParams,
}

// active is chosen once, at the start of the process.
var active, selectionErr = chooseImplementation(os.Getenv("MCSIM_KERNEL"))

// allNames are the kernels on all machines.
const allNames = "portable, avx2, avx512 or neon"

// CheckSelection returns an error if the kernel in MCSIM_KERNEL (portable, avx2, avx512 or neon;
// empty for the fastest) is not available. All kernels give the same bits.
func CheckSelection() error { return selectionErr }

// Name returns the name of the kernel in use.
func Name() string { return active.name }

// chooseImplementation returns the kernel with the given name, or the fastest kernel if the name is
// empty. If there is no such kernel, it returns the portable one and an error.
func chooseImplementation(name string) (implementation, error) {
	available := Names()
	if name == "" {
		name = available[0]
	}
	for _, k := range implementations {
		if k.available && k.name == name {
			return k, nil
		}
	}
	return portable, fmt.Errorf("MCSIM_KERNEL=%s: this machine has %s; there are %s", name,
		strings.Join(available, ", "),
		allNames)
}

var portable = implementation{name: "portable", available: true}
