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

// intervals are the kinds of interval whose coverage is counted, and the quantity of
// the row that carries each. Of an unprinted one that is the error of the interval, which is
// the variance's: such an error, read off the sample, is not good enough at small n.
var intervals = []struct {
	name, quantity string
	unprinted      bool
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

// coverage makes the rows of small runs.
type coverage struct {
	cell      experiment.Cell
	variance  experiment.Cell // of variance
	scores    []theory.Score  // at each dimension
	exponents experiment.Cell // of exponents
}

// newCoverage returns the cells and theory that the rows of a cell's runs are made with.
func newCoverage(c experiment.Cell) *coverage {
	return &coverage{cell: c, variance: cellOf(c, scores.Variance, c.Dimension()),
		scores: scoresAt(c, runDimensions(c.Dimension())), exponents: cellOf(c, scores.Exponents, c.Dimension())}
}

// rows returns what variance and exponents print of a run.
func (v *coverage) rows(run smallRun) []result.Estimate {
	rows := scores.VarianceEstimates(v.variance, run[0]).Estimates
	rows = append(rows, scores.ExponentEstimates(v.exponents, run[0]).Estimates...)
	var slope experiment.Slope // through the dimensions of the run, as exponents joins cells
	for i, s := range v.scores {
		m := run[i].Moments[0]
		slope.Add(s.Variance(), m.Variance(), s.VarianceSE(m.N)/s.Variance(), m.N)
	}
	if value, se := slope.FitLine(); v.cell.Dimension() > 1 && !math.IsNaN(value) {
		r := v.exponents.Estimate(names.VarianceSlope, pairs(v.cell), value, se)
		rows = append(rows, experiment.Interval(experiment.WithTheory(r, 1)))
	}
	return rows
}

// count adds the intervals of a run that hold the exact value.
func (v *coverage) count(run smallRun, counts []int64) {
	difference := run[0].Moments[0].Variance() - v.scores[0].Variance()
	for _, r := range v.rows(run) {
		for i, interval := range intervals {
			holds := r.Lo <= r.Theory && r.Theory <= r.Hi // as it is printed
			switch {
			case interval.quantity != r.Quantity:
				continue
			case interval.unprinted:
				holds = math.Abs(difference) <= experiment.LevelZ*float64(r.Value)
			case !r.Level.Present():
				holds = math.Abs(float64(r.Value-r.Theory)) <= experiment.LevelZ*float64(r.SE)
			}
			if holds {
				counts[i]++
			}
		}
	}
}

// kinds says which kinds of interval a run of this cell has rows for, and for
// which of them it prints an interval. That hangs on exact moments and on n
// alone, so any run will tell.
func (v *coverage) kinds() (counted, claimed []bool) {
	counted, claimed = make([]bool, len(intervals)), make([]bool, len(intervals))
	// A score of one product of signs has a mean on a lattice of 2/n, and an s² that is 1 less
	// the square of that mean, so that intervals of 95 % cover 94 to 95 % whatever the number of
	// pairs, and nothing is declared.
	oneSign := v.cell.Distribution().Name() == names.DistributionRademacher && v.cell.Dimension() == 1
	run := make(smallRun, len(v.scores))
	for i, s := range v.scores {
		run[i] = typical(s, pairs(v.cell))
	}
	for _, r := range v.rows(run) {
		for i, interval := range intervals {
			if interval.quantity == r.Quantity {
				counted[i] = interval.unprinted || r.SE.Present()
				claimed[i] = !interval.unprinted && r.Level.Present() && !oneSign
			}
		}
	}
	return counted, claimed
}

// typical returns the node of n pairs whose sums are what they are on average.
func typical(s theory.Score, n int64) moments.Node {
	m := moments.Moments{N: n, Order: moments.MaxOrder}
	m.Sum[2], m.Sum[4] = s.Variance()*float64(n), 4*s.Variance()*s.Variance()*float64(n)
	blocks := moments.Moments{N: n / blockPairs, Order: experiment.ErrorOrder, Mean: s.Variance()}
	blocks.Sum[2], blocks.Sum[4] = float64(blocks.N), 3*float64(blocks.N)
	return moments.Node{Moments: []moments.Moments{m, blocks}}
}
