package scores

import (
	"fmt"
	"math"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// The statistic exact_ks tests whether the scores of normal components have their exact
// distribution. The scores are counted in parts with equal probabilities. The statistic is the
// largest difference between the proportion of scores below an edge and its probability, times √n:
// a Kolmogorov distance on a grid, whose distribution is known.

// partCount is the number of parts.
const partCount = 256

// guideSteps is the number of steps of a partition's guide.
const guideSteps = 8192

// partition finds the part of a score.
type partition struct {
	edges     [partCount - 1]float64 // scores between the parts
	low, rate float64                // of the guide: start of its steps, and steps per unit of score
	guide     [guideSteps + 1]uint8  // number of edges before each step
}

// newPartition returns the partition for scores of normal components of dimension d.
func newPartition(d int) *partition {
	p := &partition{}
	root := math.Sqrt(float64(d))
	for i, q := range theory.ScoreQuantiles(d, partCount) {
		p.edges[i] = float64(q * root)
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

// step returns the guide's step of a score between the first and the last edge.
func (p *partition) step(score float64) int {
	return int(float64((score - p.low) * p.rate))
}

// partOf returns the number of edges that are at most the score. The guide has the number of edges
// before the score's step; a step rarely has more than one edge.
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

// minScoresPerPart is the smallest mean number of scores in a part with which the statistic has its
// asymptotic distribution.
const minScoresPerPart = 5

// addExactDistribution adds the statistic, its 95 % limit and its p-value, without intervals. They
// are absent if there are too few pairs.
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

// largestDifference returns the largest difference between the proportion of scores below an edge
// and its probability.
func largestDifference(h moments.Histogram) float64 {
	total := float64(h.Total())
	var countBelow int64
	largest := 0.0
	for j := 1; j < partCount; j++ {
		if i := j - 1 - h.FirstBin; i >= 0 && i < len(h.Counts) {
			countBelow += h.Counts[i]
		}
		largest = max(largest, math.Abs(float64(float64(countBelow)/total)-float64(float64(j)*(1.0/partCount))))
	}
	return largest
}
