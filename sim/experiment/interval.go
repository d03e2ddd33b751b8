package experiment

import (
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Level is the confidence level of every interval.
const Level = 0.95

// Interval returns the estimate with a normal confidence interval if it has a standard error, and
// unchanged otherwise.
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

// LevelZ is the standard normal quantile at (1 + Level)/2, for two-sided intervals.
const LevelZ float64 = 1.9599639845400538

// maxIntervalTail is the largest [theory.TailError] at LevelZ with which an estimate with an exact
// standard error has an interval. All gates are planned with a smaller error. At this limit,
// Edgeworth's series (the terms in the skewness and its square, and in the kurtosis of a gamma
// distribution) gives a coverage of 95.0 % to 95.1 %: the interval misses the true value on one
// side with the probability 1.8 % and on the other side with 3.2 %.
const maxIntervalTail = 0.3

// MaxSkewness bounds the skewness |γ|/√n of an estimate with a normal or Student's interval, where
// γ is the skewness and κ the kurtosis of one of its n numbers. If the standard error is exact, the
// bound follows from maxIntervalTail. If a formula gives the standard error and its relative error
// is at most ε, the skewness is at most 2ε, since γ² ≤ κ − 1; this is 0.2 for ε = MaxErrorOfError.
// A standard error from the sample doubles the skewness; the bound is 0.2 too, since then ε ≤ 5 %.
const MaxSkewness = 6 * maxIntervalTail / (LevelZ * LevelZ * LevelZ)

// AddExact appends an estimate whose standard error is exact. skewness is the skewness of one of
// its numbers. The interval requires only that the normal approximation is good enough, which
// follows from the skewness, so the estimate can have an interval even if the error of a standard
// error from the sample would be too large. Whether it has one depends on the plan and on theory
// only; an estimate from as many numbers as its gate requires always has an interval.
func (f *CellEstimates) AddExact(r result.Estimate, errorOfError, skewness float64) {
	f.Add(r, errorOfExact(r, errorOfError, skewness))
}

// AddExactDegenerate does the same as AddExact for an estimate whose first-order variance may be 0.
func (f *CellEstimates) AddExactDegenerate(r result.Estimate, errorOfError, skewness float64) {
	f.AddDegenerate(r, errorOfExact(r, errorOfError, skewness))
}

// errorOfExact returns 0 if the skewness is so small that the normal approximation is good enough,
// and errorOfError otherwise.
func errorOfExact(r result.Estimate, errorOfError, skewness float64) float64 {
	if theory.TailError(LevelZ, skewness, r.N) <= maxIntervalTail {
		return 0
	}
	return errorOfError
}
