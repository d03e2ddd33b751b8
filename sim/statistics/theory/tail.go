package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Reach is how far an estimate's error reaches to either side, in standard
// errors.
type Reach struct{ Lower, Upper float64 }

// CornishFisher are the quantiles at ±z of the error of an estimate that
// averages n numbers of the given skewness: with g = skew/√n, Cornish and
// Fisher's first correction puts the upper one at z + g(z²−1)/6 and the lower
// one at −z + g(z²−1)/6 (Moments and Cumulants in the Specification of
// Distributions, Revue de l'Institut International de Statistique 5, 1938).
func CornishFisher(z, skew float64, n int64) Reach {
	shift := float64(skew*(float64(z*z)-1)) / (6 * math.Sqrt(float64(n)))
	return Reach{z - shift, z + shift}
}

// TailError is the size |skew|z³/(6√n) by which the tail of such an estimate
// at z differs from the normal one, relative to it, before the correction.
func TailError(z, skew float64, n int64) float64 {
	return math.Abs(skew) * z * z * z / (6 * math.Sqrt(float64(n)))
}

// ClopperPearson are the exact limits of a probability after k of n trials
// came out: below lo, as many as k would come with a chance of less than tail;
// above hi, as few (Clopper and Pearson, The Use of Confidence or Fiducial
// Limits Illustrated in the Case of the Binomial, Biometrika 26, 1934).
func ClopperPearson(k, n int64, tail float64) (lo, hi float64) {
	if k < 0 || k > n || n < 1 {
		panic("theory: ClopperPearson wants 0 ≤ k ≤ n and n ≥ 1")
	}
	lo, hi = 0, 1
	if k > 0 {
		lo = elementary.BetaQuantile(tail, float64(k), float64(n-k+1))
	}
	if k < n {
		hi = 1 - elementary.BetaQuantile(tail, float64(n-k), float64(k+1))
	}
	return lo, hi
}
