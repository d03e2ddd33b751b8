package document

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// RejectionLevel is the probability that the tests together reject z-scores that are independent
// normal numbers.
const RejectionLevel = 1e-3

// test is a test of whether z-scores are independent normal numbers.
type test struct {
	name, quantity string
	theory         func(n int) float64 // expected value of the statistic of n z-scores; nil if it is not reported
	statistic      func(sorted []float64) float64
	p              func(statistic float64, n int) float64 // p-value
}

// tests are the tests that together have the level RejectionLevel.
var tests = []test{
	{name: "largest", quantity: "z_largest", statistic: largestAbs, p: largestTail},
	{name: "distribution", quantity: "z_distance", statistic: kolmogorovDistance, p: theory.KolmogorovTail},
	{name: "squares", quantity: "z_squares", statistic: elementary.SumOfSquares, p: chiSquareTail,
		theory: func(n int) float64 { return float64(n) }},
}

// testEstimates returns the limits of a single z-score and of the largest z-score; the statistic,
// the p-value and the level of each test; and the p-value and the level of all tests together.
func testEstimates(scores []result.Estimate) []result.Estimate {
	z := names.Map(scores, func(r result.Estimate) float64 { return float64(r.Value) })
	slices.Sort(z)
	n := len(z)
	estimates := []result.Estimate{zLimitEstimate(1, n),
		zLimitEstimate(n, n, result.Params{names.ParamTest: names.TestJoint})}
	smallestP := 1.0
	for _, t := range tests {
		x := t.statistic(z)
		r := newWholeEstimate(t.quantity, n, x)
		if t.theory != nil {
			r.Theory, r.TheoryKind = result.Number(t.theory(n)), names.TheoryExact
		}
		p := t.p(x, n)
		smallestP = min(smallestP, p)
		estimates = append(estimates, r, newWholeEstimate(names.PValue, n, p, result.Params{names.ParamTest: t.name}),
			newWholeEstimate(names.RejectionLevel, n, RejectionLevel/float64(len(tests)),
				result.Params{names.ParamTest: t.name}))
	}
	return append(estimates, newWholeEstimate(names.PValue, n, min(1, smallestP*float64(len(tests))),
		result.Params{names.ParamTest: names.TestJoint}),
		newWholeEstimate(names.RejectionLevel, n, RejectionLevel, result.Params{names.ParamTest: names.TestJoint}))
}

// zLimitEstimate returns the limit that the largest absolute value of the given number of normal
// numbers exceeds with a probability of at most 5 % (Bonferroni). n is the number of z-scores.
func zLimitEstimate(number, n int, params ...result.Params) result.Estimate {
	z := -elementary.Quantile((1 - experiment.Level) / 2 / float64(number))
	return newWholeEstimate(names.ZLimit, n, z, append(params, result.Params{names.ParamTests: float64(number)})...)
}

// largestAbs returns the largest absolute value.
func largestAbs(sorted []float64) float64 { return max(-sorted[0], sorted[len(sorted)-1]) }

// largestTail returns the probability 1 − (2Φ(m) − 1)ⁿ that the largest absolute value of n normal
// numbers exceeds m. Φ is the normal distribution function.
func largestTail(m float64, n int) float64 {
	return -elementary.Expm1(float64(float64(n) * elementary.Log1p(-elementary.Erfc(m/math.Sqrt2))))
}

// kolmogorovDistance returns sup|F_n − Φ| for the empirical distribution function F_n of the
// numbers. The supremum is attained at one of the numbers or just below it.
func kolmogorovDistance(sorted []float64) (distance float64) {
	n := float64(len(sorted))
	for i, z := range sorted {
		normal := float64(elementary.Erfc(-z/math.Sqrt2) / 2)
		distance = max(distance, normal-float64(i)/n, float64(i+1)/n-normal)
	}
	return distance
}

// chiSquareTail returns the two-sided p-value of χ² = x with n degrees of freedom: twice the
// smaller tail probability.
func chiSquareTail(x float64, n int) float64 {
	lower, upper := elementary.Gamma(x/2, float64(n)/2)
	return min(1, 2*min(lower, upper))
}
