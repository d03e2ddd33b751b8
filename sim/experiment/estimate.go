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

// ErrorOrder is the order of moments that the error of a mean's standard error requires.
const ErrorOrder = 4

// Estimate returns an estimate of the cell over n units, without interval and theory.
func (c Cell) Estimate(quantity string, n int64, value, se float64, extra ...result.Params) result.Estimate {
	return result.Estimate{
		Experiment: c.Experiment.Name, Cell: c.ID, Params: c.Params(extra...), Quantity: quantity,
		Estimator: c.Estimator(), N: n, Value: result.Number(value), SE: result.Number(se),
		Lo: result.Absent(), Hi: result.Absent(), Level: result.Absent(),
		Theory: result.Absent(), TheoryKind: names.TheoryNone,
	}
}

// MeanEstimate returns the estimate of the mean of independent numbers, with the standard error of
// the sample.
func (c Cell) MeanEstimate(quantity string, m moments.Moments, extra ...result.Params) result.Estimate {
	return c.Estimate(quantity, m.N, m.Mean, math.Sqrt(max(m.Variance(), 0)/float64(m.N)), extra...)
}

// MinEvents is the smallest expected number of events, and of units without the event, with which a
// proportion has a standard error.
const MinEvents = 20

// ExpectedProportion is like [Cell.Proportion], but without a standard error if fewer than
// [MinEvents] events, or other units, are expected.
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

// WithTheory returns the estimate with its exact expected value, or without one if theory is
// infinite or NaN.
func WithTheory(r result.Estimate, theory float64) result.Estimate {
	r.Theory, r.TheoryKind = result.Number(theory), names.TheoryExact
	if !r.Theory.Present() {
		r.TheoryKind = names.TheoryNone
	}
	return r
}

// Add appends an estimate with its interval. If the relative error of its standard error is above
// [MaxErrorOfError], it adds a warning in place of the interval.
func (f *CellEstimates) Add(r result.Estimate, errorOfError float64) {
	switch {
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
	case !(errorOfError <= MaxErrorOfError):
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

// AddWithoutInterval appends an estimate without an interval, and says why it has none.
func (f *CellEstimates) AddWithoutInterval(r result.Estimate, why string) {
	f.Warn(r, why)
	f.Estimates = append(f.Estimates, r)
}

// AddConstant appends an estimate of a constant. It has no sampling error and no interval.
func (f *CellEstimates) AddConstant(r result.Estimate, why string) {
	r.SE = 0
	f.AddWithoutInterval(r, why)
}

// Estimator returns how the variance of the cell is estimated.
func (c Cell) Estimator() string {
	return cmp.Or(c.Value(EstimatorAxis.Name).Name, names.EstimatorDirect)
}

// AddDegenerate is like [CellEstimates.Add], for an estimate that may have no first-order variance,
// such as the variance of products of two signs. Such an estimate gets no interval, since it would
// have no width.
func (f *CellEstimates) AddDegenerate(r result.Estimate, errorOfError float64) {
	size := r.Theory // not the value, since whether there is an interval must not depend on it
	if !size.Present() {
		size = r.Value
	}
	if float64(r.SE) <= DegenerateError*math.Abs(float64(size)) {
		f.AddWithoutInterval(r, "no interval: to first order in 1/√n it does not vary")
		return
	}
	f.Add(r, errorOfError)
}

// DegenerateError is the relative standard error up to which an estimate varies by rounding only.
const DegenerateError = 1e-7

// ErrorOfMeanError returns ½√((κ − 1)/n), the relative error of the standard error of the mean of n
// independent numbers with the kurtosis κ. It is infinite if κ < 1, which happens only if fourth
// powers underflow.
func ErrorOfMeanError(kurtosis float64, n int64) float64 {
	if !(kurtosis > 0.99) {
		return math.Inf(1)
	}
	return math.Sqrt(max(0, kurtosis-1)/float64(n)) / 2
}

// MaxOwnErrorOfError is MaxErrorOfError for a standard error from the sample itself. By the
// experiment calibration, a 95 % interval with such a standard error covers 94 % if its relative
// error is 5 %, and 95 % if it is 2 %.
const MaxOwnErrorOfError = 0.02

// MaxMeanErrorOfError is MaxOwnErrorOfError for a mean over stacks. In runs of 256 to 2048 small
// stacks of every kind, a 95 % interval covered 94.7 % to 95 % up to this limit, and 93 % to 94 %
// at twice the limit.
const MaxMeanErrorOfError = 0.05

// WhyDegenerate is the warning about an estimate of numbers that differ by rounding only.
const WhyDegenerate = "no interval: it does not vary beyond rounding"
