package experiment

import (
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Level is the confidence level of every interval.
const Level = 0.95

// Interval gives an estimate its confidence interval.
func Interval(r result.Estimate) result.Estimate {
	if !r.SE.Present() {
		return r
	}
	half := result.Number(LevelZ * float64(r.SE))
	r.Lo, r.Hi, r.Level = r.Value-half, r.Value+half, Level
	return r
}

// MaxErrorOfError is the relative error of a standard error above which no
// interval is given: it would not cover what it says.
const MaxErrorOfError = 0.10

// LevelZ is the normal quantile that belongs to Level.
const LevelZ float64 = 1.9599639845400538

// maxIntervalTail is the [theory.TailError] at LevelZ up to which an interval of an exact
// standard error is given: all that a gate is planned with lie below. There Edgeworth's
// series has the interval miss on one side by 1.8 %, and by 3.2 % on the other, and cover
// 95.0 to 95.1 % (sum of the terms in the skewness and its square, and in the kurtosis of a
// gamma distribution).
const maxIntervalTail = 0.3

// MaxSkewness bounds the skewness of an estimate with a normal or Student's interval. If its
// error is exact, maxIntervalTail gives the bound. If the relative error of its error is at most
// ε, the skewness |γ|/√n is at most 2ε, since γ² ≤ κ − 1, and dividing by an own error doubles
// that: 0.2 for MaxErrorOfError, and the same for own errors, of which ε is at most 5 %.
const MaxSkewness = 6 * maxIntervalTail / (LevelZ * LevelZ * LevelZ)

// AddExact adds an estimate whose standard error is exact, of n numbers that each
// contribute the given skewness. Its interval needs the normal approximation alone, which
// the skewness tells of, and so it may have one where the sample's own error would not be
// known: whether it has follows from the plan and from theory, and a row with as many numbers
// as its gate asks for has one.
func (f *CellEstimates) AddExact(r result.Estimate, errorOfError, skewness float64) {
	f.Add(r, exactError(r, errorOfError, skewness))
}

// AddExactDegenerate is AddExact for what may not vary to first order, as AddDegenerate is Add.
func (f *CellEstimates) AddExactDegenerate(r result.Estimate, errorOfError, skewness float64) {
	f.AddDegenerate(r, exactError(r, errorOfError, skewness))
}

// exactError is the error of an error by which the rule for intervals goes: none where the
// skewness vouches for the interval.
func exactError(r result.Estimate, errorOfError, skewness float64) float64 {
	if theory.TailError(LevelZ, skewness, r.N) <= maxIntervalTail {
		return 0
	}
	return errorOfError
}
