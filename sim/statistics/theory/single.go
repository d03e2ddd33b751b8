package theory

import (
	"math"

	"mcsim/sim/base/distribution"
)

// An estimate of skewed numbers is off by more than the quantile of Cornish and Fisher in
// two ways: by the sum of many numbers, which their series describes, and by one number
// alone that is larger than all others together. Where tails fall like a power, the second
// outweighs the first far enough out, and no series in the moments tells. The chance of it
// is, per score, that of one product q_i·k_i; the sum of both, Cornish and Fisher's tail
// plus that of single products, is an approximation, as for sums of numbers of regularly
// varying tails, of which one large number is the likeliest way to be large (Embrechts,
// Klüppelberg and Mikosch, Modelling Extremal Events, 1997, section 1.3).
//
// Nothing of it goes down: squares are positive, so that without its largest products an
// estimate of a variance lies below by no more than what is left of few small numbers, as
// Cornish and Fisher say. And means need no term of their own. A product must be n times
// the distance to move a mean, the root of that to move a mean square; with a band of τ
// standard deviations, or τ of the variance, on the same n scores, the first is √(nτ)
// times farther out, and gates have nτ > 100.

// VarianceSingle is the chance that one product w = q_i·k_i of n scores alone raises s² by
// more than rise. Given one product the expectation of s² is exactly (w² − 1)/n above d:
// the square of its score is w² + d − 1 on average, and one score adds its square over n.
func (s Score) VarianceSingle(n int64, rise float64) float64 {
	return s.singles(n, 1+float64(float64(n)*rise))
}

// singles is the chance that one of the products of n scores has a square above the limit.
func (s Score) singles(n int64, limit float64) float64 {
	return float64(n) * float64(s.D) * ProductTail(s.distribution, math.Sqrt(max(0, limit)))
}

// ErrorSingle is the same of the sample's own standard error of s², √(V/n) with
// V = m₄ − m₂², and of a rise relative to it. With y = w² − 1 a product raises m₄ by
// [w⁴ − κ² + 6(d−1)y]/n and m₂² by 2dy/n to first order, κ² being E w⁴.
func (s Score) ErrorSingle(n int64, rise float64) float64 {
	if !s.distribution.HasIndependentComponents() {
		return 0
	}
	d, v := float64(s.D), square(s.Variance())*(s.M4-1)
	// y² + (4d − 4)y
	want := float64(float64(float64(n)*v)*(square(1+rise)-1)) + square(s.distribution.Kurtosis()) - 1
	half := 2 * (d - 1)
	return s.singles(n, 1-half+math.Sqrt(square(half)+max(0, want)))
}

// VarianceSingle is the chance that one number alone raises the mean of S² over n scores of
// whole matrices by more than rise: a product, as with independent pairs, or a component x
// of a query, whose part in the scores with all m keys raises it by m(x² − 1)/n, or of a
// key. There are n/(nm)·n·d components of queries, which is n/m for each of d.
func (g Gram) VarianceSingle(n int64, rise float64) float64 {
	scores := float64(n)
	sum := float64(scores * ProductTail(g.distribution, math.Sqrt(1+float64(scores*rise))))
	for _, shared := range []int{g.Keys, g.Queries} {
		by := float64(shared)
		sum += float64(scores / by * ComponentTail(g.distribution, math.Sqrt(1+float64(float64(scores*rise)/by))))
	}
	return float64(g.D) * sum
}

// ComponentSingle is the chance that one of n components alone raises their variance by
// more than rise.
func ComponentSingle(l distribution.Distribution, n int64, rise float64) float64 {
	return float64(n) * ComponentTail(l, math.Sqrt(1+float64(float64(n)*rise)))
}

// KurtosisSingle is the chance that one of n components alone raises their kurtosis by more
// than rise. With y = x² − κ a component raises m₄ by (x⁴ − κ)/n and m₂² by 2(x² − 1)/n, so
// that m₄/m₂² rises by (y² − κ² + κ)/n to first order.
func KurtosisSingle(l distribution.Distribution, n int64, rise float64) float64 {
	k := l.Kurtosis()
	y := math.Sqrt(max(0, float64(float64(n)*rise)+square(k)-k))
	return float64(n) * ComponentTail(l, math.Sqrt(k+y))
}
