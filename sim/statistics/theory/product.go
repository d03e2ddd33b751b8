package theory

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
)

// ProductTail returns P(|q_i·k_i| > x) for two independent components of distribution l. This is
// ∫ f(q)·P(|k| > x/q) dq with f the density of |q|, computed by quadrature in ln q to a relative
// error of about 10⁻¹². If only the
// moments of the distribution are known or if it is discrete, it returns Markov's bound. For the
// sphere it returns 0: its components depend on each other, so that no product can be much larger
// than all others.
func ProductTail(l distribution.Distribution, x float64) float64 {
	component, known := l.Abs()
	maxProduct := square(component.Max)
	switch {
	case !l.HasIndependentComponents():
		return 0
	case known && x >= maxProduct:
		return 0
	case !known || component.Density == nil: // a discrete distribution has no density
		return markovBound(x, func(k int) float64 { return square(l.Moment(k)) })
	case !(x > 0):
		return square(component.Tail(0))
	}
	integrand := func(u float64) float64 { // u = ln q
		q := elementary.Exp(u)
		return q * component.Density(q) * component.Tail(x/q)
	}
	if math.IsInf(component.Max, 1) {
		return integrateLine(elementary.Log(x)/2, integrand)
	}
	end := elementary.Log(component.Max)
	var rule quadrature
	rule.addPanels(elementary.Log(x)-end, end, 0.5)
	sum := 0.0
	for i, u := range rule.points {
		sum += float64(rule.weights[i] * integrand(u))
	}
	return sum
}

// ComponentTail returns P(|c| > x) for one component c, or Markov's bound if this is not known.
func ComponentTail(l distribution.Distribution, x float64) float64 {
	if s, known := l.Abs(); known {
		return s.Tail(x)
	}
	return markovBound(x, l.Moment)
}

// markovBound returns the smallest of Markov's bounds E|X|ᵏ/xᵏ on P(|X| > x) for even k up to 12.
func markovBound(x float64, moment func(k int) float64) float64 {
	bound := 1.0
	for k := 2; k <= 12; k += 2 {
		bound = min(bound, moment(k)/intPower(x, k))
	}
	return bound
}

// integrateLine returns the integral over the real line of a positive function with one peak near
// start, by the trapezoidal rule. The step is halved until halving changes the result by a relative
// difference of less than 10⁻⁷. Since each halving squares the error, the relative error of the
// last result is then about 10⁻¹⁴.
func integrateLine(start float64, f func(float64) float64) float64 {
	const initialStep, tolerance, negligible = 0.5, 1e-7, 1e-18
	// sumPoints sums f at all integer multiples of step from start, shifted by offset·step.
	sumPoints := func(step, offset float64) float64 {
		sum := 0.0
		visitOutward(0, func(i int) bool {
			v := f(start + float64(step*(float64(i)+offset)))
			sum += v
			return v > negligible*sum
		})
		return sum
	}
	step := initialStep
	sum := sumPoints(step, 0)
	for range 12 {
		finer := sum + sumPoints(step, 0.5)
		step /= 2
		if math.Abs(finer-2*sum) <= tolerance*finer {
			return step * finer
		}
		sum = finer
	}
	return step * sum
}
