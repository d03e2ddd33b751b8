package distribution

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
)

// laplace with scale b has E x^k = k! b^k; unit variance wants b² = 1/2.
var laplace = &family{
	name:   names.DistributionLaplace,
	moment: func(_ float64, k int) float64 { return ratio(factorial(k), 2, k) },
	sizes: func(float64) AbsDistribution {
		return AbsDistribution{
			Largest: unbounded,
			Density: func(at float64) float64 { return math.Sqrt2 * elementary.Exp(-float64(math.Sqrt2*at)) },
			Tail:    func(at float64) float64 { return elementary.Exp(-float64(math.Sqrt2 * at)) },
		}
	},
}

// factorial is k!.
func factorial(k int) float64 {
	m := 1.0
	for j := 2; j <= k; j++ {
		m *= float64(j)
	}
	return m
}
