package theory

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
)

// Mismatch is the distribution of a score q·k whose components do not have mean 0 and variance 1,
// or are not independent: q_i = μ_q + σ_q(√r_q g + √(1−r_q) a_i). Here g and all a_i are
// independent of each other and of one distribution, so that any two components of q have the
// correlation r_q. The same holds for k, with an independent common number h in place of g.
type Mismatch struct {
	D    int
	Q, K Components
}

// Components holds the mean and the standard deviation of each component of a vector, and the
// correlation of any two.
type Components struct{ Mean, SD, Correlation float64 }

// Mean returns E q·k = d·μ_q·μ_k.
func (m Mismatch) Mean() float64 { return float64(m.D) * m.Q.Mean * m.K.Mean }

// Variance returns Var q·k = d[σ_q²σ_k²(1+(d−1)r_qr_k) + μ_k²σ_q²(1+(d−1)r_q) +
// μ_q²σ_k²(1+(d−1)r_k)]. For independent q and k it is tr Σ_qΣ_k + μ_k²·1ᵀΣ_q1 + μ_q²·1ᵀΣ_k1 with
// the covariance matrices Σ = σ²((1−r)I + r·11ᵀ).
func (m Mismatch) Variance() float64 { return m.KeyVariance() + m.crossVariance(m.Q, m.K) }

// KeyVariance returns the mean over queries of the variance of the scores of one query. The rest of
// the variance, μ_k²·1ᵀΣ_q1, is common to all keys of a query, and softmax over keys ignores it.
func (m Mismatch) KeyVariance() float64 {
	d := float64(m.D)
	product := square(m.Q.SD) * square(m.K.SD) * (1 + float64(float64((d-1)*m.Q.Correlation)*m.K.Correlation))
	return float64(d*product) + m.crossVariance(m.K, m.Q)
}

// crossVariance returns the variance of (varying − E varying)·(E fixed) for the two vectors.
func (m Mismatch) crossVariance(varying, fixed Components) float64 {
	d := float64(m.D)
	return float64(d * square(fixed.Mean) * square(varying.SD) * (1 + float64((d-1)*varying.Correlation)))
}

// Moments returns the moments of the score if g, h and all a_i are of distribution l. Let u and v
// be the deviations of q_i and k_i from their means. Then the deviation of their product from
// μ_qμ_k is w = μ_q v + μ_k u + uv. The moments of w given g and h are polynomials in g and h.
// Given these two, the score is a sum of independent products.
func (m Mismatch) Moments(l distribution.Distribution) ExactMoments {
	order := finiteOrder(l, maxOrder)
	u, v := m.Q.deviationMoments(l, order), m.K.deviationMoments(l, order)
	w := make([]poly, order+1)
	for n := range w {
		m.addProductMoment(&w[n], u, v, n)
	}
	central := make([]float64, order+1)
	for n, p := range sumMoments(w, m.D) {
		central[n] = p.expectation(l)
	}
	e := newExactMoments(m.Mean(), central, infinity)
	e.Variance = m.Variance()
	return e
}

// addProductMoment adds to p the moment of order n of w given g and h, the sum over a + b + c = n
// of n!/(a!b!c!) μ_qᵃ μ_kᵇ E[u^{b+c} | g] E[v^{a+c} | h]. u[j] has the coefficients of E[uʲ | g] in
// g, and v[j] the coefficients of E[vʲ | h] in h.
func (m Mismatch) addProductMoment(p *poly, u, v [][maxOrder + 1]float64, n int) {
	for a := range n + 1 {
		for b := range n + 1 - a {
			c := n - a - b
			factor := float64(binomial(n, a)*binomial(n-a, b)) * float64(intPower(m.Q.Mean, a)*intPower(m.K.Mean, b))
			for i, x := range u[b+c] {
				for j, y := range v[a+c] {
					p[i][j] += float64(float64(factor*x) * y)
				}
			}
		}
	}
}

// deviationMoments returns by order n the coefficients of E[(√r·σ·g + √(1−r)·σ·a)ⁿ | g] in g.
func (c Components) deviationMoments(l distribution.Distribution, order int) [][maxOrder + 1]float64 {
	common, independent := float64(c.SD*math.Sqrt(c.Correlation)), float64(c.SD*math.Sqrt(1-c.Correlation))
	moments := make([][maxOrder + 1]float64, order+1)
	for n := range moments {
		for i := range n + 1 {
			coefficient := float64(binomial(n, i) * intPower(common, i))
			moments[n][i] = coefficient * float64(intPower(independent, n-i)*moment(l, n-i))
		}
	}
	return moments
}

func intPower(x float64, n int) float64 { return elementary.Pow(x, float64(n)) }
