package rule

import (
	"mcsim/sim/elementary"
	"mcsim/sim/law"
)

// Theory is a number with how well it is known: exactly, or in the limit of
// many components.
type Theory struct {
	Value float64
	Limit bool
}

func exact(x float64) Theory { return Theory{Value: x} }

func limit(x float64) Theory { return Theory{x, true} }

func flat(float64) Theory { return exact(0) }

// Setting is what a logit is made of: components of a law, and how many keys a
// query has.
type Setting struct {
	Law     law.Law
	D, Keys int
}

// Variance is that of a logit, for an independent pair q and k. Its mean is 0:
// it changes its sign with q, or, if the rule is additive, with its weights.
//
// The direction u = q/|q| has E u_iu_j = 0 for i ≠ j, since the law of a
// component is symmetric, and E u_i² = 1/d, since all components are alike. So
// Var(q·k/|k|) = 1 and Var(q·k/(|q||k|)) = 1/d for every law, as far as vectors
// have a direction.
func (r Rule) Variance(of Setting) Theory { return r.kind.variance(r.param, of) }

// Slope is that of the logarithm of the variance on ln d_k, over components of
// a law. Where vectors may be 0 the slope of a rule that divides by lengths is a
// limit.
func (r Rule) Slope(l law.Law) Theory {
	s := r.kind.slope(r.param)
	s.Limit = s.Limit || r.kind.factor == nil && l.Name() == sparse
	return s
}

// sparse is the law whose components may be 0.
const sparse = "bernoulli-gaussian"

// directed is the chance that a vector is not 0, and has a direction.
func (s Setting) directed() float64 {
	if s.Law.Name() != sparse {
		return 1
	}
	return -elementary.Expm1(float64(float64(s.D) * elementary.Log1p(-s.Law.Param())))
}

// tanhSquare is E tanh²(σZ) for a standard normal Z, by the trapezoidal rule,
// whose steps must be small against the distance of the poles of tanh, π/2σ.
func tanhSquare(sigma float64) float64 {
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
