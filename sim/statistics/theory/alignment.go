package theory

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
)

// Aligned is the distribution of the score q·k of a key k = ρq + √(1−ρ²)z, with z independent of q
// and Rho the correlation of each component of k with that of q.
type Aligned struct {
	D   int
	Rho float64
}

// Mean returns E q·k = ρd.
func (a Aligned) Mean() float64 { return a.Rho * float64(a.D) }

// VarianceRate returns the variance per component, 1 + ρ²(κ − 2). On the sphere |q|² is constant,
// and it is 1 − ρ².
func (a Aligned) VarianceRate(l distribution.Distribution) float64 {
	if !l.HasIndependentComponents() {
		return 1 - square(a.Rho)
	}
	if a.Rho == 0 {
		return 1
	}
	return 1 + float64(square(a.Rho)*(l.Kurtosis()-2))
}

// MeanSquare returns E S² = ρ²d² + d(1 + ρ²(κ − 2)).
func (a Aligned) MeanSquare(l distribution.Distribution) float64 {
	d := float64(a.D)
	return square(a.Mean()) + float64(d*a.VarianceRate(l))
}

// LocalExponent returns the exponent p = ½ d ln E S²/d ln d for which E (S/d^p)² does not change
// with d at this d, ½(1 + ρ²d/(ρ²d + 1 + ρ²(κ − 2))). It is ½ for ρ = 0 and approaches 1 as ρ²d
// grows.
func (a Aligned) LocalExponent(l distribution.Distribution) float64 {
	common := float64(square(a.Rho) * float64(a.D))
	if common == 0 {
		return 0.5
	}
	return (1 + common/(common+a.VarianceRate(l))) / 2
}

// ExponentBetween returns the exponent p for which E (S/d^p)² is the same at a.D and at a larger
// dimension: half the slope of ln E S² on ln d between them.
func (a Aligned) ExponentBetween(l distribution.Distribution, larger int) float64 {
	b := Aligned{larger, a.Rho}
	return elementary.Log(b.MeanSquare(l)/a.MeanSquare(l)) / (2 * elementary.Log(float64(larger)/float64(a.D)))
}

// Moments returns the moments of the score for components of distribution l. The deviation of one
// product from ρ is ρ(x² − 1) + √(1−ρ²)xz. Therefore its moment of order n requires one of order 2n
// of the components, and the eighth is known for ρ = 0 only.
func (a Aligned) Moments(l distribution.Distribution) ExactMoments {
	switch {
	case !l.HasIndependentComponents():
		m := sphereMoments(a.D) // |q|² = d, so S = ρd + √(1−ρ²)·q·z
		return ExactMoments{Mean: a.Mean(), Variance: float64(a.D) * (1 - square(a.Rho)), M4: m[2], M6: m[3], M8: m[4]}
	case a.Rho == 0:
		return NewScore(l, a.D).ExactMoments
	}
	order, missing := finiteOrder(l, 12)/2, infinity
	if order == 6 {
		missing = math.NaN()
	}
	w := make([]poly, order/2*2+1)
	for n := range w {
		w[n][0][0] = a.deviationMoment(l, n)
	}
	central := make([]float64, len(w))
	for n, p := range sumMoments(w, a.D) {
		central[n] = p[0][0]
	}
	e := newExactMoments(a.Mean(), central, missing)
	if e.Variance < infinity {
		e.Variance = max(0, float64(float64(a.D)*a.VarianceRate(l)))
	}
	return e
}

// deviationMoment returns E(ρ(x² − 1) + √(1−ρ²)xz)ⁿ.
func (a Aligned) deviationMoment(l distribution.Distribution, n int) float64 {
	independent := 1 - square(a.Rho)
	var sum float64
	for j := 0; j <= n; j += 2 { // odd powers of z have mean 0
		factor := float64(binomial(n, j)*intPower(a.Rho, n-j)) * float64(intPower(independent, j/2)*moment(l, j))
		var powers float64 // E(x² − 1)^{n−j}xʲ, which is 0 for signs and then adds nothing
		for i := range n - j + 1 {
			sign := 1 - 2*float64((n-j-i)%2)
			powers += float64(sign * float64(binomial(n-j, i)*moment(l, 2*i+j)))
		}
		sum += float64(factor * powers)
	}
	return sum
}
