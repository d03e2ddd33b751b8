package compare

import (
	"math/big"
	"path"

	"mcsim/sim/result"
)

// SampleRelation is the relation between the samples of two estimates.
type SampleRelation string

const (
	Same        SampleRelation = "same"    // the same samples, so the numbers must be equal
	Nested      SampleRelation = "nested"  // one run has all samples of the other, and more
	Independent SampleRelation = "apart"   // no samples in common
	Unknown     SampleRelation = "tangled" // some samples in common, or unknown
)

// relate returns the relation between the samples of the cell, or of the cells that a pattern
// names. Blocks are keyed by seed, attempt, cell and index, so under one seed, attempt and kernel
// the blocks of the smaller run are the first blocks of the larger. Another kernel makes other
// numbers from the same bits, so the relation is unknown.
func relate(before, after *result.Document, cell string) SampleRelation {
	switch {
	case before.Seed != after.Seed || attempt(before) != attempt(after):
		return Independent
	case before.Kernel != after.Kernel:
		return Unknown
	}
	olds, news := cells(before, cell), cells(after, cell)
	if len(olds) == 0 || len(news) == 0 {
		return Unknown
	}
	switch newContainsOld, oldContainsNew := contains(news, olds), contains(olds, news); {
	case newContainsOld && oldContainsNew:
		return Same
	case newContainsOld || oldContainsNew:
		return Nested
	}
	return Unknown
}

// attempt returns the attempt of the plan, 0 if it does not say.
func attempt(d *result.Document) float64 {
	n, _ := fields(d.Plan)["attempt"].(float64)
	return n
}

// cells returns the cells of an id, or of a pattern such as variance/normal/d_k=*.
func cells(d *result.Document, id string) map[string]result.Cell {
	found := map[string]result.Cell{}
	for _, c := range d.Cells {
		if ok, err := path.Match(id, c.ID); c.ID == id || err == nil && ok {
			found[c.ID] = c
		}
	}
	return found
}

// contains reports whether the larger set has every sample of the smaller one.
func contains(larger, smaller map[string]result.Cell) bool {
	for id, s := range smaller {
		l, ok := larger[id]
		// Blocks of another length have other samples.
		if !ok || l.N < s.N || !proportional(l, s) {
			return false
		}
	}
	return true
}

// proportional reports whether two cells have the same number of units per block. The products may
// exceed int64.
func proportional(a, b result.Cell) bool {
	product := func(n, blocks int64) *big.Int { return new(big.Int).Mul(big.NewInt(n), big.NewInt(blocks)) }
	return product(a.N, b.Blocks).Cmp(product(b.N, a.Blocks)) == 0
}
