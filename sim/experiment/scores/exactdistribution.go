package scores

import (
	"fmt"
	"math"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// The statistic exact_ks tests whether the n scores of normal components have their exact
// distribution. A partition divides the scores into parts with equal probabilities; an edge is a
// score between two parts. The statistic is √n times the largest difference, over the edges,
// between the proportion of scores below an edge and its expected value. This is a Kolmogorov
// distance on a grid, whose distribution is known.

// partCount is the number of parts.
const partCount = 256

// guideSteps is the number of steps of the guide of a partition, a table for the search of a part.
const guideSteps = 8192

// partition finds the part of a score.
type partition struct {
	edges     [partCount - 1]float64 // in ascending order
	low, rate float64                // score at which the first step starts, and steps per unit of score
	guide     [guideSteps + 1]uint8  // number of edges before each step
}

// newPartition returns the partition for scores of vectors with d normal components.
func newPartition(d int) *partition {
	p := &partition{}
	sd := math.Sqrt(float64(d))
	for i, q := range theory.ScoreQuantiles(d, partCount) {
		p.edges[i] = float64(q * sd)
	}
	last := p.edges[len(p.edges)-1]
	p.low = p.edges[0]
	p.rate = guideSteps / (last - p.low)
	part := 0
	for i := range p.guide {
		for part < len(p.edges) && p.step(p.edges[part]) < i {
			part++
		}
		p.guide[i] = uint8(part)
	}
	return p
}

// step returns the step of the guide for a score between the first and the last edge.
func (p *partition) step(score float64) int {
	return int(float64((score - p.low) * p.rate))
}

// partOf returns the part of a score, which is the number of edges that are at most the score. It
// starts with the number of edges before the step of the score, and compares the score with the few
// edges in the step.
func (p *partition) partOf(score float64) int {
	switch {
	case !(score >= p.low):
		return 0
	case score >= p.edges[partCount-2]:
		return partCount - 1
	}
	part := int(p.guide[p.step(score)])
	for score >= p.edges[part] {
		part++
	}
	return part
}

// minScoresPerPart is the smallest expected number of scores in a part with which the statistic
// nearly has its asymptotic distribution.
const minScoresPerPart = 5

// addExactDistribution adds the statistic, its 95 % limit and its p-value, without intervals. The
// statistic and the p-value are absent if there are too few pairs.
func addExactDistribution(f *experiment.CellEstimates, c experiment.Cell, h moments.Histogram) {
	n, nan := h.Total(), math.NaN()
	statistic, p := nan, nan
	if n >= minScoresPerPart*partCount {
		statistic = float64(largestDifference(h) * math.Sqrt(float64(n)))
		p = theory.GridTail(statistic, partCount)
	} else {
		f.Warn(c.Estimate(names.ExactKS, n, nan, nan),
			fmt.Sprintf("not given: it needs %d pairs", minScoresPerPart*partCount))
	}
	f.Estimates = append(f.Estimates, c.Estimate(names.ExactKS, n, statistic, nan),
		c.Estimate(names.ExactKSLimit, n, theory.GridQuantile(1-experiment.Level, partCount), nan),
		c.Estimate(names.ExactKSP, n, p, nan))
}

// largestDifference returns the largest difference, over the edges, between the proportion of
// scores below an edge and its expected value. h counts the scores of each part.
func largestDifference(h moments.Histogram) float64 {
	total := float64(h.Total())
	var countBelow int64
	largest := 0.0
	for partsBelow := 1; partsBelow < partCount; partsBelow++ {
		if i := partsBelow - 1 - h.FirstBin; i >= 0 && i < len(h.Counts) {
			countBelow += h.Counts[i]
		}
		expected := float64(float64(partsBelow) * (1.0 / partCount))
		largest = max(largest, math.Abs(float64(float64(countBelow)/total)-expected))
	}
	return largest
}
