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

// ProductsBy is Products by the kernel of that name, as PairsBy.
func ProductsBy(name string) func(q [][Width]float32, half int, k [][Width]float32, d int, tile *Tile, first, last bool, sums *Sums) {
	i, err := choose(name)
	if err != nil {
		panic("kernel: ProductsBy wants an available kernel")
	}
	return i.products
}

// RowsBy is FindPeaks followed by Rows, by the kernel of that name, as PairsBy.
func RowsBy(name string) func(scores [][Width]float32, scale float64, sums *RowSums) {
	i, err := choose(name)
	if err != nil {
		panic("kernel: RowsBy wants an available kernel")
	}
	var p Peaks
	return func(scores [][Width]float32, scale float64, sums *RowSums) {
		i.findPeaks(scores, &p)
		i.rows(scores, &p, scale, sums)
	}
}
