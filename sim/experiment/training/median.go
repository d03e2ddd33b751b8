package training

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/result"
)

// The interval from the k-th smallest to the k-th largest of n independent numbers contains the
// median of their distribution with the probability 1 − 2·P(B < k), where B is binomial with n and
// ½. This is exact for any distribution, except that ties make it larger (H. A. David, H. N.
// Nagaraja: Order Statistics, 2003, section 7.1).

// missProbability returns 2·P(B < k).
func missProbability(n, k int) float64 {
	probability, sum := math.Ldexp(1, -n), 0.0
	for j := range k {
		sum += probability
		probability = float64(probability*float64(n-j)) / float64(j+1)
	}
	return 2 * sum
}

// maxRank returns the largest k for which the interval from the k-th smallest to the k-th largest
// of n numbers misses the median with at most the given probability. It returns 0 if there is no
// such k.
func maxRank(n int, maxMiss float64) int {
	k := 0
	for 2*(k+1) <= n && missProbability(n, k+1) <= maxMiss {
		k++
	}
	return k
}

// withMedian returns the estimate r with the median of values, some of which may be infinite, and
// an interval between order statistics whose level is at least 95 %. If there are too few values
// for this level, the interval extends from the smallest to the largest value. The level of the
// estimate is the exact level of the interval.
func withMedian(r result.Estimate, values []float64) result.Estimate {
	values = slices.Sorted(slices.Values(values))
	if len(values) < 2 {
		return r
	}
	r.N, r.Value, r.SE = int64(len(values)), finiteNumber(elementary.Median(values)), result.Absent()
	k := max(maxRank(len(values), maxMissProbability), 1)
	r.Lo, r.Hi, r.Level = finiteNumber(values[k-1]), finiteNumber(values[len(values)-k]), intervalLevel(len(values), k)
	return r
}

// intervalLevel returns the level of an interval from the k-th smallest to the k-th largest of n
// numbers, rounded down to hundredths of a percent.
func intervalLevel(n, k int) result.Number {
	return result.Number(math.Floor(float64((1-missProbability(n, k))*1e4)) / 1e4)
}

// finiteNumber returns x, or an absent number if x is infinite or NaN.
func finiteNumber(x float64) result.Number {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return result.Absent()
	}
	return result.Number(x)
}
