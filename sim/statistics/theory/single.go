package theory

import (
	"math"

	"mcsim/sim/base/distribution"
)

// An estimate of skewed numbers can exceed the quantile of Cornish and Fisher in two ways: by the
// sum of many numbers, which their series describes, or by one number that is larger than all
// others together. If tails fall like a power, the second way dominates far out in the tail, and no
// series in the moments shows it. Its probability per score is d times the tail probability of one
// product q_i·k_i. The sum of both, the tail of Cornish and Fisher and the tail of single products,
// is an approximation. It is used for sums of numbers with regularly varying tails, which are most
// likely large because of one large number (Embrechts, Klüppelberg and Mikosch, Modelling
// Extremal Events, 1997, section 1.3).
//
// Only the upper tail needs this term. Squares are positive, so that an estimate of a variance
// without large products is below the variance by no more than Cornish and Fisher say. Means do not
// need the term either: a product must be nx to move the mean of n scores by x, but only √(nx) to
// move their mean square by x. For a band of τ standard deviations around the mean, or of τ times
// the variance around the variance, the first product is √(nτ) times larger; gates have nτ > 100.

// VarianceSingleProductTail returns the probability that one product w = q_i·k_i of n scores alone
// raises s² by more than rise. Given w, the expectation of s² is exactly d + (w² − 1)/n: the square
// of its score has the mean w² + d − 1, and one score adds its square over n.
func (s Score) VarianceSingleProductTail(n int64, rise float64) float64 {
	return s.singleProductTail(n, 1+float64(float64(n)*rise))
}

// singleProductTail returns the expected number of products of n scores whose square exceeds limit.
// It bounds the probability that there is such a product.
func (s Score) singleProductTail(n int64, limit float64) float64 {
	return float64(n) * float64(s.D) * ProductTail(s.distribution, math.Sqrt(max(0, limit)))
}

// SESingleProductTail returns the probability that one product w alone raises the standard error
// √(V/n) of s² by a relative difference of more than rise. V = m₄ − m₂² is estimated from the same
// n scores. With y = w² − 1, the product raises m₄ by [w⁴ − κ² + 6(d−1)y]/n and m₂² by 2dy/n to
// first order, where κ is the kurtosis of a component, so that κ² = E w⁴.
func (s Score) SESingleProductTail(n int64, rise float64) float64 {
	if !s.distribution.HasIndependentComponents() {
		return 0
	}
	d, v := float64(s.D), square(s.Variance())*(s.M4-1)
	// The product must have y² + (4d − 4)y = target.
	target := float64(float64(float64(n)*v)*(square(1+rise)-1)) + square(s.distribution.Kurtosis()) - 1
	coefficient := 2 * (d - 1)
	return s.singleProductTail(n, 1-coefficient+math.Sqrt(square(coefficient)+max(0, target)))
}

// VarianceSingleProductTail returns the probability that one number alone raises the mean of S²
// over n scores of whole matrices by more than rise. The number is a product, as with independent
// pairs, or a component of a query or of a key. A component x of a query raises the mean by m(x² −
// 1)/n through the scores with all m keys. The n scores have n/m queries of d components each. The
// same holds for a component of a key, with m queries.
func (g Gram) VarianceSingleProductTail(n int64, rise float64) float64 {
	scores := float64(n)
	sum := float64(scores * ProductTail(g.distribution, math.Sqrt(1+float64(scores*rise))))
	for _, partners := range []int{g.Keys, g.Queries} { // vectors that a query or a key is multiplied with
		m := float64(partners)
		sum += float64(scores / m * ComponentTail(g.distribution, math.Sqrt(1+float64(float64(scores*rise)/m))))
	}
	return float64(g.D) * sum
}

// VarianceSingleComponentTail returns the probability that one of n components of distribution l
// alone raises their variance by more than rise.
func VarianceSingleComponentTail(l distribution.Distribution, n int64, rise float64) float64 {
	return float64(n) * ComponentTail(l, math.Sqrt(1+float64(float64(n)*rise)))
}

// KurtosisSingleComponentTail returns the probability that one of n components of distribution l
// alone raises their kurtosis m₄/m₂² by more than rise. A component x raises m₄ by (x⁴ − κ)/n and
// m₂² by 2(x² − 1)/n, where κ is the kurtosis of the distribution. With y = x² − κ, m₄/m₂² rises by
// (y² − κ² + κ)/n to first order.
func KurtosisSingleComponentTail(l distribution.Distribution, n int64, rise float64) float64 {
	k := l.Kurtosis()
	y := math.Sqrt(max(0, float64(float64(n)*rise)+square(k)-k))
	return float64(n) * ComponentTail(l, math.Sqrt(k+y))
}
