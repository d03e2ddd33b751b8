package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

var scoreTails, scoreLimits memo[tailPoint, float64]

// tailPoint identifies a cached value. x is a limit in scoreTails and a probability in scoreLimits.
type tailPoint struct {
	d int
	x float64
}

// ScoreTail returns P(|S| > limit) for the score S = q·k of d standard normal components each. The
// relative error is about 10⁻¹⁰; probabilities below 10⁻³⁰⁰ are returned as 0.
func ScoreTail(d int, limit float64) float64 {
	return scoreTails.get(tailPoint{d, limit}, func() float64 { return newScoreTail(d, limit) })
}

// newScoreTail computes ScoreTail. Given q, S is N(0, w) with w = |q|² of the distribution χ²_d, so
// that the tail is E erfc(limit/√(2w)). The integral over u = ln w is taken by the trapezoidal rule
// around the peak of its integrand. For the peak, erfc is approximated by its exponential factor
// exp(−limit²/(2w)). Then the derivative of the integrand's logarithm is 0 at d − w + limit²/w = 0,
// and its second derivative there is −(w + limit²/w)/2.
func newScoreTail(d int, limit float64) float64 {
	if limit <= 0 {
		return 1
	}
	half, limitSquare := float64(float64(d)/2), float64(limit*limit)
	peak := half + math.Sqrt(float64(half*half)+limitSquare) // w of the peak
	step := 0.2 / math.Sqrt((peak+limitSquare/peak)/2)
	middle := elementary.Log(peak)
	logIntegrand := func(i int) float64 {
		u := middle + float64(float64(i)*step)
		w := elementary.Exp(u)
		return float64(half*u) - float64(w/2) + logErfc(limit/math.Sqrt(2*w))
	}
	norm := elementary.LogGamma(half) + float64(half*math.Ln2)
	peakLog, sum := logIntegrand(0), 0.0
	if peakLog-norm < 2*elementary.Log(minTail) {
		return 0 // far below minTail, and steps of u may vanish in rounding
	}
	visitOutward(0, func(i int) bool {
		p := logIntegrand(i) - peakLog
		sum += elementary.Exp(p)
		return p > -40
	})
	tail := elementary.Exp(peakLog - norm + elementary.Log(float64(sum*step)))
	if tail < minTail {
		return 0
	}
	return min(1, tail)
}

// ScoreLimit returns the limit with P(|S| > limit) = p for the score of d normal components each
// and p in (0, 1).
func ScoreLimit(d int, p float64) float64 {
	return scoreLimits.get(tailPoint{d, p}, func() float64 {
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

// minTail is the smallest probability that is not returned as 0.
const minTail = 1e-300

// logErfc returns ln erfc(x) for x ≥ 0, by its asymptotic series if erfc is too small.
func logErfc(x float64) float64 {
	const far = 25
	if x < far {
		return elementary.Log(elementary.Erfc(x))
	}
	y := 1 / float64(2*float64(x*x))
	return -float64(x*x) - elementary.Log(float64(x*math.Sqrt(math.Pi))) +
		elementary.Log1p(-float64(y*(1-float64(3*float64(y*(1-float64(5*y)))))))
}
