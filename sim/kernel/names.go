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

// by is the kernel of a name, which must be one of Names.
func by(name string) implementation {
	k, err := choose(name)
	if err != nil {
		panic("kernel: no such kernel is available")
	}
	return k
}

// PairsBy is Pairs by the kernel of that name, which must be one of Names. It
// serves to compare kernels; all give the same bits.
func PairsBy(name string, l law.Law) func(s *stream.Lanes, d int, scores *[Width]float32) {
	return by(name).pairs(l)
}

// ProductsBy is Products by the kernel of that name, as PairsBy.
func ProductsBy(name string) func(q [][Width]float32, half int, k [][Width]float32, d int, tile *Tile, first, last bool, sums *Sums) {
	return by(name).products
}

// RowsBy is FindPeaks followed by Rows, by the kernel of that name, as PairsBy.
func RowsBy(name string) func(scores [][Width]float32, scale float64, sums *RowSums) {
	k := by(name)
	var p Peaks
	return func(scores [][Width]float32, scale float64, sums *RowSums) {
		k.findPeaks(scores, &p)
		k.rows(scores, &p, scale, sums)
	}
}
