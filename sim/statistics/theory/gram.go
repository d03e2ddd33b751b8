package theory

import (
	"math"

	"mcsim/sim/base/distribution"
)

// Gram is the mean of S² over all products of n queries with m keys, whose
// components are independent, of mean 0 and variance 1 and one symmetric distribution.
// The nm scores are uncorrelated but not independent: those that share a query
// or a key have squares that are correlated.
type Gram struct {
	D, Queries, Keys int
	distribution     distribution.Distribution
	variance, skew   float64 // of one matrix's mean of S²/d: relative variance, skewness
	sixth            bool    // whether it has a sixth moment
}

// NewGram returns the errors of matrices of n queries by m keys.
func NewGram(l distribution.Distribution, d, n, m int) Gram {
	k4, k6 := l.Moment(4), l.Moment(6)
	g := Gram{D: d, Queries: n, Keys: m, distribution: l, sixth: !math.IsInf(l.Moment(12), 1)}
	D, N, M := float64(d), float64(n), float64(m)
	g.variance = relativeVariance(D, N, M, k4)
	if math.IsInf(k6, 1) {
		g.skew = k6
		return g
	}
	if spread := float64(g.variance * square(float64(D*N*M))); spread > 0 {
		g.skew = thirdCumulant(D, N, M, k4, k6) / float64(spread*math.Sqrt(spread))
	}
	return g
}

// relativeVariance is Var(T)/(E T)² of T = Σᵢⱼ Sᵢⱼ².
func relativeVariance(d, n, m, k4 float64) float64 {
	return (2 + (float64(k4*k4)-3)/d + float64((n+m-2)*(k4-1))/d) / (n * m)
}

// thirdCumulant is that of T = Σᵢⱼ Sᵢⱼ². Given the queries, T is a sum over the
// keys of quadratic forms kᵀAk with A = Σᵢ qᵢqᵢᵀ, whose cumulants are tr A,
// 2 tr A² + c₄ Σ a_tt² and 8 tr A³ + 12 c₄ Σ a_tt (A²)_tt + c₆ Σ a_tt³, c₄ and
// c₆ the cumulants of a component; then the law of total cumulance,
//
//	κ₃(T) = E κ₃(T|A) + 3 Cov(E(T|A), Var(T|A)) + κ₃(E(T|A)).
//
// The entries of A on the diagonal are sums of n squares, those off it are
// uncorrelated with mean 0.
func thirdCumulant(d, n, m, k4, k6 float64) float64 {
	c4, c6 := k4-3, k6-float64(15*k4)+30
	v, third := k4-1, k6-float64(3*k4)+2 // of a squared component: variance and third central moment

	a2 := float64(n*n) + float64(n*v)                                        // E a_tt²
	a3 := float64(n*n*n) + float64(3*n*n*v) + float64(n*third)               // E a_tt³
	cov := float64(2*n*n*v) + float64(n*third)                               // Cov(a_tt, a_tt²)
	square := float64(d * (a3 + float64((d-1)*a2)))                          // E Σ a_tt (A²)_tt
	cube := float64(d*a3) + float64(3*d*(d-1)*a2) + float64(d*(d-1)*(d-2)*n) // E tr A³

	within := float64(m * (float64(8*cube) + float64(12*c4*square) + float64(c6*d*a3)))
	between := float64(3 * m * m * (float64(2*(float64(d*cov)+float64(2*d*(d-1)*n*v))) + float64(c4*d*cov)))
	return within + between + float64(m*m*m*d*n*third)
}

// pairs is how many scores a matrix has.
func (g Gram) pairs() float64 { return float64(g.Queries) * float64(g.Keys) }

// Variance is Var S = d.
func (g Gram) Variance() float64 { return float64(g.D) }

// MeanSE is the standard error of the mean of n scores, of whole matrices.
func (g Gram) MeanSE(n int64) float64 { return math.Sqrt(float64(g.D) / float64(n)) }

// RelativeVariance is n times the squared relative error of the mean of S².
func (g Gram) RelativeVariance() float64 { return float64(g.variance * g.pairs()) }

// VarianceSE is the standard error of the mean of S² over n scores.
func (g Gram) VarianceSE(n int64) float64 {
	return float64(g.Variance() * math.Sqrt(g.RelativeVariance()/float64(n)))
}

// VarianceSkew is the skewness of one score's part in the mean of S²: that of n
// scores is this over √n.
func (g Gram) VarianceSkew() float64 { return float64(g.skew * math.Sqrt(g.pairs())) }

// ErrorOfError is how well the standard error of the variance of n scores is known,
// relatively. It follows from the skewness of the estimate: for independent normal scores
// it is ½√14 against √8, two thirds of it.
func (g Gram) ErrorOfError(n int64) float64 {
	return math.Abs(g.VarianceSkew()) / math.Sqrt(float64(n)) * 2 / 3
}
