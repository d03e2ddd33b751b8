package experiment

import (
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Level is the confidence level of every interval.
const Level = 0.95

// Interval returns the estimate with a normal confidence interval, if it has a standard error.
func Interval(r result.Estimate) result.Estimate {
	if !r.SE.Present() {
		return r
	}
	halfWidth := result.Number(LevelZ * float64(r.SE))
	r.Lo, r.Hi, r.Level = r.Value-halfWidth, r.Value+halfWidth, Level
	return r
}

// MaxErrorOfError is the largest relative error of a standard error with which an estimate has an
// interval. Above it the coverage would not be nominal.
const MaxErrorOfError = 0.10

// LevelZ is the normal quantile of Level, for both sides.
const LevelZ float64 = 1.9599639845400538

// maxIntervalTail is the largest [theory.TailError] at LevelZ with which an estimate with an exact
// standard error has an interval. All gates are planned with less. At this limit, by Edgeworth's
// series, the interval misses on one side with 1.8 % and on the other with 3.2 %, and covers 95.0
// to 95.1 % (the terms in the skewness and its square, and in the kurtosis of a gamma
// distribution).
const maxIntervalTail = 0.3

// MaxSkewness bounds the skewness of an estimate with a normal or Student's interval. If its
// standard error is exact, maxIntervalTail gives the bound. If the relative error of the standard
// error is at most ε, the skewness |γ|/√n is at most 2ε, since γ² ≤ κ − 1; a standard error from
// the sample doubles this. The result is 0.2 for MaxErrorOfError, and also for standard errors from
// the sample, with ε ≤ 5 %.
const MaxSkewness = 6 * maxIntervalTail / (LevelZ * LevelZ * LevelZ)

// AddExact appends an estimate whose standard error is exact. skewness is the skewness of one
// number. The interval needs only the normal approximation, which the skewness bounds, so the
// estimate can have one even if the error of a standard error from the sample would be too large.
// The plan and theory determine whether it has one; an estimate with the numbers that its gate
// requires always has one.
func (f *CellEstimates) AddExact(r result.Estimate, errorOfError, skewness float64) {
	f.Add(r, errorOfExact(r, errorOfError, skewness))
}

// AddExactDegenerate is like AddExact, for an estimate that may have no first-order variance.
func (f *CellEstimates) AddExactDegenerate(r result.Estimate, errorOfError, skewness float64) {
	f.AddDegenerate(r, errorOfExact(r, errorOfError, skewness))
}

// errorOfExact returns 0 if the skewness allows the normal approximation, and errorOfError
// otherwise.
func errorOfExact(r result.Estimate, errorOfError, skewness float64) float64 {
	if theory.TailError(LevelZ, skewness, r.N) <= maxIntervalTail {
		return 0
	}
	return errorOfError
}
