package inspect

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment/precision"
)

// Options says which products q·k are computed and how they are scaled.
type Options struct {
	Scale   float64 // factor of q·k
	Paired  bool    // query i is multiplied only with key i
	Causal  bool    // query i sees the keys 0 to i
	Length  float64 // length to which queries and keys are normalised; 0 for no normalisation
	Workers int
	Texts   int // number of texts; 0 means 1
	Blocks  int // number of blocks of rows into which a text is divided; 0 means 1

	// Sink is the logit of a sink: an additional key without a value, whose weight is measured. It
	// is nil if there is none. The first key shares the weight with it; all other statistics are of
	// the weights without the sink.
	Sink *float64

	// Format is a number format in which some rows are measured, too. It is nil if there is none.
	Format *precision.Format

	// Factor returns the factor of q·k in a row that sees the given number of keys. It is nil if
	// the factor is always Scale.
	Factor func(keys int) float64
}

// hasOneBlock reports whether a head consists of one text in one block. If so, errors come from the
// rows, otherwise from the scatter between blocks.
func (o Options) hasOneBlock() bool { return max(1, o.Texts)*max(1, o.Blocks) == 1 }

// scales returns the scales under which softmax is measured: Scale, followed by those of 1, 1/√d_k
// and 1/d_k that differ from it.
func (o Options) scales(dimension int) []float64 {
	d := float64(dimension)
	scales := []float64{o.Scale}
	for _, usual := range []float64{1, 1 / math.Sqrt(d), 1 / d} {
		if !slices.ContainsFunc(scales, func(s float64) bool { return math.Abs(s/usual-1) < 1e-9 }) {
			scales = append(scales, usual)
		}
	}
	return scales
}

// HeadText holds the measurements of one head in one text.
type HeadText struct {
	Moments
	softmaxStats
	formatRows []precision.GivenRow // nil without Options.Format
}

// minSize and maxSize bound the absolute value of the largest component, so that float32 can hold
// products of queries and keys and the squares of these products.
const minSize, maxSize = 1e-9, 1e9

// Measure measures the queries and keys of one head, rows × d_k each. It returns an error if either
// has fewer than 2 rows, if their dimensions differ, if Paired is set and their numbers of rows
// differ, or if the scale or the largest component is outside [minSize, maxSize].
func Measure(q, k Vectors, o Options) (HeadText, error) {
	switch {
	case q.Dimension != k.Dimension:
		return HeadText{}, fmt.Errorf("queries have %d components, keys %d", q.Dimension, k.Dimension)
	case o.Paired && q.Rows != k.Rows:
		return HeadText{}, fmt.Errorf("there are %d queries and %d keys, which cannot be paired", q.Rows, k.Rows)
	case min(q.Rows, k.Rows) < 2:
		return HeadText{}, errors.New("there is one row; a variance needs two at least")
	case !(q.isInRange() && k.isInRange()):
		return HeadText{}, fmt.Errorf("the largest component of queries or keys is not between %.0e and %.0e in size",
			minSize, maxSize)
	case !(o.Scale >= minSize && o.Scale <= maxSize):
		return HeadText{}, fmt.Errorf("q·k is multiplied by %.3g, which is not between %.0e and %.0e", o.Scale, minSize,
			maxSize)
	case o.Paired:
		return HeadText{Moments: pairedMoments(q, k),
			softmaxStats: softmaxStats{maxScore: math.NaN(), blockMaxima: newBlockMaxima()}}, nil
	}
	scores := newJoint(q, k)
	var p HeadText
	if o.Causal {
		p.softmaxStats = scores.measureCausalSoftmax(q, k, o)
	} else {
		p.softmaxStats = scores.measureSoftmax(q, o)
	}
	if o.Format != nil {
		p.formatRows = measureFormat(q, k, o)
	}
	p.Moments = scores.newMoments(p.interaction, o.hasOneBlock())
	if o.Causal {
		p.RowVariance = elementary.Sum(p.rowVariances) / float64(len(p.rowVariances))
		p.rowVarianceTerms = p.rowTerms(p.rowVariances)
	}
	if math.IsInf(p.Variance, 0) || math.IsNaN(p.Variance) {
		return p, errors.New("q·k is beyond float32, or its variance beyond float64")
	}
	return p, nil
}

// isInRange reports whether the largest absolute component is in [minSize, maxSize], or all
// components are 0.
func (v Vectors) isInRange() bool {
	size := 0.0
	for _, x := range v.Data {
		size = max(size, math.Abs(x))
	}
	return size == 0 || size >= minSize && size <= maxSize
}
