package trust

import (
	"math"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// intervals lists the kinds of intervals whose coverage is counted. Usually it is the interval of
// the estimate of the quantity. If isUnreported is set, the quantity is a standard error from the
// sample, and the interval is the variance ± LevelZ of these standard errors. No experiment reports
// such an interval, since the standard error is not accurate enough if n is small.
var intervals = []struct {
	name, quantity string
	isUnreported   bool
}{
	{name: "mean, exact error", quantity: names.ScoreMean},
	{name: "variance, exact error", quantity: names.ScoreVariance},
	{name: "variance, own error", quantity: names.ScoreVarianceSE, isUnreported: true},
	{name: "variance, error from blocks", quantity: names.ScoreVarianceSEBlocks, isUnreported: true},
	{name: "own error of the variance", quantity: names.ScoreVarianceSE},
	{name: "error from blocks", quantity: names.ScoreVarianceSEBlocks},
	{name: "skewness", quantity: names.ScoreSkewness},
	{name: "excess kurtosis", quantity: names.ScoreExcessKurtosis},
	{name: "unit exponent", quantity: names.UnitExponent},
	{name: "slope", quantity: names.VarianceSlope},
}

// coverage computes the estimates of small runs and counts which intervals contain the exact value.
type coverage struct {
	cell      experiment.Cell // the cell of the calibration
	variance  experiment.Cell // the corresponding cell of the experiment variance
	exponents experiment.Cell // the corresponding cell of the experiment exponents
	scores    []theory.Score  // theory at each dimension of a run
}

// newCoverage returns the coverage for the runs of a cell of the calibration.
func newCoverage(c experiment.Cell) *coverage {
	return &coverage{
		cell:      c,
		variance:  correspondingCell(c, scores.Variance, c.Dimension()),
		exponents: correspondingCell(c, scores.Exponents, c.Dimension()),
		scores: names.Map(runDimensions(c.Dimension()),
			func(d int) theory.Score { return theory.NewScore(c.Distribution(), d) }),
	}
}

// estimates returns the estimates that variance and exponents would return for a run: the estimates
// at its first dimension, and the slope through all its dimensions.
func (v *coverage) estimates(run smallRun) []result.Estimate {
	estimates := scores.VarianceEstimates(v.variance, run[0]).Estimates
	estimates = append(estimates, scores.ExponentEstimates(v.exponents, run[0]).Estimates...)
	var slope experiment.Slope
	for i, s := range v.scores {
		m := run[i].Moments[0]
		d := s.Variance() // the variance of a score is its dimension
		slope.Add(d, m.Variance(), s.VarianceSE(m.N)/d, m.N)
	}
	value, se := slope.FitLine()
	if v.cell.Dimension() > 1 && !math.IsNaN(value) {
		r := v.exponents.Estimate(names.VarianceSlope, pairsPerRun(v.cell), value, se)
		estimates = append(estimates, experiment.Interval(experiment.WithTheory(r, 1)))
	}
	return estimates
}

// countCovered increments counts[i] if intervals[i] of a run contains the exact value.
func (v *coverage) countCovered(run smallRun, counts []int64) {
	varianceError := math.Abs(run[0].Moments[0].Variance() - v.scores[0].Variance())
	for _, r := range v.estimates(run) {
		for i, interval := range intervals {
			if interval.quantity != r.Quantity {
				continue
			}
			var covers bool
			switch {
			case interval.isUnreported:
				covers = varianceError <= experiment.LevelZ*float64(r.Value)
			case r.Level.Present():
				covers = r.Lo <= r.Theory && r.Theory <= r.Hi
			default:
				covers = math.Abs(float64(r.Value-r.Theory)) <= experiment.LevelZ*float64(r.SE)
			}
			if covers {
				counts[i]++
			}
		}
	}
}

// classify returns for each of the intervals whether its coverage is counted, which requires an
// estimate with a standard error, and whether its coverage is declared, which requires that the
// experiment reports the interval. Both depend only on exact moments and the number of pairs, so
// they are the same for all runs of the cell.
func (v *coverage) classify() (isCounted, isDeclared []bool) {
	isCounted, isDeclared = make([]bool, len(intervals)), make([]bool, len(intervals))
	// If a score is a single product of two signs, the mean of n scores lies on a lattice with step
	// 2/n, and s² follows from the mean. Then 95 % intervals cover 94 % to 95 % for any number of
	// pairs, so no coverage is declared.
	isSignProduct := v.cell.Distribution().Name() == names.DistributionRademacher && v.cell.Dimension() == 1
	run := make(smallRun, len(v.scores))
	for i, s := range v.scores {
		run[i] = newTypicalNode(s, pairsPerRun(v.cell))
	}
	for _, r := range v.estimates(run) {
		for i, interval := range intervals {
			if interval.quantity == r.Quantity {
				isCounted[i] = interval.isUnreported || r.SE.Present()
				isDeclared[i] = !interval.isUnreported && r.Level.Present() && !isSignProduct
			}
		}
	}
	return isCounted, isDeclared
}

// newTypicalNode returns a node of n pairs with plausible moments of the scores and of the blocks.
func newTypicalNode(s theory.Score, n int64) moments.Node {
	m := moments.Moments{N: n, Order: moments.MaxOrder}
	m.Sum[2], m.Sum[4] = s.Variance()*float64(n), 4*s.Variance()*s.Variance()*float64(n)
	blocks := moments.Moments{N: n / blockPairs, Order: experiment.ErrorOrder, Mean: s.Variance()}
	blocks.Sum[2], blocks.Sum[4] = float64(blocks.N), 3*float64(blocks.N)
	return moments.Node{Moments: []moments.Moments{m, blocks}}
}
