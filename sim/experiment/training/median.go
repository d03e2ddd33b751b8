package training

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/result"
)

// An interval between order statistics of n independent numbers holds the median of their
// distribution with a chance that is exact whatever the distribution, but for ties, which make it
// larger (H. A. David, H. N. Nagaraja: Order Statistics, 2003, section 7.1): from the k-th smallest
// to the k-th greatest, 1 − 2·P(B < k) with B binomial of n and ½.

// missed is 2·P(B < k).
func missed(n, k int) float64 {
	chance, sum := math.Ldexp(1, -n), 0.0
	for j := range k {
		sum += chance
		chance = float64(chance*float64(n-j)) / float64(j+1)
	}
	return 2 * sum
}

// rank returns the greatest k for which no more than the given chance is missed, 0 if there is
// none.
func rank(n int, chance float64) int {
	k := 0
	for 2*(k+1) <= n && missed(n, k+1) <= chance {
		k++
	}
	return k
}

// addMedian returns the estimate with the median of numbers, some of which may be infinite, and its
// 95 % interval between order statistics. If the numbers are too few for that, the interval goes
// from the smallest to the largest and has its own level.
func addMedian(r result.Estimate, x []float64) result.Estimate {
	x = slices.Sorted(slices.Values(x))
	if len(x) < 2 {
		return r
	}
	r.N, r.Value, r.SE = int64(len(x)), finite(elementary.Median(x)), result.Absent()
	k := max(rank(len(x), missRate), 1)
	r.Lo, r.Hi, r.Level = finite(x[k-1]), finite(x[len(x)-k]), level(len(x), k)
	return r
}

// level returns that of an interval, in hundredths of a percent and no more than it is.
func level(n, k int) result.Number {
	return result.Number(math.Floor(float64((1-missed(n, k))*1e4)) / 1e4)
}

// finite returns a number, absent if it is infinite or NaN.
func finite(x float64) result.Number {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return result.Absent()
	}
	return result.Number(x)
}
