package claim

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Interval is the numbers from Lo to Hi. What is computed of intervals holds all that can be
// computed of numbers in them: each end is rounded outward.
type Interval struct{ Lo, Hi float64 }

// point is an interval of one number.
func point(x float64) Interval { return Interval{x, x} }

// ulps is by how many units in the last place results are widened: one for an operation
// that IEEE 754 rounds, a few for what package elementary computes (its tests hold it
// to less).
const (
	rounded        = 1
	elementaryULPs = 4
)

// outward widens an interval on both sides.
func (a Interval) outward(ulps int) Interval {
	for range ulps {
		a.Lo, a.Hi = math.Nextafter(a.Lo, math.Inf(-1)), math.Nextafter(a.Hi, math.Inf(1))
	}
	return a
}

// within widens an interval by a share of its numbers, which is how well they are known.
func (a Interval) within(relative float64) Interval {
	by := float64(relative * max(math.Abs(a.Lo), math.Abs(a.Hi)))
	return Interval{a.Lo - by, a.Hi + by}.outward(rounded)
}

// middle is the number in the middle.
func (a Interval) middle() float64 { return a.Lo + float64((a.Hi-a.Lo)/2) }

// known reports whether both ends are finite.
func (a Interval) known() bool {
	return !math.IsNaN(a.Lo) && !math.IsNaN(a.Hi) && !math.IsInf(a.Lo, 0) && !math.IsInf(a.Hi, 0)
}

func (a Interval) add(b Interval) Interval {
	return Interval{a.Lo + b.Lo, a.Hi + b.Hi}.outward(rounded)
}
func (a Interval) subtract(b Interval) Interval {
	return Interval{a.Lo - b.Hi, a.Hi - b.Lo}.outward(rounded)
}

// multiply returns the product; its ends are among the products of the ends.
func (a Interval) multiply(b Interval) Interval {
	p, q, r, s := float64(a.Lo*b.Lo), float64(a.Lo*b.Hi), float64(a.Hi*b.Lo), float64(a.Hi*b.Hi)
	return Interval{min(p, q, r, s), max(p, q, r, s)}.outward(rounded)
}

// divide returns the quotient, unbounded if the divisor may be 0.
func (a Interval) divide(b Interval) Interval {
	if b.Lo <= 0 && b.Hi >= 0 {
		return Interval{math.Inf(-1), math.Inf(1)}
	}
	return a.multiply(Interval{1 / b.Hi, 1 / b.Lo}.outward(rounded))
}

// square is what a number times itself is, which is never negative.
func (a Interval) square() Interval {
	p, q := float64(a.Lo*a.Lo), float64(a.Hi*a.Hi)
	lo := min(p, q)
	if a.Lo <= 0 && a.Hi >= 0 {
		return Interval{0, Interval{0, max(p, q)}.outward(rounded).Hi}
	}
	return Interval{lo, max(p, q)}.outward(rounded).notNegative()
}

// notNegative cuts off what lies below 0.
func (a Interval) notNegative() Interval { return Interval{max(a.Lo, 0), max(a.Hi, 0)} }

func (a Interval) root() Interval {
	a = a.notNegative()
	return Interval{math.Sqrt(a.Lo), math.Sqrt(a.Hi)}.outward(rounded).notNegative()
}

func (a Interval) exp() Interval {
	return Interval{elementary.Exp(a.Lo), elementary.Exp(a.Hi)}.outward(elementaryULPs).notNegative()
}

// entropy is −x ln x of an x of 0..1, which rises up to 1/e and falls behind it.
func (a Interval) entropy() Interval {
	at := func(x float64) float64 {
		if x <= 0 {
			return 0
		}
		return -float64(x * elementary.Log(x))
	}
	a = Interval{min(max(a.Lo, 0), 1), min(max(a.Hi, 0), 1)}
	lo, hi := at(a.Lo), at(a.Hi)
	out := Interval{min(lo, hi), max(lo, hi)}
	if a.Lo <= 1/math.E && a.Hi >= 1/math.E {
		out.Hi = 1 / math.E
	}
	return out.outward(elementaryULPs).notNegative()
}

// sum returns the sum of some intervals.
func sum(of []Interval) (total Interval) {
	for _, a := range of {
		total = total.add(a)
	}
	return total
}

// largest returns the largest of some intervals, end by end.
func largest(of []Interval) Interval {
	most := of[0]
	for _, a := range of[1:] {
		most = Interval{max(most.Lo, a.Lo), max(most.Hi, a.Hi)}
	}
	return most
}
