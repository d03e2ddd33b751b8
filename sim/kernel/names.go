package kernel

import (
	"mcsim/sim/law"
	"mcsim/sim/stream"
)

// Names lists the kernels that this processor can run, the fastest first.
func Names() []string {
	var names []string
	for _, k := range implementations {
		if k.available {
			names = append(names, k.name)
		}
	}
	return names
}

// PairsBy is Pairs by the kernel of that name, which must be one of Names. It
// serves to compare kernels; all give the same bits.
func PairsBy(name string, l law.Law) func(s *stream.Lanes, d int, scores *[Width]float32) {
	k, err := choose(name)
	if err != nil {
		panic("kernel: PairsBy wants an available kernel")
	}
	return k.pairs(l)
}
