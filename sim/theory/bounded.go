package theory

import (
	"math"

	"mcsim/sim/elementary"
)

// The mean x̄ of n independent numbers between 0 and 1 with the expectation μ is
// at x or farther from μ, on the side of x, with a chance of at most
// exp(−n·D(x‖μ)), whatever their law; D(x‖μ) = x ln(x/μ) + (1−x) ln((1−x)/(1−μ))
// (Hoeffding, Probability Inequalities for Sums of Bounded Random Variables,
// Journal of the American Statistical Association 58, 1963, theorem 1).

// BoundedReach is how far below and above its expectation such a mean lies, but
// for a chance of tail on either side.
func BoundedReach(expectation float64, n int64, tail float64) (lo, hi float64) {
	limit := -elementary.Log(tail) / float64(n)
	lo = Farthest(expectation, 0, func(x float64) bool { return divergence(x, expectation) <= limit })
	hi = Farthest(expectation, 1, func(x float64) bool { return divergence(x, expectation) <= limit })
	return lo, hi
}

// BoundedLimits are the expectations that such a mean leaves possible: one below
// lo, or above hi, would give so great, or so small, a mean with a chance below
// tail.
func BoundedLimits(mean float64, n int64, tail float64) (lo, hi float64) {
	limit := -elementary.Log(tail) / float64(n)
	lo = Farthest(mean, 0, func(x float64) bool { return divergence(mean, x) <= limit })
	hi = Farthest(mean, 1, func(x float64) bool { return divergence(mean, x) <= limit })
	return lo, hi
}

// Farthest is the number between from and to, up to its last digits, as near to
// the latter as it is still so.
func Farthest(from, to float64, so func(float64) bool) float64 {
	if so(to) {
		return to
	}
	for range 60 {
		middle := float64(from+to) / 2
		if so(middle) {
			from = middle
		} else {
			to = middle
		}
	}
	return from
}

// divergence is D(x‖y).
func divergence(x, y float64) float64 {
	return relativeTerm(x, y) + relativeTerm(1-x, 1-y)
}

// relativeTerm is x ln(x/y) − x + y, of which −x + y leave nothing in a sum over
// two shares that make up 1, and which is never negative.
func relativeTerm(x, y float64) float64 {
	switch {
	case x == 0:
		return y
	case y == 0:
		return math.Inf(1)
	}
	// With r = (y−x)/x this is x(r − ln(1+r)), which does not cancel.
	r := (y - x) / x
	return float64(x * (r - elementary.Log1p(r)))
}
