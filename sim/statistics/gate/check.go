package gate

import (
	"math"

	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// IsProportion reports whether the check is of a proportion of counted events. Such a check has its own
// level and uses none of the plan's error rates.
func (c Check) IsProportion() bool {
	return c.Expect == names.ExpectAtLeast || c.Expect == names.ExpectAtMost
}

// Check is one declared test: an estimate must lie inside a band, or outside.
type Check struct {
	Name       string
	Expect     string // names.ExpectInside or another of these
	Experiment string
	Cell       string // id of the cell
	Params     result.Params
	Quantity   string

	// Expected says for n counted numbers what the estimate should be, its exact
	// standard error (NaN where only the estimate's own is known), and the band.
	Expected func(n int64) (theory, se float64, band [2]float64)
	// Tolerance is what the band was made of.
	Tolerance float64
	// NumbersPerUnit is how many numbers the estimate counts for each unit of the cell.
	NumbersPerUnit float64
	// Cells are the ids of the cells that an estimate over several joins, and JoinedSE its
	// standard error when they count the given numbers; nil for one cell.
	Cells    []string
	JoinedSE func(n []int64) float64
	// Skew is the skewness of one number's contribution: the normal
	// approximation of the estimate is off by about |Skew|z³/(6√n) in its tail.
	Skew float64
	// EdgeSERatio is the standard error of the estimate where what it estimates lies
	// on the edge of the band, over that where all is as theory says; the
	// larger of the two if both edges can be passed by mistake. 0 means 1.
	EdgeSERatio float64
	// SingleProductTail is the chance that one product of components alone, or one component, raises
	// the estimate of n numbers by more than rise; nil where that has no part in it. Where
	// tails fall like a power no correction for skewness knows of it.
	SingleProductTail func(n int64, rise float64) float64
	// PlanningSE is the standard error to plan with, where only the estimate's own judges; nil
	// asks for no numbers.
	PlanningSE func(n int64) float64
}

// VarianceEdgeSERatio returns the Edge of an estimate whose standard error is proportional to what it
// estimates, as that of a variance is, for the band 1 ± tolerance.
func VarianceEdgeSERatio(tolerance float64) float64 { return 1 + tolerance }

// edgeSERatio returns Edge, or 1 if it is 0.
func (c Check) edgeSERatio() float64 {
	if c.EdgeSERatio == 0 {
		return 1
	}
	return c.EdgeSERatio
}

// Numbers returns the number of values that the estimate of the given number of units counts.
func (c Check) Numbers(units int64) int64 { return int64(float64(units) * c.NumbersPerUnit) }

// BandAround returns the band center ± half. The conversions prevent the caller's product from being
// fused with the sum.
func BandAround(center, halfWidth float64) [2]float64 {
	return [2]float64{center - float64(halfWidth), center + float64(halfWidth)}
}

// ExpectWithin returns the At of a check that an estimate is within half of want. se is the exact standard
// error, or nil if only the estimate's own is known.
func ExpectWithin(expected, halfWidth float64, se func(n int64) float64) func(int64) (float64, float64, [2]float64) {
	if se == nil {
		se = func(int64) float64 { return math.NaN() }
	}
	return func(n int64) (float64, float64, [2]float64) { return expected, se(n), BandAround(expected, halfWidth) }
}

// Interval returns the confidence interval with tail probability 1 − Φ(z) on each side, corrected
// for skewness (Cornish–Fisher). It uses the standard error for a true value on the edge of the
// band, since such a value must not pass.
func (c Check) Interval(value, se float64, n int64, z float64) (lo, hi float64) {
	quantiles := theory.CornishFisher(z, c.Skew, n)
	se *= c.edgeSERatio()
	return value - float64(quantiles.Upper*se), value + float64(quantiles.Lower*se)
}

// RequiredMargin returns how far the band must extend below and above the expected value of an estimate of n
// numbers, so that the interval with near still lies inside if the estimate is at its quantiles
// for ±far.
func (c Check) RequiredMargin(se float64, n int64, estimateZ, intervalZ float64) (lower, upper float64) {
	estimate, interval := theory.CornishFisher(estimateZ, c.Skew, n), theory.CornishFisher(intervalZ, c.Skew, n)
	edgeRatio := c.edgeSERatio()
	return (estimate.Lower + float64(edgeRatio*interval.Upper)) * se, (estimate.Upper + float64(edgeRatio*interval.Lower)) * se
}

// TailLimit returns the largest NormalError with which a gate of the given tolerance is planned.
func TailLimit(tolerance float64) float64 {
	if tolerance >= 0.05 {
		return 0.3
	}
	return 0.1
}

// Verdict compares an interval with the band.
func (c Check) Verdict(lo, hi float64, band [2]float64) result.Verdict {
	inside := lo >= band[0] && hi <= band[1]
	outside := hi < band[0] || lo > band[1]
	if c.Expect == names.ExpectOutside {
		inside, outside = outside, inside
	}
	switch {
	case inside:
		return result.Pass
	case outside:
		return result.Fail
	}
	return result.Undecided // NaN ends here too
}
