// Package theory computes exact values by closed forms and quadrature.
//
//   - The moments of the score S = q·k and the standard errors that follow from them: score.go
//     (independent pairs), gram.go (all products of two matrices), mismatch.go (components with
//     other means and variances, or correlated ones), alignment.go (keys that are correlated with
//     the query), and exact.go and poly.go, which these share.
//   - Expectations of softmax over a row of logits: the files softmax*.go, alignment_softmax.go and
//     sink.go; normality.go, grid.go and overflow.go have the distribution of S.
//   - Limits and tails: tail.go (Cornish and Fisher, Clopper and Pearson), student.go,
//     kolmogorov.go, ratio.go (proportions of clusters), blocks.go (variances of block means), and
//     single.go (sums that one large product dominates).
//   - Quadrature rules: legendre.go, laguerre.go; memo.go caches values that are slow to compute.
package theory

import (
	"math"

	"mcsim/sim/base/distribution"
)

// Score holds the exact moments of S = q·k for q and k of D components of one distribution. The
// variance of S is D, and odd moments are 0. M4 to M12 are E(S/√D)^k, +Inf if they do not exist.
type Score struct {
	ExactMoments
	D            int
	M10, M12     float64
	distribution distribution.Distribution
}

// NewScore returns the moments of q·k in dimension d ≥ 1 for q and k of distribution l.
func NewScore(l distribution.Distribution, d int) Score {
	var m evenOrders
	if l.HasIndependentComponents() {
		m = independentMoments(l, d)
	} else {
		m = sphereMoments(d)
	}
	exact := ExactMoments{Variance: float64(d), M4: m[2], M6: m[3], M8: m[4]}
	return Score{ExactMoments: exact, D: d, M10: m[5], M12: m[6], distribution: l}
}

// evenOrders holds the moments or the cumulants of even order of a symmetric distribution of
// variance 1: element j is the one of order 2j.
type evenOrders [7]float64

// independentMoments returns the moments of S/√d for independent components. S is a sum of d
// independent products, whose moments are (E x^k)² with x a component. The cumulant of order k of
// S/√d is the cumulant of one product over d^{k/2−1}.
func independentMoments(l distribution.Distribution, d int) evenOrders {
	m := evenOrders{1, 1}
	for j := 2; j < len(m); j++ {
		m[j] = square(l.Moment(2 * j))
	}
	k, divisor := m.toCumulants(), 1.0
	for j := 2; j < len(k); j++ {
		divisor *= float64(d)
		k[j] /= divisor
	}
	return k.toMoments()
}

// toCumulants solves the recursion m_n = Σ_j C(n−1, j−1) κ_j m_{n−j} of the moments m for the
// cumulants κ. The cumulants are infinite from the first infinite moment on.
func (m evenOrders) toCumulants() (k evenOrders) {
	for j := 1; j < len(m); j++ {
		k[j] = m[j] - k.lowerTerms(m, j)
		if math.IsInf(m[j], 1) {
			k[j] = m[j]
		}
	}
	return k
}

// toMoments evaluates the recursion of toCumulants, of which it is the inverse.
func (k evenOrders) toMoments() evenOrders {
	m := evenOrders{1}
	for j := 1; j < len(m); j++ {
		m[j] = k[j] + k.lowerTerms(m, j)
		if math.IsInf(k[j], 1) {
			m[j] = k[j]
		}
	}
	return m
}

// lowerTerms returns the sum of the terms of the recursion for the moment of order 2j except κ_2j.
func (k evenOrders) lowerTerms(m evenOrders, j int) float64 {
	sum := 0.0
	for i := 1; i < j; i++ {
		sum += float64(binomial(2*j-1, 2*i-1) * k[i] * m[j-i])
	}
	return sum
}

// binomial returns C(n, k), exact if it is below 2⁵³.
func binomial(n, k int) float64 {
	c := 1.0
	for i := 1; i <= k; i++ {
		c = c * float64(n-k+i) / float64(i)
	}
	return c
}

// sphereMoments returns the moments of S/√d for q and k on the sphere of radius √d. There S = d·t
// with t the cosine of the angle between two uniform directions, and
// E t^{2j} = (2j−1)!!/(d(d+2)⋯(d+2j−2)).
func sphereMoments(d int) evenOrders {
	n, m := float64(d), evenOrders{1, 1}
	for j := 2; j < len(m); j++ {
		m[j] = float64(m[j-1]*float64(2*j-1)) * n / (n + float64(2*j-2))
	}
	return m
}

func square(x float64) float64 { return float64(x * x) }

func (s Score) Variance() float64 { return s.ExactMoments.Variance }

// Excess returns the excess kurtosis γ₂ = M4 − 3 of S.
func (s Score) Excess() float64 { return s.M4 - 3 }

// SquareSE returns the standard error σ²√((2+γ₂)/n) of the mean of S² over n independent scores. It
// is also the standard error of the variance if the mean 0 is known.
func (s Score) SquareSE(n int64) float64 {
	return float64(s.Variance() * math.Sqrt(max(0, 2+s.Excess())/float64(n)))
}

// VarianceSESkew returns √n times the skewness of √(V/n), the standard error of s² that is
// estimated from the central moments m2 and m4 of the same n scores, with V = m4 − m2².
//
// Let c_j be the central moments of Y = S²/σ². To first order in 1/n, V/σ⁴ is a mean over the
// scores of terms with the variance v = c4 − c2² and the third cumulant c6 − 3c2c4 + 2c2³ − 6c3².
// Its last part is there because the sample's mean of Y is subtracted. The square root lowers the
// skewness by (3/2)√v/c2. The result is NaN if it does not exist.
func (s Score) VarianceSESkew() float64 {
	c2 := s.M4 - 1
	c3 := s.M6 - float64(3*s.M4) + 2
	c4 := s.M8 - float64(4*s.M6) + float64(6*s.M4) - 3
	c6 := s.M12 - float64(6*s.M10) + float64(15*s.M8) - float64(20*s.M6) + float64(15*s.M4) - 5
	v := c4 - square(c2)
	if !(v > 1e-12) || math.IsInf(s.M12, 1) {
		return math.NaN()
	}
	third := c6 - float64(3*c2*c4) + float64(2*c2*c2*c2) - float64(6*square(c3))
	root := math.Sqrt(v)
	return third/float64(v*root) - float64(1.5*root)/c2
}

// SkewnessSE returns the standard error √((M6 − 6M4 + 9)/n) of the sample skewness of a symmetric
// distribution, +Inf if M6 is.
func (s Score) SkewnessSE(n int64) float64 {
	if math.IsInf(s.M6, 1) {
		return s.M6
	}
	return math.Sqrt(max(0, s.M6-float64(6*s.M4)+9) / float64(n))
}

// KurtosisSE returns the standard error √((M8 − 4M4M6 + 4M4³ − M4²)/n) of the sample excess
// kurtosis of a symmetric distribution, +Inf if M8 is.
func (s Score) KurtosisSE(n int64) float64 {
	if math.IsInf(s.M8, 1) {
		return s.M8
	}
	variance := s.M8 - float64(4*s.M4*s.M6) + float64(4*square(s.M4)*s.M4) - square(s.M4) // n times the squared error
	return math.Sqrt(max(0, variance) / float64(n))
}

// KurtosisBias returns the bias (3M4(M4−1) − 2(M6−M4) + 6 − 2M4)/n of the sample kurtosis m4/m2² of
// a symmetric distribution, to first order in 1/n. It follows from an expansion of m4/m2² about the
// exact moments. The last two terms are there because the mean is estimated.
func (s Score) KurtosisBias(n int64) float64 {
	return (float64(3*s.M4*(s.M4-1)) - float64(2*(s.M6-s.M4)) + 6 - float64(2*s.M4)) / float64(n)
}
