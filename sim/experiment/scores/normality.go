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

// The distance of the distribution F of a score from the normal distribution Φ with the variance
// d_k is sup |F − Φ|. The supremum of a sample is biased upwards by the scatter of the sample. But
// for normal components the position of the supremum is known, and the difference F − Φ at this
// position has an unbiased estimate. The estimate can be negative, so it is called a difference and
// not a distance.

// newNormality returns the exact difference between the distribution of the cell's scores and the
// normal distribution, or false if the components are not normal.
func newNormality(c experiment.Cell) (theory.Normality, bool) {
	if c.Distribution() != distribution.Normal {
		return theory.Normality{}, false
	}
	return theory.NewNormality(c.Dimension()), true
}

// pairShape returns the shape of the nodes of pairs, which newScoreCounter determines.
func pairShape(c experiment.Cell) experiment.Shape {
	if c.Distribution() != distribution.Normal {
		return experiment.Shape{}
	}
	return experiment.Shape{Counts: 1, Histograms: 1, Bins: partCount}
}

// newScoreCounter returns a function that adds counts of a block's scores to its node: the number
// of scores inside ±Threshold·√d, and a histogram of the parts of the exact distribution. If
// hasNext is true, the function continues the histogram with the next block. If the components are
// not normal, it adds nothing.
func newScoreCounter(c experiment.Cell) func(n *moments.Node, scores []float64, hasNext bool) {
	exact, ok := newNormality(c)
	if !ok {
		return func(*moments.Node, []float64, bool) {}
	}
	bound := exact.Threshold * math.Sqrt(float64(c.Dimension()))
	partition := newPartition(c.Dimension())
	counts := make([]int64, partCount)
	return func(n *moments.Node, scores []float64, hasNext bool) {
		inside := int64(len(scores))
		for _, s := range scores {
			// Subtract the sign bit, since a branch would often be mispredicted.
			inside -= int64(math.Float64bits(bound-math.Abs(s)) >> 63)
			counts[partition.partOf(s)]++
		}
		n.Counts = []int64{inside}
		if !hasNext {
			n.Histograms = []moments.Histogram{{Counts: slices.Clone(counts)}}
			clear(counts)
		}
	}
}

// addNormality adds the estimate (p − p₀)/2 of F − Φ at the known position, where p is the
// proportion of scores inside ±Threshold·√d, and p₀ its value for the normal distribution. It also
// adds the test of the exact distribution.
func addNormality(f *experiment.CellEstimates, c experiment.Cell, n moments.Node) {
	exact, ok := newNormality(c)
	if !ok || len(n.Counts) == 0 || len(n.Histograms) == 0 {
		return
	}
	pairs := n.Moments[0].N
	inside := float64(n.Counts[0]) / float64(pairs)
	r := c.Estimate("normal_difference", pairs, (inside-exact.NormalInside)/2, exact.DistanceSE(pairs))
	r = experiment.WithTheory(r, exact.Distance)
	r.TheoryKind = names.TheoryQuadrature
	// ½√((κ − 1)/n) of a binomial count
	errorOfError := math.Abs(1-2*exact.Inside) / math.Sqrt(exact.Inside*(1-exact.Inside)*float64(pairs)) / 2
	f.Add(r, errorOfError)
	addExactDistribution(f, c, n.Histograms[0])
}
