// Package reach computes how much weight a key can get if queries and keys are normalised.
//
// A norm of q and k bounds every logit by some a: by s·d_k for RMSNorm and the factor s, and by s
// for s times the cosine. A key in the direction of the query has the logit a. Keys in independent
// directions have the logits a·C, with the cosine C of two independent directions. The mean weight
// of the first key among n others is its reach. It falls like 1/n, whatever was learned.
package reach

import (
	"math"

	"mcsim/sim/attention/models"
	"mcsim/sim/base/elementary"
	"mcsim/sim/statistics/theory"
)

// Bound returns the closed form e^a/(e^a + n·e^{σ²/2}) of the reach, for the largest logit a and n
// other keys, whose logits are taken to be normal with the standard deviation σ. For RMSNorm without
// gains, σ = a/√d. It is within 1 % of the first of the [Moments] if d ≥ 64 and σ ≤ 1.
func Bound(n int, a, sigma float64) float64 {
	return 1 / (1 + float64(float64(n)*elementary.Exp(float64(sigma*sigma/2)-a)))
}

// MaxLogit is the largest a for which Moments computes.
const MaxLogit = 512

// Moments returns E w^k for k = 1, 2, 3 of the weight w = e^b/(e^b + Σe^{aC_j}) of a logit b, beside
// n independent logits aC_j, for vectors of d ≥ 1 components and 0 ≤ a ≤ MaxLogit. For b = a the
// first moment is the reach. With ψ(t) = E exp(−t·e^{aC−b}),
//
//	E w^k = 1/Γ(k) ∫ t^{k−1} e^{−t} ψ(t)^n dt,
//
// by the trapezoidal rule over ln t. The relative error is at most 1e-10.
func Moments(n, d int, a, b float64) (moments theory.Sink) {
	const step, firstLog, negligible = 0.2, 4, 1e-17
	cosines, probabilities := cosineLattice(d, a)
	for y := float64(firstLog); ; y -= step {
		t := elementary.Exp(y)
		var missing float64 // 1 − ψ(t), without cancellation
		for i, c := range cosines {
			missing -= float64(probabilities[i] * elementary.Expm1(-elementary.Exp(float64(a*c)-b+y)))
		}
		term := 0.0 // if ψ(t) is 0
		if missing < 1 {
			term = float64(step * t * elementary.Exp(float64(float64(n)*elementary.Log1p(-missing))-t))
		}
		moments[0] += term
		moments[1] += float64(t * term)
		moments[2] += float64(float64(float64(t*t)*term) / 2)
		if term < negligible*moments[0] {
			return moments
		}
	}
}

// OfModel returns the mean weight of a key in the direction of the query among the keys of the
// model's context, with gains of 1 and without sinks, caps and temperatures by position. It returns
// NaN if the model does not have a norm of each head, or if its context or scale is not known.
func OfModel(m models.Model) float64 {
	a, d := float64(m.Factor()*float64(m.Key)), m.Key
	switch m.QKNorm {
	case models.UnitLength:
		a = m.Factor()
	case models.LayerHead:
		d-- // directions without a mean
	case models.RMSHead:
	default:
		return math.NaN()
	}
	if a == 0 || a > MaxLogit || m.Context < 2 {
		return math.NaN()
	}
	return Moments(m.Context-1, d, a, a)[0]
}

// cosineLattice returns cosines and their probabilities, with which the mean of a function of a·C
// is a sum. With C = tanh x, the density of x is proportional to cosh(x)^{1−d}, which is smooth.
func cosineLattice(d int, a float64) (cosines, probabilities []float64) {
	if d == 1 {
		return []float64{-1, 1}, []float64{0.5, 0.5}
	}
	const maxDrop = 42 // the sum ends where terms are e^−42 of the largest
	step := min(0.4/math.Sqrt(float64(d)), 0.3/max(a, 1))
	var total, largest float64
	for i := 0; ; i++ {
		x := float64(float64(i) * step)
		tanh, shrink := elementary.Tanh(x), elementary.Exp(float64(-2*x))
		logDensity := float64(float64(1-d) * (x + elementary.Log1p(shrink) - math.Ln2)) // ln cosh(x)^{1−d}
		largest = max(largest, logDensity+float64(a*tanh))
		if logDensity < -maxDrop && logDensity+float64(a*tanh) < largest-maxDrop {
			break
		}
		density := elementary.Exp(logDensity)
		cosines, probabilities = append(cosines, tanh), append(probabilities, density)
		total += density
		if i > 0 {
			cosines, probabilities = append(cosines, -tanh), append(probabilities, density)
			total += density
		}
	}
	for i := range probabilities {
		probabilities[i] /= total
	}
	return cosines, probabilities
}

// Gains returns the largest possible sum Σ_i g_i·h_i·u_i·v_i over vectors u and v of length √d, for
// gains g of queries and h of keys, and its standard deviation if u and v have independent
// directions. rotated is the largest sum if, in addition, any pairs of components are rotated by
// any angles, as RoPE does; it may be more than is reached.
func Gains(g, h []float64) (largest, rotated, sd float64) {
	var maxG, maxH, maxProduct, squares float64
	for i := range g {
		product := math.Abs(float64(g[i] * h[i]))
		maxG, maxH = max(maxG, math.Abs(g[i])), max(maxH, math.Abs(h[i]))
		maxProduct = max(maxProduct, product)
		squares += float64(product * product)
	}
	d := float64(len(g))
	return float64(d * maxProduct), float64(d * float64(maxG*maxH)), math.Sqrt(squares)
}
