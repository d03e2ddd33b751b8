package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Normality says how far the distribution of S = q·k is from N(0, d) for normal
// components: S given q is N(0, |q|²), so S/√d has the distribution function
// E Φ(x√(d/w)) with w of the distribution χ²_d (a variance-gamma distribution, whose
// characteristic function is (1 + t²)^(−d/2) for S). Both distributions are symmetric,
// and the sup of |F − Φ| is taken at ±At, inside of which S is the likelier.
type Normality struct {
	At       float64 // in standard deviations, to 1e-6
	Inside   float64 // P(|S|/√d ≤ At)
	Normal   float64 // the same for N(0, 1)
	Distance float64 // the Kolmogorov distance, (Inside − Normal)/2
}

var normalities memo[int, Normality] // of d

// NewNormality is the Normality in dimension d ≥ 1, by quadrature over w. The distance is good to
// about 1e-12.
func NewNormality(d int) Normality {
	return normalities.of(d, func() Normality { return newNormality(d) })
}

// newNormality works it out.
func newNormality(d int) Normality {
	mix := newMixture(d)
	// The distance is greatest where both densities are equal: at 0.38 for
	// d = 1, and so on up to √(3 − √6) = 0.742, as the first term of
	// Edgeworth's series, x(3 − x²)φ(x)/4d, says. Before that S has the higher
	// one, after it up to 1 the lower one.
	low, high := 0.2, 1.0
	for high-low > 1e-6 {
		if x := (low + high) / 2; mix.density(x) > density(x) {
			low = x
		} else {
			high = x
		}
	}
	x := (low + high) / 2
	n := Normality{At: x, Inside: mix.inside(x), Normal: normalInside(x)}
	n.Distance = (n.Inside - n.Normal) / 2
	return n
}

// DistanceSE is the standard error of the difference at ±At over n independent scores,
// of which a share Inside is expected within ±At.
func (n Normality) DistanceSE(scores int64) float64 {
	return math.Sqrt(n.Inside*(1-n.Inside)/float64(scores)) / 2
}

// normalInside is P(|z| ≤ x) for z of N(0, 1).
func normalInside(x float64) float64 { return 1 - elementary.Erfc(x*math.Sqrt2/2) }

// mixture is the distribution of √(d/w) in points with weights.
type mixture struct{ scale, weight []float64 }

// newMixture takes the distribution χ²_d of w in points, of Gauss's rule or by the trapezoidal one in
// ln(w/d), as far out as the density is above 2·10⁻¹⁶ of its peak.
func newMixture(d int) (m mixture) {
	half := float64(d) / 2
	if d >= manyDimensions {
		q := manyLengths(d)
		for _, at := range q.at {
			m.scale = append(m.scale, math.Sqrt(half/at))
		}
		m.weight = q.weight
		return m
	}
	// With w = d·e^u the density of u is proportional to exp(half·(u − e^u)),
	// which has its peak at 0 and there the width √(2/d). Left of it falls only
	// like e^{half·u}.
	step := 0.3 * min(1, math.Sqrt(1/half))
	logDensity := func(u float64) float64 { return float64(half * (u + 1 - elementary.Exp(u))) }
	outward(0, func(i int) bool {
		u := float64(float64(i) * step)
		p := logDensity(u)
		if p < -36 {
			return false
		}
		m.scale = append(m.scale, elementary.Exp(-u/2))
		m.weight = append(m.weight, elementary.Exp(p))
		return true
	})
	total := 0.0
	for _, w := range m.weight {
		total += w
	}
	for i := range m.weight {
		m.weight[i] /= total
	}
	return m
}

// density is that of S/√d at x, times √(2π).
func (m mixture) density(x float64) float64 {
	sum := 0.0
	for i, s := range m.scale {
		sum += float64(m.weight[i] * s * density(x*s))
	}
	return sum
}

// density is that of N(0, 1), times √(2π).
func density(x float64) float64 { return elementary.Exp(-x * x / 2) }

// inside is P(|S|/√d ≤ x).
func (m mixture) inside(x float64) float64 {
	sum := 0.0
	for i, s := range m.scale {
		sum += float64(m.weight[i] * normalInside(x*s))
	}
	return sum
}
