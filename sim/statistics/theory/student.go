package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// StudentQuantile is the t > 0 beyond which a Student variable of ν degrees of
// freedom lies with the chance tail < ½: t² = ν(1−x)/x with x the beta variable
// of ν/2 and ½ that is smaller with the chance 2·tail.
func StudentQuantile(tail, freedom float64) float64 {
	x := elementary.BetaQuantile(2*tail, freedom/2, 0.5)
	return math.Sqrt(freedom * (1 - x) / x)
}

// StudentScore returns the size that a standard normal number exceeds with the chance with which
// a Student variable of ν degrees of freedom exceeds t ≥ 0 in size. It is at most 38.5, the
// score of 2^-1074, since float64 holds no smaller chance.
func StudentScore(t, freedom float64) float64 {
	tail := elementary.Beta(freedom/(freedom+float64(t*t)), freedom/2, 0.5) / 2
	return -elementary.Quantile(max(tail, 0x1p-1074))
}

// VarianceLimits are the limits of a variance of which ν degrees of freedom of
// normal numbers show the given value, each missed with the chance tail: ν/χ²
// times the value, with Wilson and Hilferty's quantiles of χ² (The Distribution of
// Chi-Square, Proceedings of the National Academy of Sciences 17, 1931), which
// for tails of 2.5 % are off by less than 0.4 % from ν = 15 on, 0.02 % from 255.
func VarianceLimits(value, freedom, tail float64) (lo, hi float64) {
	z := -elementary.Quantile(tail)
	over := func(z float64) float64 {
		part := 2 / (9 * freedom)
		root := 1 - part + float64(z*math.Sqrt(part))
		return float64(root * root * root)
	}
	return value / over(z), value / over(-z)
}
