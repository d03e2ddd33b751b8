package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Softmax holds expectations over one row of random logits s_i. The weights are α_i = e^{s_i}/Z
// with Z = Σ e^{s_j}, and their Jacobian is J = diag(α) − ααᵀ. Some fields use the standard
// deviation σ of the logits and z = s/σ.
type Softmax struct {
	Keys           int
	MaxWeight      float64 // E max α
	MaxSquare      float64 // E (max α)²
	Collision      float64 // E Σα²
	Trace          float64 // E tr J = 1 − E Σα², computed without this difference, which loses digits
	JacobianSquare float64 // E ‖J‖_F² = E[Σα² − 2Σα³ + (Σα²)²], computed without differences, too
	KeySquare      float64 // E σ²‖J‖_F², the mean square of ‖∂α/∂K‖_F (see SharedQuerySoftmax)
	SlopeSquare    float64 // E Σ(∂α_i/∂σ)² = E Σα_i²(z_i − Σαz)²
	QuerySquare    float64 // mean square of ‖∂α/∂q‖_F, set by SharedQuerySoftmax only
	Entropy        float64 // E H with H = −Σα ln α, in nats
	// TargetSlope and TargetSquare are E σα(1−α) and E (σα(1−α))² for a target t, a key chosen
	// before the logits are sampled: the mean and the mean square of ‖∂α_t/∂k_t‖ (see
	// SharedQuerySoftmax).
	TargetSlope, TargetSquare float64
}

// TargetSignal returns the mean of σα(1−α) of the target over its standard deviation, which is the
// signal-to-noise ratio of one row. It is 0 for a single key.
func (s Softmax) TargetSignal() float64 {
	variance := s.TargetSquare - float64(s.TargetSlope*s.TargetSlope)
	if s.TargetSlope == 0 || variance <= 0 {
		return 0
	}
	return s.TargetSlope / math.Sqrt(variance)
}

// RelativeTrace returns E R with R = tr J / (1 − 1/n), from 0 to 1: the trace of the Jacobian over
// the trace for uniform weights. Since all keys have the same distribution, E J is the Jacobian of
// uniform weights times E R. For a single key, whose weight is constant, it is 0.
func (s Softmax) RelativeTrace() float64 {
	if s.Keys == 1 {
		return 0
	}
	return s.Trace * float64(s.Keys) / float64(s.Keys-1)
}

// EntropyRatio returns E H / ln n, and 1 for a single key.
func (s Softmax) EntropyRatio() float64 {
	if s.Keys == 1 {
		return 1
	}
	return s.Entropy / elementary.Log(float64(s.Keys))
}

type softmaxPoint struct {
	keys  int
	sigma float64
}

var softmaxes memo[softmaxPoint, Softmax]

// NewSoftmax computes the Softmax of n ≥ 1 independent logits of the distribution N(0, σ²), σ ≥ 0,
// by quadrature; it panics for other arguments. For n ≤ 4096 the error is at most 1e-11; for
// KeySquare it is at most (1 + σ)·1e-11. For more keys, rounding adds an error of at most n·2⁻⁵³. A
// call takes about a millisecond, and its result is cached.
func NewSoftmax(keys int, sigma float64) Softmax {
	switch {
	case keys < 1 || !(sigma >= 0):
		panic("theory: NewSoftmax needs n ≥ 1 and σ ≥ 0")
	case keys == 1 || sigma == 0:
		return newUniformSoftmax(keys)
	case math.IsInf(sigma, 1):
		return newHardSoftmax(keys)
	case sigma < 1/farSigma:
		return NarrowSoftmax(keys, sigma)
	case sigma > farSigma:
		return WideSoftmax(keys, sigma)
	}
	return softmaxes.get(softmaxPoint{keys, sigma}, func() Softmax {
		s := softmaxSums(keys, sigma)
		s.MaxWeight, s.MaxSquare = softmaxMaximum(keys, sigma)
		s.applySigma(sigma)
		return s
	})
}

// applySigma sets KeySquare to σ²·JacobianSquare, and TargetSlope to the mean σ·Trace/n over keys.
// Before the call, TargetSquare has E Σ(α(1 − α))², the sum over keys without σ². The call sets it
// to the mean over keys, with σ².
func (s *Softmax) applySigma(sigma float64) {
	square := float64(sigma * sigma)
	s.KeySquare = float64(square * s.JacobianSquare)
	s.TargetSlope = float64(sigma*s.Trace) / float64(s.Keys)
	s.TargetSquare = float64(square*s.TargetSquare) / float64(s.Keys)
}

// farSigma is the σ above which the expansion for large σ is used. The expansion for small σ is
// used below 1/farSigma. In these ranges the expansions are as accurate as quadrature, and they
// keep more digits of values that are nearly 0.
const farSigma = 1e8

// newUniformSoftmax returns the Softmax of equal logits, σ = 0.
func newUniformSoftmax(keys int) Softmax {
	n := float64(keys)
	a := 1 / n
	return Softmax{
		Keys: keys, MaxWeight: a, MaxSquare: a * a, Collision: a, Trace: (n - 1) / n, Entropy: elementary.Log(n),
		JacobianSquare: (n - 1) / float64(n*n), SlopeSquare: (n - 1) / float64(n*n),
	}
}

// newHardSoftmax returns the limit for σ → ∞.
func newHardSoftmax(keys int) Softmax {
	return Softmax{Keys: keys, MaxWeight: 1, MaxSquare: 1, Collision: 1}
}

// FreezingSigma returns √(2 ln n), the standard deviation of the logits at which softmax freezes in
// the limit of many keys: above it a few keys have a proportion of the weight that stays finite as
// n grows (Derrida, Random-Energy Model, Physical Review B 24, 1981).
func FreezingSigma(keys int) float64 { return math.Sqrt(float64(2 * elementary.Log(float64(keys)))) }

// ConcentrationLimit returns E Σα² of n ≥ 2 independent normal logits whose standard deviation is
// FreezingSigma(n). A row whose mean Σα² is larger is called concentrated.
func ConcentrationLimit(keys int) float64 { return NewSoftmax(keys, FreezingSigma(keys)).Collision }

// power returns x^n for n ≥ 0 by repeated squaring, with a relative error of about n units of 2⁻⁵³.
func power(x float64, n int) float64 {
	result := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result *= x
		}
		x *= x
	}
	return result
}
