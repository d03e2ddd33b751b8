package attention

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Measures has statistics of a row of weights α. RelativeTrace and EntropyRatio are not defined for
// a query that may attend to only one key, whose weight is always 1. Then they are NaN.
type Measures struct {
	MaxWeight     float64
	Entropy       float64 // −Σα ln α, in nats
	EntropyRatio  float64 // Entropy/ln n for n allowed keys, in 0..1
	RelativeTrace float64 // R = (1 − Σα²)/(1 − 1/n) for n allowed keys, in 0..1
	Collision     float64 // Σα²
	JacobianNorm  float64 // ‖J‖_F = √(Σα²(1−α)² + Σ_{i≠j} α_i²α_j²) of the Jacobian J = diag(α) − ααᵀ
}

// Measure computes the measures of the weights of a query that may attend to the given number of
// keys.
func Measure(weights []float64, allowed int) Measures {
	m := Measures{EntropyRatio: math.NaN(), RelativeTrace: math.NaN()}
	peak := 0
	for j, w := range weights {
		if w > weights[peak] {
			peak = j
		}
	}
	m.MaxWeight = weights[peak]
	// Near saturation, 1 − α of the largest weight would have no correct digits. Therefore it is
	// computed as the sum of the other weights. 1 − α of the other weights is at least ½.
	others, trace := 0.0, 0.0
	squares, fourths, jacobian := 0.0, 0.0, 0.0 // sums over the other weights
	for j, w := range weights {
		if w > 0 {
			m.Entropy -= float64(w * elementary.Log(w))
		}
		if j != peak {
			others += w
			trace += float64(w * (1 - w))
			square := float64(w * w)
			squares += square
			fourths += float64(square * square)
			jacobian += float64(square * (1 - w) * (1 - w))
		}
	}
	peakSquare := float64(m.MaxWeight * m.MaxWeight)
	m.Collision = peakSquare + squares
	pairs := float64(2*peakSquare*squares) + float64(squares*squares) - fourths
	m.JacobianNorm = math.Sqrt(jacobian + float64(peakSquare*others*others) + pairs)
	trace += float64(m.MaxWeight * others)
	if n := float64(allowed); allowed > 1 {
		m.EntropyRatio = min(1, m.Entropy/elementary.Log(n))
		m.RelativeTrace = min(1, trace/(1-1/n))
	}
	return m
}
