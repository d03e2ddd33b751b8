package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Normality holds the distance of the distribution of S = q·k from N(0, d) for normal components.
// Given q, S is N(0, |q|²), so that S/√d has the distribution function E Φ(x√(d/w)) with w of the
// distribution χ²_d. This is a variance-gamma distribution: the characteristic function of S is
// (1 + t²)^(−d/2). Both distributions are symmetric. The supremum of the difference of their
// distribution functions is at ±Threshold, and S has more mass between these two points.
type Normality struct {
	Threshold    float64 // in standard deviations, to 1e-6
	Inside       float64 // P(|S|/√d ≤ Threshold)
	NormalInside float64 // the same for N(0, 1)
	Distance     float64 // Kolmogorov distance, (Inside − NormalInside)/2
}

var normalities memo[int, Normality] // by d

// NewNormality returns the Normality in dimension d ≥ 1 by quadrature over w. The error of the
// distance is about 1e-12.
func NewNormality(d int) Normality {
	return normalities.get(d, func() Normality { return newNormality(d) })
}

func newNormality(d int) Normality {
	mix := newMixture(d)
	// The difference is largest at the x > 0 where both densities are equal: from 0.38 for d = 1 up
	// to √(3 − √6) = 0.742 for d → ∞, by the first term x(3 − x²)φ(x)/4d of Edgeworth's series.
	// The density of S is higher below this point, and lower above it up to 1.
	low, high := 0.2, 1.0
	for high-low > 1e-6 {
		if x := (low + high) / 2; mix.density(x) > density(x) {
			low = x
		} else {
			high = x
		}
	}
	x := (low + high) / 2
	n := Normality{Threshold: x, Inside: mix.inside(x), NormalInside: normalInside(x)}
	n.Distance = (n.Inside - n.NormalInside) / 2
	return n
}

// DistanceSE returns the standard error of an estimate of Distance from the proportion of
// independent scores within ±Threshold, whose expected value is Inside.
func (n Normality) DistanceSE(scores int64) float64 {
	return math.Sqrt(n.Inside*(1-n.Inside)/float64(scores)) / 2
}

// normalInside returns P(|z| ≤ x) for z of N(0, 1).
func normalInside(x float64) float64 { return 1 - elementary.Erfc(x*math.Sqrt2/2) }

// mixture is a discrete approximation of the distribution of √(d/w), where w has the distribution
// χ²_d: the values scales with the probabilities weights.
type mixture struct{ scales, weights []float64 }

// newMixture uses Gauss's rule for large d. Otherwise it uses the trapezoidal rule in u = ln(w/d),
// over the range in which the density of u is above 2·10⁻¹⁶ of its maximum.
func newMixture(d int) (m mixture) {
	half := float64(d) / 2
	if d >= minGaussDimension {
		q := squaredLengthRule(d)
		for _, halfSquare := range q.points {
			m.scales = append(m.scales, math.Sqrt(half/halfSquare))
		}
		m.weights = q.weights
		return m
	}
	// With w = d·e^u the density of u is proportional to exp(half·(u − e^u)),
	// which has its peak at 0 with the width √(2/d). To the left it falls only like e^{half·u}.
	step := 0.3 * min(1, math.Sqrt(1/half))
	logDensity := func(u float64) float64 { return float64(half * (u + 1 - elementary.Exp(u))) }
	visitOutward(0, func(i int) bool {
		u := float64(float64(i) * step)
		p := logDensity(u)
		if p < -36 {
			return false
		}
		m.scales = append(m.scales, elementary.Exp(-u/2))
		m.weights = append(m.weights, elementary.Exp(p))
		return true
	})
	total := 0.0
	for _, w := range m.weights {
		total += w
	}
	for i := range m.weights {
		m.weights[i] /= total
	}
	return m
}

// density returns the density of S/√d at x, times √(2π).
func (m mixture) density(x float64) float64 {
	sum := 0.0
	for i, s := range m.scales {
		sum += float64(m.weights[i] * s * density(x*s))
	}
	return sum
}

// density returns the density of N(0, 1) at x, times √(2π).
func density(x float64) float64 { return elementary.Exp(-x * x / 2) }

// inside returns P(|S|/√d ≤ x).
func (m mixture) inside(x float64) float64 {
	sum := 0.0
	for i, s := range m.scales {
		sum += float64(m.weights[i] * normalInside(x*s))
	}
	return sum
}
