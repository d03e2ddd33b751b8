package theory

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
)

// Mismatch is a score q·k of components that do not have mean 0 and variance 1,
// or are not independent: q_i = μ_q + σ_q(√r_q g + √(1−r_q) a_i), with g and
// all a_i independent of each other and of one distribution, so that any two components
// of q have the correlation r_q; and k likewise.
type Mismatch struct {
	D    int
	Q, K Components
}

// Components is what the components of a vector have in common.
type Components struct{ Mean, SD, Correlation float64 }

// Mean is E q·k = d·μ_q·μ_k.
func (m Mismatch) Mean() float64 { return float64(m.D) * m.Q.Mean * m.K.Mean }

// Variance is
//
//	Var q·k = d[σ_q²σ_k²(1+(d−1)r_q r_k) + μ_k²σ_q²(1+(d−1)r_q) + μ_q²σ_k²(1+(d−1)r_k)],
//
// since for independent q and k it is tr Σ_qΣ_k + μ_k²·1ᵀΣ_q1 + μ_q²·1ᵀΣ_k1 with
// Σ = σ²((1−r)I + r·11ᵀ).
func (m Mismatch) Variance() float64 { return m.KeyVariance() + m.alone(m.Q, m.K) }

// KeyVariance is the mean variance of the scores of one query. The rest, μ_k²·1ᵀΣ_q1, all
// keys of one query share: no softmax over keys can see it.
func (m Mismatch) KeyVariance() float64 {
	d := float64(m.D)
	both := square(m.Q.SD) * square(m.K.SD) * (1 + float64(float64((d-1)*m.Q.Correlation)*m.K.Correlation))
	return float64(d*both) + m.alone(m.K, m.Q)
}

// alone is what one vector's deviations make with the other's mean.
func (m Mismatch) alone(of, with Components) float64 {
	d := float64(m.D)
	return float64(d * square(with.Mean) * square(of.SD) * (1 + float64((d-1)*of.Correlation)))
}

// Moments is the distribution for components of a distribution of independent ones. With
// u and v the deviations of q_i and k_i from their means, the deviation of
// their product is w = μ_q v + μ_k u + uv, whose moments given g and h are
// polynomials in them, and given g and h the score is a sum of independent
// products.
func (m Mismatch) Moments(l distribution.Distribution) ExactMoments {
	order := finiteOrder(l, maxPower)
	u, v := m.Q.deviation(l, order), m.K.deviation(l, order)
	w := make([]poly, order+1)
	for n := range w {
		m.product(&w[n], u, v, n)
	}
	central := make([]float64, order+1)
	for n, p := range ofSum(w, m.D) {
		central[n] = p.expectation(l)
	}
	e := exactOf(m.Mean(), central, infinite)
	e.Variance = m.Variance()
	return e
}

// product adds to p the moment of order n of w:
// Σ n!/(a!b!c!) μ_qᵃ μ_kᵇ E u^{b+c} E v^{a+c} over a + b + c = n.
func (m Mismatch) product(p *poly, u, v [][maxPower + 1]float64, n int) {
	for a := range n + 1 {
		for b := range n + 1 - a {
			c := n - a - b
			factor := float64(binomial(n, a)*binomial(n-a, b)) * float64(whole(m.Q.Mean, a)*whole(m.K.Mean, b))
			for i, x := range u[b+c] {
				for j, y := range v[a+c] {
					p[i][j] += float64(float64(factor*x) * y)
				}
			}
		}
	}
}

// deviation returns, for each order n, E[(√r·σ·g + √(1−r)·σ·a)ⁿ | g] as a
// polynomial in g.
func (c Components) deviation(l distribution.Distribution, order int) [][maxPower + 1]float64 {
	common, own := float64(c.SD*math.Sqrt(c.Correlation)), float64(c.SD*math.Sqrt(1-c.Correlation))
	all := make([][maxPower + 1]float64, order+1)
	for n := range all {
		for i := range n + 1 {
			all[n][i] = float64(binomial(n, i)*whole(common, i)) * float64(whole(own, n-i)*moment(l, n-i))
		}
	}
	return all
}

// whole is xⁿ.
func whole(x float64, n int) float64 { return elementary.Pow(x, float64(n)) }
