package scores

import (
	"fmt"
	"math"
	"slices"

	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/theory"
)

// Are the scores of normal components of their exact law, and not only of its variance?
// They are counted in parts that are equally likely by that law, and the largest
// difference between the shares below the edges of the parts and what they should be is a
// Kolmogorov distance, of a known distribution if they are.

// parts is how many parts scores are counted in.
const parts = 256

// partition is the edges between the parts that scores are counted in.
type partition []float64

// newPartition parts the scores of normal components of dimension d.
func newPartition(d int) partition {
	edges := slices.Clone(theory.ScoreQuantiles(d, parts))
	for i := range edges {
		edges[i] *= math.Sqrt(float64(d))
	}
	return edges
}

// of is the number of edges that a score is not below.
func (p partition) of(score float64) int {
	low := 0
	for size := parts / 2; size > 0; size /= 2 { // parts is a power of two
		if score >= p[low+size-1] {
			low += size
		}
	}
	return low
}

// leastInPart is how many scores a part must have on average for the statistic to have
// the distribution that it is held against.
const leastInPart = 5

// addExactLaw adds the statistic, its 95 % limit and its p-value, which are no estimates
// and have no interval. Whether they are given follows from the number of pairs.
func addExactLaw(f *experiment.Findings, c experiment.Cell, h moments.Histogram) {
	n, none := h.Total(), math.NaN()
	statistic, p := none, none
	if n >= leastInPart*parts {
		statistic = float64(largestDifference(h) * math.Sqrt(float64(n)))
		p = theory.GridTail(statistic, parts)
	} else {
		f.Warn(c.Row(names.ExactKS, n, none, none), fmt.Sprintf("not given: it needs %d pairs", leastInPart*parts))
	}
	f.Rows = append(f.Rows, c.Row(names.ExactKS, n, statistic, none),
		c.Row(names.ExactKSLimit, n, theory.GridQuantile(1-experiment.Level, parts), none),
		c.Row(names.ExactKSP, n, p, none))
}

// largestDifference is the largest between the share of scores below an edge and its
// chance.
func largestDifference(h moments.Histogram) float64 {
	total := float64(h.Total())
	var below int64
	most := 0.0
	for j := 1; j < parts; j++ {
		if i := j - 1 - h.From; i >= 0 && i < len(h.Counts) {
			below += h.Counts[i]
		}
		most = max(most, math.Abs(float64(float64(below)/total)-float64(float64(j)*(1.0/parts))))
	}
	return most
}
