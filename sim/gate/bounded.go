package gate

import (
	"math"

	"mcsim/sim/result"
)

// boundedToDecide is the number of rows at which an estimate of this value
// would be decided, nil where none would do.
func boundedToDecide(c Check, value float64, drawn int64, band [2]float64, r Rates) *int64 {
	tail := r.Beta
	if c.Verdict(value, value, band) == result.Fail {
		tail = min(tail, r.tail())
	}
	n, ok := least(drawn, func(n int64) bool {
		lo, hi := c.Bounded.Limits(value, n, tail)
		return c.Verdict(lo, hi, band) != result.Undecided
	})
	if !ok || math.IsNaN(value) {
		return nil
	}
	return &n
}

// boundedEnough reports whether n rows decide the check if all is as theory
// says, but for a chance of α/2G on either side.
func boundedEnough(c Check, n int64, r Rates) bool {
	want, _, band := c.At(n)
	lo, hi := c.Bounded.Reach(want, n, r.tail())
	low, _ := c.Bounded.Limits(lo, n, r.Beta)
	_, high := c.Bounded.Limits(hi, n, r.Beta)
	return c.Verdict(low, high, band) == result.Pass
}

// least is the smallest number from first on that is enough, false if none up
// to maxSamples is.
func least(first int64, enough func(int64) bool) (int64, bool) {
	high := max(first, 2)
	for !enough(high) {
		if high *= 2; high > maxSamples {
			return 0, false
		}
	}
	low := high / 2
	for low+1 < high {
		if mid := low + (high-low)/2; enough(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high, true
}
