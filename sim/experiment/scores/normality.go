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

// How far the distribution of the score is from N(0, d_k) is the Kolmogorov distance
// sup |F − Φ|. The sup over a sample is biased upwards by the sample's own
// scatter. But for normal components it is known where the sup is taken: the difference
// F − Φ at that one place has an estimate without bias, which can fall below 0. It is
// no distance itself, and is not called one.

// normalityOf returns the exact distribution of the cell's scores against the normal one;
// false for a distribution of components whose scores have no known distribution.
func normalityOf(c experiment.Cell) (theory.Normality, bool) {
	if c.Distribution() != distribution.Normal {
		return theory.Normality{}, false
	}
	return theory.NewNormality(c.Dimension()), true
}

// countDistribution returns what counts a block's scores, if the exact distribution of the cell's
// is known: those inside ±At√d, and those in each part of the exact distribution, which wait for
// those of the next block if more follows that is merged with it.
func countDistribution(c experiment.Cell) func(n *moments.Node, scores []float64, more bool) {
	exact, ok := normalityOf(c)
	if !ok {
		return func(*moments.Node, []float64, bool) {}
	}
	bound := exact.At * math.Sqrt(float64(c.Dimension()))
	partition := newPartition(c.Dimension())
	counts := make([]int64, parts)
	return func(n *moments.Node, scores []float64, more bool) {
		inside := int64(len(scores))
		for _, s := range scores {
			// A sign bit and no branch, which a processor would often guess wrong.
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

// addNormality adds the difference at the place, (share inside − that of N(0, d))/2.
func addNormality(f *experiment.CellEstimates, c experiment.Cell, n moments.Node) {
	exact, ok := normalityOf(c)
	if !ok || len(n.Counts) == 0 || len(n.Histograms) == 0 {
		return
	}
	pairs := n.Moments[0].N
	r := c.Estimate("normal_difference", pairs, (float64(n.Counts[0])/float64(pairs)-exact.Normal)/2,
		exact.DistanceSE(pairs))
	r = experiment.WithTheory(r, exact.Distance)
	r.TheoryKind = names.TheoryQuadrature
	f.Add(r, math.Abs(1-2*exact.Inside)/math.Sqrt(exact.Inside*(1-exact.Inside)*float64(pairs))/2)
	addExactDistribution(f, c, n.Histograms[0])
}
