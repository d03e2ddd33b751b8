package distribution

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
)

// laplace with the scale b has E x^k = k! b^k. The variance is 1 if b² = 1/2.
var laplace = &family{
	name:   names.DistributionLaplace,
	moment: func(_ float64, k int) float64 { return rescaleMoment(factorial(k), 2, k) },
	absDistribution: func(float64) AbsDistribution {
		return AbsDistribution{
			Max:     unbounded,
			Density: func(x float64) float64 { return math.Sqrt2 * elementary.Exp(-float64(math.Sqrt2*x)) },
			Tail:    func(x float64) float64 { return elementary.Exp(-float64(math.Sqrt2 * x)) },
		}
	},
}

func factorial(k int) float64 {
	m := 1.0
	for j := 2; j <= k; j++ {
		m *= float64(j)
	}
	return m
}
