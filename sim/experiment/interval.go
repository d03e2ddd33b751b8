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

// MaxErrorOfError is the relative error of a standard error up to which an interval is given. Beyond it the
// coverage would not be nominal.
const MaxErrorOfError = 0.10

// LevelZ is the normal quantile of Level, for both sides.
const LevelZ float64 = 1.9599639845400538

// maxIntervalTail is the [theory.TailError] at LevelZ up to which an interval with an exact standard error
// is given. All gates are planned with less. At this limit Edgeworth's
// series has the interval miss on one side by 1.8 %, and by 3.2 % on the other, and cover
// 95.0 to 95.1 % (sum of the terms in the skewness and its square, and in the kurtosis of a
// gamma distribution).
const maxIntervalTail = 0.3

// MaxSkewness bounds the skewness of an estimate with a normal or Student's interval. If its
// error is exact, maxIntervalTail gives the bound. If the relative error of its error is at most
// ε, the skewness |γ|/√n is at most 2ε, since γ² ≤ κ − 1, and dividing by an own error doubles
// that: 0.2 for MaxErrorOfError, and the same for own errors, of which ε is at most 5 %.
const MaxSkewness = 6 * maxIntervalTail / (LevelZ * LevelZ * LevelZ)

// AddExact appends an estimate whose standard error is exact, of numbers that each contribute the given
// skewness. Its interval needs only the normal approximation, which the skewness bounds, so it may have
// one although the error of a sample's own error would be too large. Whether it has one follows from
// the plan and from theory; an estimate of as many numbers as its gate asks for has one.
func (f *CellEstimates) AddExact(r result.Estimate, errorOfError, skewness float64) {
	f.Add(r, exactError(r, errorOfError, skewness))
}

// AddExactDegenerate is AddExact for an estimate that may have no first-order variance.
func (f *CellEstimates) AddExactDegenerate(r result.Estimate, errorOfError, skewness float64) {
	f.AddDegenerate(r, exactError(r, errorOfError, skewness))
}

// exactError returns the error of the standard error that decides about an interval: 0 if the skewness
// allows the normal approximation.
func exactError(r result.Estimate, errorOfError, skewness float64) float64 {
	if theory.TailError(LevelZ, skewness, r.N) <= maxIntervalTail {
		return 0
	}
	return errorOfError
}
