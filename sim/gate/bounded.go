package gate

import (
	"math"

	"mcsim/sim/result"
)

// judgeBounded judges a mean of bounded numbers by limits that hold for every
// law (Hoeffding 1963, see theory.BoundedLimits): no normal approximation, no
// standard error.
func judgeBounded(c Check, row result.Estimate, r Rates) result.Gate {
	_, _, band := c.At(row.N)
	value := float64(row.Value)
	lo, hi := c.Bounded.Limits(value, row.N, r.Beta)
	g := held(c, row, float64(row.SE), lo, hi, band)
	if g.Verdict == result.Fail {
		lo, hi = c.Bounded.Limits(value, row.N, min(r.tail(), r.Beta))
		if c.Verdict(lo, hi, band) != result.Fail {
			g.Verdict = result.Undecided
		}
	}
	if g.Verdict == result.Undecided {
		g.NToDecide = boundedToDecide(c, row, band, r)
	}
	g.DetectableShift = detectable(c, row, r)
	return g
}

// boundedToDecide is the number of rows at which an estimate of this value
// would be decided, nil where none would do.
func boundedToDecide(c Check, row result.Estimate, band [2]float64, r Rates) *int64 {
	tail := r.Beta
	value := float64(row.Value)
	if c.Verdict(value, value, band) == result.Fail {
		tail = min(tail, r.tail())
	}
	n, ok := least(row.N, func(n int64) bool {
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
