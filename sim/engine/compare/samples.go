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

// relate returns the relation between the samples of a cell, or of the cells that a pattern
// includes. The samples of a block depend on seed, attempt, cell, index and kernel only. With the
// same seed, attempt and kernel, the blocks of the smaller run are therefore the first blocks of
// the larger run. Another kernel makes other numbers from the same random bits, so that the
// relation is unknown.
func relate(before, after *result.Document, cell string) SampleRelation {
	switch {
	case before.Seed != after.Seed || attempt(before) != attempt(after):
		return Independent
	case before.Kernel != after.Kernel:
		return Unknown
	}
	oldCells, newCells := cells(before, cell), cells(after, cell)
	if len(oldCells) == 0 || len(newCells) == 0 {
		return Unknown
	}
	newContainsOld, oldContainsNew := hasAllSamples(newCells, oldCells), hasAllSamples(oldCells, newCells)
	switch {
	case newContainsOld && oldContainsNew:
		return Same
	case newContainsOld || oldContainsNew:
		return Nested
	}
	return Unknown
}

// attempt returns the attempt of the document's plan, or 0 if the plan does not have this field.
func attempt(d *result.Document) float64 {
	n, _ := fields(d.Plan)["attempt"].(float64)
	return n
}

// cells returns the cell with the ID, or the cells that a pattern such as variance/normal/d_k=*
// includes.
func cells(d *result.Document, id string) map[string]result.Cell {
	found := map[string]result.Cell{}
	for _, c := range d.Cells {
		if ok, err := path.Match(id, c.ID); c.ID == id || err == nil && ok {
			found[c.ID] = c
		}
	}
	return found
}

// hasAllSamples reports whether the larger set of cells has every sample of the smaller set.
func hasAllSamples(larger, smaller map[string]result.Cell) bool {
	for id, s := range smaller {
		l, ok := larger[id]
		// Blocks of another length have other samples.
		if !ok || l.N < s.N || !haveSameBlockSize(l, s) {
			return false
		}
	}
	return true
}

// haveSameBlockSize reports whether two cells have the same number of units per block. The products
// may exceed int64.
func haveSameBlockSize(a, b result.Cell) bool {
	product := func(n, blocks int64) *big.Int { return new(big.Int).Mul(big.NewInt(n), big.NewInt(blocks)) }
	return product(a.N, b.Blocks).Cmp(product(b.N, a.Blocks)) == 0
}
