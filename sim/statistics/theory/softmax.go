package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Softmax holds the expectations of what softmax makes of one row of random
// logits: α_i = e^{s_i}/Z with Z = Σ e^{s_j}, and its Jacobian
// J = diag(α) − ααᵀ.
type Softmax struct {
	Keys           int
	MaxWeight      float64 // E max α
	MaxSquare      float64 // E (max α)²
	Collision      float64 // E Σα²
	Trace          float64 // E tr J = 1 − E Σα², without the cancellation of that difference
	JacobianSquare float64 // E ‖J‖_F² = E[Σα² − 2Σα³ + (Σα²)²], likewise
	KeySquare      float64 // E σ²‖J‖_F², the mean square of ‖∂α/∂K‖_F (see SharedQuerySoftmax)
	SlopeSquare    float64 // E Σ(∂α_i/∂σ)² = E Σα_i²(z_i − Σαz)², z = s/σ
	QuerySquare    float64 // of a query and its keys: the mean square of ‖∂α/∂q‖_F (see SharedQuerySoftmax)
	Entropy        float64 // E H, in nats
	// TargetSlope is E σα(1−α), and TargetSquare E (σα(1−α))², for a key whose place in the row
	// was chosen before the draw: the mean and the mean square of ‖∂α_t/∂k_t‖ of that key t
	// (see SharedQuerySoftmax).
	TargetSlope, TargetSquare float64
}

// TargetSignal is the mean of σα(1−α) of a key chosen before the draw, over its standard
// deviation: the signal over the noise of one row. It is 0 for a single key.
func (s Softmax) TargetSignal() float64 {
	variance := s.TargetSquare - float64(s.TargetSlope*s.TargetSlope)
	if s.TargetSlope == 0 || variance <= 0 {
		return 0
	}
	return s.TargetSlope / math.Sqrt(variance)
}

// RelativeTrace is E R = E tr J / (1 − 1/n), from 0 to 1: the mean of the trace of the Jacobian
// over the trace for uniform weights. Since all keys have the same distribution, E J is E R times
// the Jacobian of uniform weights. The weight of a single key depends on nothing: its R is 0.
func (s Softmax) RelativeTrace() float64 {
	if s.Keys == 1 {
		return 0
	}
	return s.Trace * float64(s.Keys) / float64(s.Keys-1)
}

// EntropyRatio is E H / ln n, and 1 for a single key.
func (s Softmax) EntropyRatio() float64 {
	if s.Keys == 1 {
		return 1
	}
	return s.Entropy / elementary.Log(float64(s.Keys))
}

// softmaxPoint is where a Softmax is worked out once.
type softmaxPoint struct {
	keys  int
	sigma float64
}

var softmaxes memo[softmaxPoint, Softmax]

// NewSoftmax is the Softmax of n ≥ 1 independent logits of the distribution N(0, σ²),
// σ ≥ 0, by quadrature. For n ≤ 4096 all values are good to 1e-11,
// KeySquare to that times 1 + σ; more keys add n units of 2⁻⁵³. A point takes about a
// millisecond and is worked out once.
func NewSoftmax(keys int, sigma float64) Softmax {
	switch {
	case keys < 1 || !(sigma >= 0):
		panic("theory: NewSoftmax wants n ≥ 1 and σ ≥ 0")
	case keys == 1 || sigma == 0:
		return uniformSoftmax(keys)
	case math.IsInf(sigma, 1):
		return hardSoftmax(keys)
	case sigma < 1/farSigma:
		return NarrowSoftmax(keys, sigma)
	case sigma > farSigma:
		return WideSoftmax(keys, sigma)
	}
	return softmaxes.of(softmaxPoint{keys, sigma}, func() Softmax {
		s := softmaxSums(keys, sigma)
		s.MaxWeight, s.MaxSquare = softmaxMaximum(keys, sigma)
		s.scale(sigma)
		return s
	})
}

// scale multiplies the norms of derivatives with respect to keys, which the sums leave without σ.
func (s *Softmax) scale(sigma float64) {
	square := float64(sigma * sigma)
	s.KeySquare = float64(square * s.JacobianSquare)
	s.TargetSlope = float64(sigma*s.Trace) / float64(s.Keys)
	s.TargetSquare = float64(square*s.TargetSquare) / float64(s.Keys)
}

// farSigma is where the expansions are as good as quadrature, and have more
// digits of what is nearly 0.
const farSigma = 1e8

// uniformSoftmax is that of equal logits, at 0.
func uniformSoftmax(keys int) Softmax {
	n := float64(keys)
	a := 1 / n
	return Softmax{
		Keys: keys, MaxWeight: a, MaxSquare: a * a, Collision: a, Trace: (n - 1) / n,
		JacobianSquare: (n - 1) / float64(n*n),
		SlopeSquare:    (n - 1) / float64(n*n), Entropy: elementary.Log(n),
	}
}

// hardSoftmax is the limit of logits that lie infinitely far apart.
func hardSoftmax(keys int) Softmax {
	return Softmax{Keys: keys, MaxWeight: 1, MaxSquare: 1, Collision: 1}
}

// FreezingSigma is √(2 ln n), the standard deviation of the logits at which,
// in the limit of many keys, softmax freezes: beyond it a few keys hold a
// share of the weight that stays finite as n grows (Derrida, Random-Energy
// Model, Physical Review B 24, 1981). At any one n the transition is gradual.
func FreezingSigma(keys int) float64 { return math.Sqrt(float64(2 * elementary.Log(float64(keys)))) }

// ConcentrationLimit is E Σα² of n ≥ 2 independent normal logits whose standard deviation is
// FreezingSigma(n). Rows whose mean Σα² is larger are called concentrated.
func ConcentrationLimit(keys int) float64 { return NewSoftmax(keys, FreezingSigma(keys)).Collision }

// power is x^n for n ≥ 0 by repeated squaring, to about n units of 2⁻⁵³.
func power(x float64, n int) float64 {
	out := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			out *= x
		}
		x *= x
	}
	return out
}
