package theory

import (
	"math"

	"mcsim/sim/base/distribution"
)

// Gram holds the errors of the mean of S² over all products of Queries queries with Keys keys. The
// components of queries and keys are independent and of one symmetric distribution of mean 0 and
// variance 1. The scores are uncorrelated but not independent: the squares of scores that share a
// query or a key are correlated.
type Gram struct {
	D, Queries, Keys int
	distribution     distribution.Distribution
	variance, skew   float64 // relative variance and skewness of the mean of S²/d over one matrix
	hasSixth         bool    // whether that mean has a sixth moment
}

// NewGram returns the errors for n queries and m keys of dimension d.
func NewGram(l distribution.Distribution, d, n, m int) Gram {
	k4, k6 := l.Moment(4), l.Moment(6)
	g := Gram{D: d, Queries: n, Keys: m, distribution: l, hasSixth: !math.IsInf(l.Moment(12), 1)}
	D, N, M := float64(d), float64(n), float64(m)
	g.variance = relativeVariance(D, N, M, k4)
	if math.IsInf(k6, 1) {
		g.skew = k6
		return g
	}
	if variance := float64(g.variance * square(float64(D*N*M))); variance > 0 { // of Σᵢⱼ Sᵢⱼ²
		g.skew = thirdCumulant(D, N, M, k4, k6) / float64(variance*math.Sqrt(variance))
	}
	return g
}

// relativeVariance returns Var(T)/(E T)² of T = Σᵢⱼ Sᵢⱼ² for n queries and m keys whose components
// have the kurtosis k4.
func relativeVariance(d, n, m, k4 float64) float64 {
	return (2 + (float64(k4*k4)-3)/d + float64((n+m-2)*(k4-1))/d) / (n * m)
}

// thirdCumulant returns the third cumulant of T = Σᵢⱼ Sᵢⱼ² for n queries and m keys. k4 and k6 are
// the moments of a component of orders 4 and 6. Given the queries, T is a sum over the keys of
// quadratic forms kᵀAk with A = Σᵢ qᵢqᵢᵀ. Each form has the cumulants tr A, 2 tr A² + c₄ Σ a_tt²
// and 8 tr A³ + 12 c₄ Σ a_tt (A²)_tt + c₆ Σ a_tt³, with a_tt the diagonal elements of A and with c₄
// and c₆ the cumulants of a component. Then the law of total cumulance gives κ₃(T) = E κ₃(T|A) + 3
// Cov(E(T|A), Var(T|A)) + κ₃(E(T|A)). The a_tt are sums of n squares. The other elements of A are
// uncorrelated and have mean 0.
func thirdCumulant(d, n, m, k4, k6 float64) float64 {
	c4, c6 := k4-3, k6-float64(15*k4)+30
	v, thirdCentral := k4-1, k6-float64(3*k4)+2 // of a squared component: variance and third central moment

	meanSquare := float64(n*n) + float64(n*v)                               // E a_tt²
	meanCube := float64(n*n*n) + float64(3*n*n*v) + float64(n*thirdCentral) // E a_tt³
	cov := float64(2*n*n*v) + float64(n*thirdCentral)                       // Cov(a_tt, a_tt²)
	diagonalSum := float64(d * (meanCube + float64((d-1)*meanSquare)))      // E Σ a_tt (A²)_tt
	// E tr A³
	cubeTrace := float64(d*meanCube) + float64(3*d*(d-1)*meanSquare) + float64(d*(d-1)*(d-2)*n)

	within := float64(m * (float64(8*cubeTrace) + float64(12*c4*diagonalSum) + float64(c6*d*meanCube)))
	covariance := float64(3 * m * m * (float64(2*(float64(d*cov)+float64(2*d*(d-1)*n*v))) + float64(c4*d*cov)))
	return within + covariance + float64(m*m*m*d*n*thirdCentral)
}

func (g Gram) scores() float64 { return float64(g.Queries) * float64(g.Keys) }

func (g Gram) Variance() float64 { return float64(g.D) }

// MeanSE returns the standard error of the mean of n scores of whole matrices.
func (g Gram) MeanSE(n int64) float64 { return math.Sqrt(float64(g.D) / float64(n)) }

// RelativeVariance returns n times the squared relative standard error of the mean of S² over n
// scores of whole matrices.
func (g Gram) RelativeVariance() float64 { return float64(g.variance * g.scores()) }

// VarianceSE returns the standard error of the mean of S² over n scores of whole matrices.
func (g Gram) VarianceSE(n int64) float64 {
	return float64(g.Variance() * math.Sqrt(g.RelativeVariance()/float64(n)))
}

// VarianceSkew returns √n times the skewness of the mean of S² over n scores of whole matrices.
func (g Gram) VarianceSkew() float64 { return float64(g.skew * math.Sqrt(g.scores())) }

// ErrorOfError returns the relative standard error of the standard error of the mean of S², which
// is estimated from the same n scores. It is approximated by two thirds of the skewness of that
// mean. For independent normal scores the exact ratio is ½√14/√8 = 0.66.
func (g Gram) ErrorOfError(n int64) float64 {
	return math.Abs(g.VarianceSkew()) / math.Sqrt(float64(n)) * 2 / 3
}
