package gate

import (
	"math"

	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// IsProportion reports whether the check is on a proportion of counted events. Such a check has the
// fixed error rate ProportionTail and ignores the plan's error rates.
func (c Check) IsProportion() bool {
	return c.Expect == names.ExpectAtLeast || c.Expect == names.ExpectAtMost
}

// Check is one declared test: an estimate must lie inside a band, or outside it.
type Check struct {
	Name       string
	Expect     string // one of the constants names.Expect…
	Experiment string
	Cell       string // ID of the cell
	Params     result.Params
	Quantity   string

	// Expected returns the theoretical value for n numbers, the exact standard error of the
	// estimate (NaN if it is not known), and the band.
	Expected func(n int64) (theory, se float64, band [2]float64)
	// Tolerance is the declared tolerance, which determines the band.
	Tolerance float64
	// NumbersPerUnit is the number of numbers that the estimate counts for each unit of the cell.
	NumbersPerUnit float64
	// Cells holds the IDs of the cells that a joint estimate combines. JoinedSE returns the
	// standard error of the joint estimate if the i-th of these cells has n[i] numbers. Both are
	// nil for an estimate of one cell.
	Cells    []string
	JoinedSE func(n []int64) float64
	// Skew is the skewness of the contribution of one number. The relative error of the normal tail
	// of the estimate is about |Skew|z³/(6√n).
	Skew float64
	// EdgeSERatio is the standard error for a quantity on the edge of the band over the standard
	// error for the theoretical value. If a quantity on either edge may pass by mistake, it is the
	// larger of the two ratios. The value 0 means 1.
	EdgeSERatio float64
	// SingleProductTail returns the probability that one product of components, or one component,
	// alone raises the estimate of n numbers by more than rise. It is nil if this cannot matter.
	// The correction for skewness does not include such rises if tails fall like a power.
	SingleProductTail func(n int64, rise float64) float64
	// PlanningSE returns the standard error to plan with if the exact one is not known. If it is
	// nil, the check does not require any number.
	PlanningSE func(n int64) float64
}

// VarianceEdgeSERatio returns the EdgeSERatio for the band 1 ± tolerance and an estimate whose
// standard error is proportional to the estimated quantity, such as a variance.
func VarianceEdgeSERatio(tolerance float64) float64 { return 1 + tolerance }

// edgeSERatio returns EdgeSERatio, or 1 if it is 0.
func (c Check) edgeSERatio() float64 {
	if c.EdgeSERatio == 0 {
		return 1
	}
	return c.EdgeSERatio
}

// Numbers returns the number of numbers that the estimate counts for the given number of units.
func (c Check) Numbers(units int64) int64 { return int64(float64(units) * c.NumbersPerUnit) }

// BandAround returns the band center ± halfWidth. If the caller computes halfWidth as a product,
// the conversions prevent the compiler from fusing it with the sum.
func BandAround(center, halfWidth float64) [2]float64 {
	return [2]float64{center - float64(halfWidth), center + float64(halfWidth)}
}

// ExpectWithin returns the function Expected of a check that an estimate is within halfWidth of
// expected. se returns the exact standard error; it is nil if the exact standard error is not
// known.
func ExpectWithin(expected, halfWidth float64, se func(n int64) float64) func(int64) (float64, float64, [2]float64) {
	if se == nil {
		se = func(int64) float64 { return math.NaN() }
	}
	return func(n int64) (float64, float64, [2]float64) { return expected, se(n), BandAround(expected, halfWidth) }
}

// Interval returns the confidence interval with tail probability 1 − Φ(z) on each side, where Φ is
// the normal distribution function, corrected for skewness (Cornish–Fisher). It uses the standard
// error for a quantity on the edge of the band, since such a quantity must not pass.
func (c Check) Interval(value, se float64, n int64, z float64) (lo, hi float64) {
	quantiles := theory.CornishFisher(z, c.Skew, n)
	se *= c.edgeSERatio()
	return value - float64(quantiles.Upper*se), value + float64(quantiles.Lower*se)
}

// RequiredMargin returns how far the band must extend below and above the expected value of an
// estimate of n numbers. With these margins the interval, whose half-width is intervalZ standard
// errors, is inside the band even if the estimate is at its quantile at −estimateZ or estimateZ.
func (c Check) RequiredMargin(se float64, n int64, estimateZ, intervalZ float64) (lower, upper float64) {
	estimate, interval := theory.CornishFisher(estimateZ, c.Skew, n), theory.CornishFisher(intervalZ, c.Skew, n)
	edgeRatio := c.edgeSERatio()
	return (estimate.Lower + float64(edgeRatio*interval.Upper)) * se,
		(estimate.Upper + float64(edgeRatio*interval.Lower)) * se
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
	return result.Undecided // also for NaN
}
