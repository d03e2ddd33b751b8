package rule

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// Theory is a theoretical value together with the way in which it is known.
type Theory struct {
	Value float64
	Kind  string // names.TheoryExact, TheoryQuadrature or TheoryLimit
}

func newExact(x float64) Theory { return Theory{x, names.TheoryExact} }

// newLimit returns a value that holds in the limit of many components.
func newLimit(x float64) Theory { return Theory{x, names.TheoryLimit} }

func zeroSlope(float64) Theory { return newExact(0) }

// Setting determines the distribution of logits. It has the distribution of the components of q and
// k, their number D, and the number of keys of a query.
type Setting struct {
	Distribution distribution.Distribution
	D, Keys      int
}

// Variance returns the variance of the logit of an independent pair q and k. The mean of the logit
// is 0, since it changes its sign with q or, for the additive rule, with the weights.
//
// The direction u = q/|q| has E u_iu_j = 0 for i ≠ j, since the distribution of a component is
// symmetric, and E u_i² = 1/d, since all components have the same distribution. Therefore
// Var(q·k/|k|) = 1 and Var(q·k/(|q||k|)) = 1/d for every distribution, unless vectors may be 0.
func (r Rule) Variance(s Setting) Theory { return r.definition.variance(r.param, s) }

// Slope returns the slope of the logarithm of the variance as a function of ln d_k, for components
// of the distribution l. If vectors may be 0, the slope of a rule that is not a multiplication is a
// limit.
func (r Rule) Slope(l distribution.Distribution) Theory {
	s := r.definition.slope(r.param)
	if r.definition.factor == nil && l.NonZeroProbability() < 1 {
		s.Kind = names.TheoryLimit
	}
	return s
}

// HasConstantSquare reports whether the square of a logit is the same for every pair. This happens
// in one dimension, if the components are ±1 or if the rule depends on directions only.
func (r Rule) HasConstantSquare(s Setting) bool {
	return r.definition.hasConstantSquare != nil && r.definition.hasConstantSquare(s)
}

// hasOneDirection reports whether the directions of all vectors are equal up to their sign.
func (s Setting) hasOneDirection() bool { return s.D == 1 && s.Distribution.NonZeroProbability() == 1 }

// isSign reports whether q and k have a single component, which is ±1.
func (s Setting) isSign() bool {
	return s.D == 1 &&
		(s.Distribution.Name() == names.DistributionRademacher || s.Distribution.Name() == names.DistributionSphere)
}

// directionProbability returns the probability that a vector is not 0, so that it has a direction.
func (s Setting) directionProbability() float64 {
	p := s.Distribution.NonZeroProbability()
	if p == 1 {
		return 1
	}
	return -elementary.Expm1(float64(float64(s.D) * elementary.Log1p(-p)))
}

// meanTanhSquare returns E tanh²(σZ) for a standard normal Z, by the trapezoidal rule on −9..9. Its
// steps must be small compared with the distance π/(2σ) of the poles of tanh(σz) from the real
// line.
func meanTanhSquare(sigma float64) float64 {
	step := min(0.25, 0.125/sigma)
	var sum, total float64
	for i := -int(9 / step); float64(i)*step <= 9; i++ {
		z := float64(float64(i) * step)
		density := elementary.Exp(-float64(z * z / 2))
		t := elementary.Tanh(float64(sigma * z))
		sum += float64(density * float64(t*t))
		total += density
	}
	return sum / total
}

// softCapVariance returns the variance of c·tanh(S/(c√d)) with S = q·k. If components are normal, S
// is normal with the variance |q|² for given q, so that only a mean over |q| remains. For other
// components, S/√d is normal in the limit.
func softCapVariance(c float64, s Setting) Theory {
	square := float64(c * c)
	switch {
	case s.isSign():
		t := elementary.Tanh(1 / c)
		return newExact(float64(square * float64(t*t)))
	case s.Distribution.Name() != names.DistributionNormal:
		return newLimit(float64(square * meanTanhSquare(1/c)))
	}
	mean := averageOverLengths(s.D, func(r float64) float64 { return meanTanhSquare(r / c) })
	return Theory{float64(square * mean), names.TheoryQuadrature}
}

// averageOverLengths returns the mean of f(|q|/√d) over vectors q of d standard normal components.
func averageOverLengths(d int, f func(float64) float64) (mean float64) {
	// The standard deviation of ln|q| is about 1/√(2d).
	step := min(0.125, 0.5/math.Sqrt(float64(2*d)))
	theory.IntegrateLengths(d, step, func(weight, r float64) {
		mean += float64(weight * f(r))
	})
	return mean
}
