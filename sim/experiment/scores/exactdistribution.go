package scores

import (
	"fmt"
	"math"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// Are the scores of normal components of their exact distribution, and not only of its variance?
// They are counted in parts that are equally likely by that distribution, and the largest
// difference between the shares below the edges of the parts and what they should be is a
// Kolmogorov distance, of a known distribution if they are.

// parts is how many parts scores are counted in.
const parts = 256

// guides is how many steps a partition's guide has.
const guides = 8192

// partition says in which part a score lies.
type partition struct {
	edges     [parts - 1]float64 // between the parts, of scores
	low, rate float64            // of the guide's steps: where they begin, and how many a unit has
	guide     [guides + 1]uint8
}

// newPartition parts the scores of normal components of dimension d.
func newPartition(d int) *partition {
	p := &partition{}
	root := math.Sqrt(float64(d))
	for i, q := range theory.ScoreQuantiles(d, parts) {
		p.edges[i] = float64(q * root)
	}
	last := p.edges[len(p.edges)-1]
	p.low = p.edges[0]
	p.rate = guides / (last - p.low)
	part := 0
	for i := range p.guide {
		for part < len(p.edges) && p.step(p.edges[part]) < i {
			part++
		}
		p.guide[i] = uint8(part)
	}
	return p
}

// step returns the guide's step of a score between the outermost edges.
func (p *partition) step(score float64) int {
	return int(float64((score - p.low) * p.rate))
}

// partOf returns the number of edges that a score is not below. The guide knows how many lie in
// steps before the score's; in one step there are hardly ever more than one.
func (p *partition) partOf(score float64) int {
	switch {
	case !(score >= p.low):
		return 0
	case score >= p.edges[parts-2]:
		return parts - 1
	}
	part := int(p.guide[p.step(score)])
	for score >= p.edges[part] {
		part++
	}
	return part
}

// minInPart is how many scores a part must have on average for the statistic to have
// the distribution that it is held against.
const minInPart = 5

// addExactDistribution adds the statistic, its 95 % limit and its p-value, which are no estimates
// and have no interval. Whether they are given follows from the number of pairs.
func addExactDistribution(f *experiment.CellEstimates, c experiment.Cell, h moments.Histogram) {
	n, none := h.Total(), math.NaN()
	statistic, p := none, none
	if n >= minInPart*parts {
		statistic = float64(largestDifference(h) * math.Sqrt(float64(n)))
		p = theory.GridTail(statistic, parts)
	} else {
		f.Warn(c.Estimate(names.ExactKS, n, none, none), fmt.Sprintf("not given: it needs %d pairs", minInPart*parts))
	}
	f.Estimates = append(f.Estimates, c.Estimate(names.ExactKS, n, statistic, none),
		c.Estimate(names.ExactKSLimit, n, theory.GridQuantile(1-experiment.Level, parts), none),
		c.Estimate(names.ExactKSP, n, p, none))
}

// largestDifference returns the largest between the share of scores below an edge and its
// chance.
func largestDifference(h moments.Histogram) float64 {
	total := float64(h.Total())
	var below int64
	largest := 0.0
	for j := 1; j < parts; j++ {
		if i := j - 1 - h.FirstBin; i >= 0 && i < len(h.Counts) {
			below += h.Counts[i]
		}
		largest = max(largest, math.Abs(float64(float64(below)/total)-float64(float64(j)*(1.0/parts))))
	}
	return largest
}
