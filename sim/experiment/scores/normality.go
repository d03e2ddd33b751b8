package scores

import (
	"math"

	"mcsim/sim/experiment"
	"mcsim/sim/law"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/theory"
)

// How far the law of the score is from N(0, d_k) is the Kolmogorov distance
// sup |F − Φ|. The sup over a sample is biased upwards by the sample's own
// scatter; but for normal components it is known where the sup is taken, so
// that counting the scores inside of it gives an estimate without bias.

// normalityOf is the exact law of the cell's scores against the normal one;
// false for a law of components whose scores have no known distribution.
func normalityOf(c experiment.Cell) (theory.Normality, bool) {
	if c.Law() != law.Normal {
		return theory.Normality{}, false
	}
	return theory.NormalityOf(c.Dimension()), true
}

// countInside returns what counts a block's scores inside ±At√d, if the cell
// has an At.
func countInside(c experiment.Cell) func(scores []float64) []int64 {
	exact, ok := normalityOf(c)
	if !ok {
		return func([]float64) []int64 { return nil }
	}
	bound := exact.At * math.Sqrt(float64(c.Dimension()))
	return func(scores []float64) []int64 {
		var inside int64
		for _, s := range scores {
			if math.Abs(s) <= bound {
				inside++
			}
		}
		return []int64{inside}
	}
}

// addNormality adds the distance, (share inside − that of N(0, d))/2.
func addNormality(f *experiment.Findings, c experiment.Cell, n moments.Node) {
	exact, ok := normalityOf(c)
	if !ok || len(n.Counts) == 0 {
		return
	}
	pairs := n.Moments[0].N
	r := c.Row(names.NormalKS, pairs, (float64(n.Counts[0])/float64(pairs)-exact.Normal)/2, exact.DistanceSE(pairs))
	r = experiment.Exact(r, exact.Distance)
	r.TheoryKind = names.TheoryQuadrature
	f.Add(r, math.Abs(1-2*exact.Inside)/math.Sqrt(exact.Inside*(1-exact.Inside)*float64(pairs))/2)
}
