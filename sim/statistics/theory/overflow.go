package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// scoreTails holds what was asked, by dimension and limit.
var scoreTails memo[scoreLimit, float64]

type scoreLimit struct {
	d  int
	at float64
}

// ScoreTail is P(|S| > limit) of the score S = q·k of d normal components each, to about
// 10⁻¹⁰ of itself, and 0 where it is below 10⁻³⁰⁰.
func ScoreTail(d int, limit float64) float64 {
	return scoreTails.of(scoreLimit{d, limit}, func() float64 { return newScoreTail(d, limit) })
}

// newScoreTail works it out: given q, S is N(0, w) with w = |q|² of the distribution χ²_d, so that
// the tail is E erfc(limit/√(2w)). The integral over u = ln w is taken by the trapezoidal
// rule about the peak of its integrand, which lies far out where the limit does: there
// d − w + limit²/w = 0, and the logarithm has the second derivative −(w + limit²/w)/2 but
// for what erfc adds to its exponential.
func newScoreTail(d int, limit float64) float64 {
	if limit <= 0 {
		return 1
	}
	half, square := float64(float64(d)/2), float64(limit*limit)
	peak := half + math.Sqrt(float64(half*half)+square)
	step := 0.2 / math.Sqrt((peak+square/peak)/2)
	middle := elementary.Log(peak)
	at := func(i int) float64 { // logarithm of the integrand
		u := middle + float64(float64(i)*step)
		w := elementary.Exp(u)
		return float64(half*u) - float64(w/2) + logErfc(limit/math.Sqrt(2*w))
	}
	norm := elementary.LogGamma(half) + float64(half*math.Ln2)
	top, sum := at(0), 0.0
	if top-norm < 2*elementary.Log(leastTail) {
		return 0 // and steps would be too small to tell apart
	}
	outward(0, func(i int) bool {
		p := at(i) - top
		sum += elementary.Exp(p)
		return p > -40
	})
	tail := elementary.Exp(top - norm + elementary.Log(float64(sum*step)))
	if tail < leastTail {
		return 0
	}
	return min(1, tail)
}

// scoreLimits holds what was asked, by dimension and chance.
var scoreLimits memo[scoreLimit, float64]

// ScoreLimit is the limit with P(|S| > limit) = p of the score of d normal components
// each, for p in (0, 1).
func ScoreLimit(d int, p float64) float64 {
	return scoreLimits.of(scoreLimit{d, p}, func() float64 {
		low, high := 0.0, math.Sqrt(float64(d))
		for newScoreTail(d, high) > p {
			low, high = high, 2*high
		}
		for range 50 {
			if middle := float64(0.5 * (low + high)); newScoreTail(d, middle) > p {
				low = middle
			} else {
				high = middle
			}
		}
		return high
	})
}

// leastTail is the least chance that is not called 0.
const leastTail = 1e-300

// logErfc is ln erfc(x) for x ≥ 0, by the first terms of its asymptotic series where erfc
// itself would be too small.
func logErfc(x float64) float64 {
	const far = 25
	if x < far {
		return elementary.Log(elementary.Erfc(x))
	}
	y := 1 / float64(2*float64(x*x))
	return -float64(x*x) - elementary.Log(float64(x*math.Sqrt(math.Pi))) +
		elementary.Log1p(-float64(y*(1-float64(3*float64(y*(1-float64(5*y)))))))
}
