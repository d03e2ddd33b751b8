package theory

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
)

// ProductTail is P(|q_i·k_i| > x) of two independent components of a distribution,
//
//	∫ f(q)·P(|k| > x/q) dq,
//
// with f the density of |q|, by quadrature in ln q to a relative error of about 10⁻¹²,
// however small it is. Of a distribution that tells only its moments it is their bound. The
// components of the sphere depend on each other: of them it is 0, for no product there can
// be much larger than all others.
func ProductTail(l distribution.Distribution, x float64) float64 {
	s, known := l.Abs()
	switch {
	case !l.HasIndependentComponents():
		return 0
	case !known || s.Density == nil && x < square(s.Max):
		return momentBound(x, func(k int) float64 { return square(l.Moment(k)) })
	case x >= square(s.Max):
		return 0
	case !(x > 0):
		return square(s.Tail(0))
	}
	part := func(u float64) float64 { // of the integral over u = ln q
		q := elementary.Exp(u)
		return q * s.Density(q) * s.Tail(x/q)
	}
	if math.IsInf(s.Max, 1) {
		return overLine(elementary.Log(x)/2, part)
	}
	end := elementary.Log(s.Max)
	var rule quadrature
	rule.panels(elementary.Log(x)-end, end, 0.5)
	sum := 0.0
	for i, u := range rule.at {
		sum += float64(rule.weight[i] * part(u))
	}
	return sum
}

// ComponentTail is P(|x| > at) of one component of a distribution, likewise.
func ComponentTail(l distribution.Distribution, at float64) float64 {
	if s, known := l.Abs(); known {
		return s.Tail(at)
	}
	return momentBound(at, l.Moment)
}

// momentBound is what the moments of even order leave to the chance that a number is
// larger than x: no more than E|·|ᵏ/xᵏ (Markov).
func momentBound(x float64, moment func(k int) float64) float64 {
	least := 1.0
	for k := 2; k <= 12; k += 2 {
		least = min(least, moment(k)/whole(x, k))
	}
	return least
}

// overLine is the integral of a positive function with one peak by the trapezoidal rule
// from some point near the peak outward. The step is halved until that changes the sum by
// less than 10⁻⁷; since the error falls with the step faster than any power, being squared
// by each halving, that of the last sum is then about 10⁻¹⁴.
func overLine(from float64, f func(float64) float64) float64 {
	const first, close, negligible = 0.5, 1e-7, 1e-18
	row := func(step, offset float64) float64 {
		sum := 0.0
		outward(0, func(i int) bool {
			v := f(from + float64(step*(float64(i)+offset)))
			sum += v
			return v > negligible*sum
		})
		return sum
	}
	step := first
	sum := row(step, 0)
	for range 12 {
		finer := sum + row(step, 0.5)
		step /= 2
		if math.Abs(finer-2*sum) <= close*finer {
			return step * finer
		}
		sum = finer
	}
	return step * sum
}
