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

// VarianceRate returns the variance of the score per component, 1 + ρ²(κ − 2), where κ is the
// kurtosis of a component. On the sphere |q|² is constant, and the rate is 1 − ρ².
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

// LocalExponent returns the exponent p for which the derivative of E (S/d^p)² with respect to d is
// 0 at a.D. It is half the slope of ln E S² over ln d, ½(1 + ρ²d/(ρ²d + 1 + ρ²(κ − 2))). It grows
// from ½ at ρ = 0 towards 1.
func (a Aligned) LocalExponent(l distribution.Distribution) float64 {
	meanRate := float64(square(a.Rho) * float64(a.D)) // (E S)²/d
	if meanRate == 0 {
		return 0.5
	}
	return (1 + meanRate/(meanRate+a.VarianceRate(l))) / 2
}

// ExponentBetween returns the exponent p for which E (S/d^p)² is the same at a.D and at a larger
// dimension: half the slope of ln E S² over ln d between the two dimensions.
func (a Aligned) ExponentBetween(l distribution.Distribution, larger int) float64 {
	b := Aligned{larger, a.Rho}
	return elementary.Log(b.MeanSquare(l)/a.MeanSquare(l)) / (2 * elementary.Log(float64(larger)/float64(a.D)))
}

// Moments returns the moments of the score for components of distribution l. The deviation of one
// product from its mean ρ is ρ(x² − 1) + √(1−ρ²)xz, with x a component of q and z independent of
// it. Therefore its moment of order n requires the moment of order 2n of the components. Moments of
// components are known up to order 12, so that M8 is known for ρ = 0 only.
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
		missing = math.NaN() // whether the moment of order 16 exists is not known
	}
	w := make([]poly, order/2*2+1) // the orders from 0 to the largest even one
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
		var powers float64 // E (x² − 1)^{n−j} xʲ
		for i := range n - j + 1 {
			sign := 1 - 2*float64((n-j-i)%2)
			powers += float64(sign * float64(binomial(n-j, i)*moment(l, 2*i+j)))
		}
		sum += float64(factor * powers)
	}
	return sum
}
