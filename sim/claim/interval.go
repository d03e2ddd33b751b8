package claim

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Interval is the closed interval [Lo, Hi]. The result of an operation contains the exact results
// for all numbers in its operands, since both ends are rounded outward.
type Interval struct{ Lo, Hi float64 }

// point returns the interval that contains only x.
func point(x float64) Interval { return Interval{x, x} }

// Upper bounds of rounding errors, in units in the last place.
const (
	roundingULPs   = 1 // of an operation that IEEE 754 rounds correctly
	elementaryULPs = 4 // of a function of package elementary, whose tests require a smaller error
)

// widen moves both ends outward by ulps units in the last place.
func (a Interval) widen(ulps int) Interval {
	for range ulps {
		a.Lo, a.Hi = math.Nextafter(a.Lo, math.Inf(-1)), math.Nextafter(a.Hi, math.Inf(1))
	}
	return a
}

// widenRelative widens an interval by a relative error of its larger end.
func (a Interval) widenRelative(relativeError float64) Interval {
	margin := float64(relativeError * max(math.Abs(a.Lo), math.Abs(a.Hi)))
	return Interval{a.Lo - margin, a.Hi + margin}.widen(roundingULPs)
}

func (a Interval) midpoint() float64 { return a.Lo + float64((a.Hi-a.Lo)/2) }

// isFinite reports whether both ends are finite.
func (a Interval) isFinite() bool {
	return !math.IsNaN(a.Lo) && !math.IsNaN(a.Hi) && !math.IsInf(a.Lo, 0) && !math.IsInf(a.Hi, 0)
}

func (a Interval) add(b Interval) Interval {
	return Interval{a.Lo + b.Lo, a.Hi + b.Hi}.widen(roundingULPs)
}
func (a Interval) subtract(b Interval) Interval {
	return Interval{a.Lo - b.Hi, a.Hi - b.Lo}.widen(roundingULPs)
}

// multiply returns the product. Its ends are among the products of the ends.
func (a Interval) multiply(b Interval) Interval {
	p, q, r, s := float64(a.Lo*b.Lo), float64(a.Lo*b.Hi), float64(a.Hi*b.Lo), float64(a.Hi*b.Hi)
	return Interval{min(p, q, r, s), max(p, q, r, s)}.widen(roundingULPs)
}

// divide returns the quotient, or (−∞, ∞) if the divisor contains 0.
func (a Interval) divide(b Interval) Interval {
	if b.Lo <= 0 && b.Hi >= 0 {
		return Interval{math.Inf(-1), math.Inf(1)}
	}
	return a.multiply(Interval{1 / b.Hi, 1 / b.Lo}.widen(roundingULPs))
}

// square returns a². It is narrower than a.multiply(a), whose factors may differ in sign.
func (a Interval) square() Interval {
	p, q := float64(a.Lo*a.Lo), float64(a.Hi*a.Hi)
	lo := min(p, q)
	if a.Lo <= 0 && a.Hi >= 0 {
		return Interval{0, Interval{0, max(p, q)}.widen(roundingULPs).Hi}
	}
	return Interval{lo, max(p, q)}.widen(roundingULPs).clampAtZero()
}

func (a Interval) clampAtZero() Interval { return Interval{max(a.Lo, 0), max(a.Hi, 0)} }

func (a Interval) sqrt() Interval {
	a = a.clampAtZero()
	return Interval{math.Sqrt(a.Lo), math.Sqrt(a.Hi)}.widen(roundingULPs).clampAtZero()
}

func (a Interval) exp() Interval {
	return Interval{elementary.Exp(a.Lo), elementary.Exp(a.Hi)}.widen(elementaryULPs).clampAtZero()
}

// entropy returns −x ln x for x in [0, 1]. The function rises up to x = 1/e and falls after it.
func (a Interval) entropy() Interval {
	evaluate := func(x float64) float64 {
		if x <= 0 {
			return 0
		}
		return -float64(x * elementary.Log(x))
	}
	a = Interval{min(max(a.Lo, 0), 1), min(max(a.Hi, 0), 1)}
	lo, hi := evaluate(a.Lo), evaluate(a.Hi)
	bounds := Interval{min(lo, hi), max(lo, hi)}
	if a.Lo <= 1/math.E && a.Hi >= 1/math.E {
		bounds.Hi = 1 / math.E
	}
	return bounds.widen(elementaryULPs).clampAtZero()
}

func sum(intervals []Interval) (total Interval) {
	for _, a := range intervals {
		total = total.add(a)
	}
	return total
}

// largest returns the interval of the maximum of numbers that lie in the given intervals.
func largest(intervals []Interval) Interval {
	maximum := intervals[0]
	for _, a := range intervals[1:] {
		maximum = Interval{max(maximum.Lo, a.Lo), max(maximum.Hi, a.Hi)}
	}
	return maximum
}
