package theory

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
)

// Aligned is the score q·k of a key that is aligned with its query by ρ per
// component: k = ρq + √(1−ρ²)z, with z independent of q.
type Aligned struct {
	D   int
	Rho float64
}

// Mean is E q·k = ρd.
func (a Aligned) Mean() float64 { return a.Rho * float64(a.D) }

// VarianceRate is what one component adds to the variance, 1 + ρ²(κ − 2). On
// the sphere |q|² does not vary, and it is 1 − ρ².
func (a Aligned) VarianceRate(l distribution.Distribution) float64 {
	if !l.HasIndependentComponents() {
		return 1 - square(a.Rho)
	}
	if a.Rho == 0 {
		return 1
	}
	return 1 + float64(square(a.Rho)*(l.Kurtosis()-2))
}

// MeanSquare is E S² = ρ²d² + d(1 + ρ²(κ − 2)): what an exponent of the scale
// must leave the same at every d.
func (a Aligned) MeanSquare(l distribution.Distribution) float64 {
	d := float64(a.D)
	return square(a.Mean()) + float64(d*a.VarianceRate(l))
}

// LocalExponent is ½ d ln E S²/d ln d, the exponent p for which E (S/d^p)² is
// flat at this d: ½ for ρ = 0, and from there to 1 as ρ²d grows,
// ½(1 + ρ²d/(ρ²d + 1 + ρ²(κ − 2))).
func (a Aligned) LocalExponent(l distribution.Distribution) float64 {
	common := float64(square(a.Rho) * float64(a.D))
	if common == 0 {
		return 0.5
	}
	return (1 + common/(common+a.VarianceRate(l))) / 2
}

// ExponentBetween is the exponent between d and a larger one: ½ the slope of
// ln E S² on ln d from the one to the other.
func (a Aligned) ExponentBetween(l distribution.Distribution, d int) float64 {
	b := Aligned{d, a.Rho}
	return elementary.Log(b.MeanSquare(l)/a.MeanSquare(l)) / (2 * elementary.Log(float64(d)/float64(a.D)))
}

// Moments is the distribution of the score. The deviation of one product from ρ
// is ρ(x² − 1) + √(1−ρ²)xz, so that a moment of order n needs one of order 2n
// of the components: the eighth is not known, but for ρ = 0.
func (a Aligned) Moments(l distribution.Distribution) ExactMoments {
	switch {
	case !l.HasIndependentComponents():
		m := sphereScore(a.D) // |q|² = d, so S = ρd + √(1−ρ²)·q·z
		return ExactMoments{Mean: a.Mean(), Variance: float64(a.D) * (1 - square(a.Rho)), M4: m[2], M6: m[3], M8: m[4]}
	case a.Rho == 0:
		return NewScore(l, a.D).ExactMoments
	}
	order, rest := finiteOrder(l, 12)/2, infinite
	if order == 6 {
		rest = math.NaN()
	}
	w := make([]poly, order/2*2+1)
	for n := range w {
		w[n][0][0] = a.deviation(l, n)
	}
	central := make([]float64, len(w))
	for n, p := range ofSum(w, a.D) {
		central[n] = p[0][0]
	}
	e := exactOf(a.Mean(), central, rest)
	if e.Variance < infinite {
		e.Variance = max(0, float64(float64(a.D)*a.VarianceRate(l)))
	}
	return e
}

// deviation is E(ρ(x² − 1) + √(1−ρ²)xz)ⁿ.
func (a Aligned) deviation(l distribution.Distribution, n int) float64 {
	rest := 1 - square(a.Rho)
	var sum float64
	for j := 0; j <= n; j += 2 { // odd powers of z have mean 0
		factor := float64(binomial(n, j)*whole(a.Rho, n-j)) * float64(whole(rest, j/2)*moment(l, j))
		var powers float64 // E(x² − 1)^{n−j}xʲ, which is 0 for signs and then adds nothing
		for i := range n - j + 1 {
			sign := 1 - 2*float64((n-j-i)%2)
			powers += float64(sign * float64(binomial(n-j, i)*moment(l, 2*i+j)))
		}
		sum += float64(factor * powers)
	}
	return sum
}
