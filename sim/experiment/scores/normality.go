package scores

import (
	"math"
	"slices"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// The distance of the score's distribution F from N(0, d_k) is sup |F − Φ|. The supremum over a
// sample is biased upwards by the scatter of the sample. But for normal components the position of
// the supremum is known, and the difference F − Φ at that position has an unbiased estimate. It can
// be negative, so it is called a difference and not a distance.

// newNormality returns the difference between the exact distribution of the cell's scores and the
// normal one; false if the components are not normal.
func newNormality(c experiment.Cell) (theory.Normality, bool) {
	if c.Distribution() != distribution.Normal {
		return theory.Normality{}, false
	}
	return theory.NewNormality(c.Dimension()), true
}

// newScoreCounter returns a function that adds counts of a block's scores to its node: the scores
// inside ±At√d, and those in each part of the exact distribution, which it keeps for the next block
// if hasNext is true. It adds nothing if the exact distribution is unknown.
func newScoreCounter(c experiment.Cell) func(n *moments.Node, scores []float64, hasNext bool) {
	exact, ok := newNormality(c)
	if !ok {
		return func(*moments.Node, []float64, bool) {}
	}
	bound := exact.Threshold * math.Sqrt(float64(c.Dimension()))
	partition := newPartition(c.Dimension())
	counts := make([]int64, partCount)
	return func(n *moments.Node, scores []float64, more bool) {
		inside := int64(len(scores))
		for _, s := range scores {
			// Add the sign bit, since a branch would often be mispredicted.
			inside -= int64(math.Float64bits(bound-math.Abs(s)) >> 63)
			counts[partition.partOf(s)]++
		}
		n.Counts = []int64{inside}
		if !more {
			n.Histograms = []moments.Histogram{{Counts: slices.Clone(counts)}}
			clear(counts)
		}
	}
}

// addNormality adds the difference at the known position: (proportion inside − that of N(0, d))/2.
func addNormality(f *experiment.CellEstimates, c experiment.Cell, n moments.Node) {
	exact, ok := newNormality(c)
	if !ok || len(n.Counts) == 0 || len(n.Histograms) == 0 {
		return
	}
	pairs := n.Moments[0].N
	r := c.Estimate("normal_difference", pairs, (float64(n.Counts[0])/float64(pairs)-exact.NormalInside)/2,
		exact.DistanceSE(pairs))
	r = experiment.WithTheory(r, exact.Distance)
	r.TheoryKind = names.TheoryQuadrature
	f.Add(r, math.Abs(1-2*exact.Inside)/math.Sqrt(exact.Inside*(1-exact.Inside)*float64(pairs))/2)
	addExactDistribution(f, c, n.Histograms[0])
}
