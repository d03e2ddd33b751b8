package experiment

import (
	"cmp"
	"fmt"
	"math"

	"mcsim/sim/base/moments"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// ErrorOrder is the highest order of moments that [ErrorOfMeanError] requires.
const ErrorOrder = 4

// Estimate returns an estimate of the cell from n units, without an interval and without theory.
func (c Cell) Estimate(quantity string, n int64, value, se float64, extra ...result.Params) result.Estimate {
	return result.Estimate{
		Experiment: c.Experiment.Name, Cell: c.ID, Params: c.Params(extra...), Quantity: quantity,
		Estimator: c.Estimator(), N: n, Value: result.Number(value), SE: result.Number(se),
		Lo: result.Absent(), Hi: result.Absent(), Level: result.Absent(),
		Theory: result.Absent(), TheoryKind: names.TheoryNone,
	}
}

// MeanEstimate returns the estimate of the mean of independent numbers. Its standard error is the
// standard deviation of the sample divided by √N.
func (c Cell) MeanEstimate(quantity string, m moments.Moments, extra ...result.Params) result.Estimate {
	return c.Estimate(quantity, m.N, m.Mean, math.Sqrt(max(m.Variance(), 0)/float64(m.N)), extra...)
}

// MinEvents is the number of units with the event, and also of units without it, that must be
// expected so that a proportion has a standard error.
const MinEvents = 20

// ExpectedProportion does the same as [Cell.Proportion], but omits the standard error if fewer
// than [MinEvents] units with the event, or fewer than MinEvents units without it, are expected.
// expected is the expected proportion.
func (c Cell) ExpectedProportion(quantity string, count, n int64, expected float64,
	extra ...result.Params) result.Estimate {
	r := c.Proportion(quantity, count, n, extra...)
	if float64(min(expected, 1-expected)*float64(n)) < MinEvents {
		r.SE = result.Absent()
	}
	return r
}

// Proportion returns the estimate count/n of a proportion of independent units, with the exact
// limits of a binomial count (Clopper and Pearson 1934).
func (c Cell) Proportion(quantity string, count, n int64, extra ...result.Params) result.Estimate {
	p := float64(count) / float64(n)
	r := c.Estimate(quantity, n, p, math.Sqrt(float64(p*(1-p))/float64(n)), extra...)
	lo, hi := theory.ClopperPearson(count, n, (1-Level)/2)
	r.Lo, r.Hi, r.Level = result.Number(lo), result.Number(hi), Level
	return r
}

// WithTheory returns the estimate with the exact expected value theory, or without an expected
// value if theory is infinite or NaN.
func WithTheory(r result.Estimate, theory float64) result.Estimate {
	r.Theory, r.TheoryKind = result.Number(theory), names.TheoryExact
	if !r.Theory.Present() {
		r.TheoryKind = names.TheoryNone
	}
	return r
}

// Add appends an estimate with a normal confidence interval, or with a warning that says why it has
// no interval. errorOfError is the relative error of the standard error of the estimate; an
// interval requires that it is at most [MaxErrorOfError].
func (f *CellEstimates) Add(r result.Estimate, errorOfError float64) {
	switch { // the first case is known before the sample, so it comes before the cases of the sample
	case math.IsInf(errorOfError, 1) && !r.SE.Present():
		f.Warn(r, "its standard error does not exist: a moment that it needs is infinite")
	case !r.Value.Present():
		f.Warn(r, "the sample does not determine it")
	case r.SE == 0 && r.Value != r.Theory:
		r.SE = result.Absent()
		f.Warn(r, "to first order it does not vary, so its standard error is not known")
	case !r.SE.Present():
		f.Warn(r, "its standard error does not exist: a moment that it needs is infinite")
	case math.IsInf(errorOfError, 1):
		f.Warn(r, "no interval: the error of its standard error does not exist")
	case !(errorOfError <= MaxErrorOfError): // also if it is NaN
		f.Warn(r, fmt.Sprintf("no interval: its standard error is itself known to %.0f %% only", 100*errorOfError))
	default:
		r = Interval(r)
	}
	f.Estimates = append(f.Estimates, r)
}

// Warn adds a warning about an estimate.
func (f *CellEstimates) Warn(r result.Estimate, text string) {
	f.Warnings = append(f.Warnings, result.Warning{Cell: r.Cell, Quantity: r.Quantity, Text: text})
}

// AddWithoutInterval appends an estimate without an interval, and the warning why.
func (f *CellEstimates) AddWithoutInterval(r result.Estimate, why string) {
	f.Warn(r, why)
	f.Estimates = append(f.Estimates, r)
}

// AddConstant appends an estimate of a constant, without an interval, and the warning why. The
// standard error is 0.
func (f *CellEstimates) AddConstant(r result.Estimate, why string) {
	r.SE = 0
	f.AddWithoutInterval(r, why)
}

// Estimator returns the cell's value of EstimatorAxis, or the default if the experiment does not
// have this axis.
func (c Cell) Estimator() string {
	return cmp.Or(c.Value(EstimatorAxis.Name).Name, names.EstimatorDirect)
}

// AddDegenerate does the same as [CellEstimates.Add] for an estimate whose first-order variance may
// be 0, such as the variance of products of two signs. If it is 0, the interval would have no
// width, so the estimate gets a warning instead.
func (f *CellEstimates) AddDegenerate(r result.Estimate, errorOfError float64) {
	size := r.Theory // preferred to the value, on which the presence of an interval should not depend
	if !size.Present() {
		size = r.Value
	}
	if float64(r.SE) <= DegenerateError*math.Abs(float64(size)) {
		f.AddWithoutInterval(r, "no interval: to first order in 1/√n it does not vary")
		return
	}
	f.Add(r, errorOfError)
}

// DegenerateError is the largest relative standard error that is explained by rounding.
const DegenerateError = 1e-7

// ErrorOfMeanError returns ½√((κ − 1)/n), the relative error of the standard error of the mean of n
// independent numbers with the kurtosis κ. Every distribution has κ ≥ 1. A sample can have κ < 1 by
// more than rounding only if its fourth powers underflow; then the result is infinite.
func ErrorOfMeanError(kurtosis float64, n int64) float64 {
	const minKurtosis = 0.99 // 1 with room for rounding
	if !(kurtosis > minKurtosis) {
		return math.Inf(1)
	}
	return math.Sqrt(max(0, kurtosis-1)/float64(n)) / 2
}

// MaxOwnErrorOfError replaces MaxErrorOfError for a standard error from the sample itself. The
// experiment calibration measured the coverage of 95 % intervals with such a standard error: it is
// 94 % if the relative error of the standard error is 5 %, and 95 % if this error is 2 %.
const MaxOwnErrorOfError = 0.02

// MaxMeanErrorOfError replaces MaxOwnErrorOfError for a mean over stacks of layers. In runs of 256
// to 2048 small stacks of every kind, 95 % intervals covered 94.7 % to 95 % up to this limit, and
// 93 % to 94 % at twice the limit.
const MaxMeanErrorOfError = 0.05

// WhyDegenerate is the warning about an estimate of numbers that differ by rounding only.
const WhyDegenerate = "no interval: it does not vary beyond rounding"
