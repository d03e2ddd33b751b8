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

// intervals are the kinds of intervals whose coverage is counted, with the quantity of the
// estimate that has the interval. If isUnprinted is set, the quantity is a standard error from the
// sample, and the interval is the variance ± z times that error. No experiment prints such an
// interval, since the error is not good enough for small n.
var intervals = []struct {
	name, quantity string
	isUnprinted    bool
}{
	{name: "mean, exact error", quantity: names.ScoreMean},
	{name: "variance, exact error", quantity: names.ScoreVariance},
	{"variance, own error", names.ScoreVarianceSE, true},
	{"variance, error from blocks", names.ScoreVarianceSEBlocks, true},
	{name: "own error of the variance", quantity: names.ScoreVarianceSE},
	{name: "error from blocks", quantity: names.ScoreVarianceSEBlocks},
	{name: "skewness", quantity: names.ScoreSkewness},
	{name: "excess kurtosis", quantity: names.ScoreExcessKurtosis},
	{name: "unit exponent", quantity: names.UnitExponent},
	{name: "slope", quantity: names.VarianceSlope},
}

// coverage computes the estimates of small runs.
type coverage struct {
	cell      experiment.Cell // the cell of the calibration
	variance  experiment.Cell // the corresponding cell of the experiment variance
	exponents experiment.Cell // the corresponding cell of the experiment exponents
	scores    []theory.Score  // theory at each dimension of a run
}

// newCoverage returns the cells and the theory for the estimates of the cell's runs.
func newCoverage(c experiment.Cell) *coverage {
	return &coverage{cell: c, variance: correspondingCell(c, scores.Variance, c.Dimension()),
		scores:    newScores(c, runDimensions(c.Dimension())),
		exponents: correspondingCell(c, scores.Exponents, c.Dimension())}
}

// estimates returns the estimates of variance and exponents for a run.
func (v *coverage) estimates(run smallRun) []result.Estimate {
	estimates := scores.VarianceEstimates(v.variance, run[0]).Estimates
	estimates = append(estimates, scores.ExponentEstimates(v.exponents, run[0]).Estimates...)
	var slope experiment.Slope // over the dimensions of the run, as exponents fits it over cells
	for i, s := range v.scores {
		m := run[i].Moments[0]
		slope.Add(s.Variance(), m.Variance(), s.VarianceSE(m.N)/s.Variance(), m.N)
	}
	if value, se := slope.FitLine(); v.cell.Dimension() > 1 && !math.IsNaN(value) {
		r := v.exponents.Estimate(names.VarianceSlope, pairsPerRun(v.cell), value, se)
		estimates = append(estimates, experiment.Interval(experiment.WithTheory(r, 1)))
	}
	return estimates
}

// countCovered adds to counts the intervals of a run that contain the exact value.
func (v *coverage) countCovered(run smallRun, counts []int64) {
	difference := run[0].Moments[0].Variance() - v.scores[0].Variance()
	for _, r := range v.estimates(run) {
		for i, interval := range intervals {
			covers := r.Lo <= r.Theory && r.Theory <= r.Hi // the printed interval
			switch {
			case interval.quantity != r.Quantity:
				continue
			case interval.isUnprinted:
				covers = math.Abs(difference) <= experiment.LevelZ*float64(r.Value)
			case !r.Level.Present():
				covers = math.Abs(float64(r.Value-r.Theory)) <= experiment.LevelZ*float64(r.SE)
			}
			if covers {
				counts[i]++
			}
		}
	}
}

// classify says for which kinds of intervals a run of this cell has estimates, and for which of
// them it prints an interval. Both depend only on exact moments and n, so any run gives the
// answer.
func (v *coverage) classify() (isCounted, isDeclared []bool) {
	isCounted, isDeclared = make([]bool, len(intervals)), make([]bool, len(intervals))
	// If a score is a single product of signs, its mean lies on a lattice of step 2/n, and s² is 1
	// minus the square of that mean. Then 95 % intervals cover 94 to 95 % for any number of pairs,
	// and no coverage is declared.
	oneSign := v.cell.Distribution().Name() == names.DistributionRademacher && v.cell.Dimension() == 1
	run := make(smallRun, len(v.scores))
	for i, s := range v.scores {
		run[i] = newTypicalNode(s, pairsPerRun(v.cell))
	}
	for _, r := range v.estimates(run) {
		for i, interval := range intervals {
			if interval.quantity == r.Quantity {
				isCounted[i] = interval.isUnprinted || r.SE.Present()
				isDeclared[i] = !interval.isUnprinted && r.Level.Present() && !oneSign
			}
		}
	}
	return isCounted, isDeclared
}

// newTypicalNode returns a node of n pairs whose sums have their expected values.
func newTypicalNode(s theory.Score, n int64) moments.Node {
	m := moments.Moments{N: n, Order: moments.MaxOrder}
	m.Sum[2], m.Sum[4] = s.Variance()*float64(n), 4*s.Variance()*s.Variance()*float64(n)
	blocks := moments.Moments{N: n / blockPairs, Order: experiment.ErrorOrder, Mean: s.Variance()}
	blocks.Sum[2], blocks.Sum[4] = float64(blocks.N), 3*float64(blocks.N)
	return moments.Node{Moments: []moments.Moments{m, blocks}}
}
