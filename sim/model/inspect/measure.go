package inspect

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"mcsim/sim/base/elementary"
)

// Options say how queries meet keys.
type Options struct {
	Scale   float64 // what q·k is multiplied by
	Paired  bool    // row i of the queries meets only row i of the keys
	Causal  bool    // query i sees the keys 0 to i
	Length  float64 // that rows of queries and keys are scaled to first; 0 leaves them
	Workers int
	Texts   int // that are measured; 0 for one
	Blocks  int // of rows that a text is measured in, one after the other; 0 for one

	// Factor returns what q·k is multiplied by in a row that sees a number of keys, if that is not Scale.
	Factor func(keys int) float64
}

// isAlone reports whether a head has one part, so that errors come from its rows.
func (o Options) isAlone() bool { return max(1, o.Texts)*max(1, o.Blocks) == 1 }

// scales returns the scales that rows are measured under: Scale, and the usual ones.
func (o Options) scales(dimension int) []float64 {
	d := float64(dimension)
	all := []float64{o.Scale}
	for _, usual := range []float64{1, 1 / math.Sqrt(d), 1 / d} {
		if !slices.ContainsFunc(all, func(s float64) bool { return math.Abs(s/usual-1) < 1e-9 }) {
			all = append(all, usual)
		}
	}
	return all
}

// Part is one head of one text.
type Part struct {
	Moments
	softmaxStats
}

// minSize and maxSize bound the largest component: products of queries and keys, and their squares,
// are within float32 then.
const minSize, maxSize = 1e-9, 1e9

// Measure measures the queries and keys of one head: rows of d_k components each. It fails if either has
// fewer than 2 rows, if their dimensions differ, or their numbers of rows and Paired is set, and if the
// scale or the largest component is not within [1e-9, 1e9].
func Measure(q, k Vectors, o Options) (Part, error) {
	switch {
	case q.Dimension != k.Dimension:
		return Part{}, fmt.Errorf("queries have %d components, keys %d", q.Dimension, k.Dimension)
	case o.Paired && q.Rows != k.Rows:
		return Part{}, fmt.Errorf("there are %d queries and %d keys, which cannot be paired", q.Rows, k.Rows)
	case min(q.Rows, k.Rows) < 2:
		return Part{}, errors.New("there is one row; a variance needs two at least")
	case !(q.isInRange() && k.isInRange()):
		return Part{}, fmt.Errorf("the largest component of queries or keys is not between %.0e and %.0e in size",
			minSize, maxSize)
	case !(o.Scale >= minSize && o.Scale <= maxSize):
		return Part{}, fmt.Errorf("q·k is multiplied by %.3g, which is not between %.0e and %.0e", o.Scale, minSize,
			maxSize)
	case o.Paired:
		return Part{Moments: pairedMoments(q, k), softmaxStats: softmaxStats{greatest: math.NaN()}}, nil
	}
	j := newJoint(q, k)
	var p Part
	if o.Causal {
		p.softmaxStats = j.causalSoftmax(q, k, o.scales(q.Dimension))
	} else {
		p.softmaxStats = j.softmax(q, o.scales(q.Dimension), o.Workers)
	}
	p.Moments = j.moments(p.interaction, o.isAlone())
	if o.Causal {
		p.Within = elementary.Sum(p.inside) / float64(len(p.inside))
		p.within = p.rowTerms(p.inside)
	}
	if math.IsInf(p.Variance, 0) || math.IsNaN(p.Variance) {
		return p, errors.New("q·k is beyond float32, or its variance beyond float64")
	}
	return p, nil
}

// isInRange reports whether the largest component is within the bounds, or all are 0.
func (v Vectors) isInRange() bool {
	size := 0.0
	for _, x := range v.Data {
		size = max(size, math.Abs(x))
	}
	return size == 0 || size >= minSize && size <= maxSize
}
