package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Quantiles holds the distances from 0 to a lower and to an upper quantile of an estimate's error,
// in standard errors. Both are positive unless the skewness is extreme.
type Quantiles struct{ Lower, Upper float64 }

// CornishFisher returns the quantiles at ±z of the error of the mean of n numbers of the given
// skewness. With g = skew/√n, Cornish and Fisher's first correction moves the upper one to
// z + g(z²−1)/6 and the lower one to −z + g(z²−1)/6 (Moments and Cumulants in the Specification of
// Distributions, Revue de l'Institut International de Statistique 5, 1938).
func CornishFisher(z, skew float64, n int64) Quantiles {
	shift := float64(skew*(float64(z*z)-1)) / (6 * math.Sqrt(float64(n)))
	return Quantiles{z - shift, z + shift}
}

// TailError returns |skew|z³/(6√n), the relative error of the normal tail probability at z for the
// mean of n numbers of the given skewness, without the correction of CornishFisher.
func TailError(z, skew float64, n int64) float64 {
	return math.Abs(skew) * z * z * z / (6 * math.Sqrt(float64(n)))
}

// ClopperPearson returns the exact confidence limits of the probability of success, given k
// successes in n trials. If the probability is below lo, k or more successes are less likely than
// tail. If it is above hi, k or fewer successes are less likely than tail (Clopper and Pearson, The
// Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial, Biometrika 26,
// 1934). It panics unless 0 ≤ k ≤ n and n ≥ 1.
func ClopperPearson(k, n int64, tail float64) (lo, hi float64) {
	if k < 0 || k > n || n < 1 {
		panic("theory: ClopperPearson needs 0 ≤ k ≤ n and n ≥ 1")
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
