package distribution

import (
	"math"

	"mcsim/sim/names"
)

// triangular on [−a, a] with its mode at 0 has E x^k = 2a^k/((k+1)(k+2));
// unit variance wants a² = 6.
var triangular = &family{
	name: names.DistributionTriangular,
	moment: func(_ float64, k int) float64 {
		return 2 * ratio(1, 1.0/6, k) / float64((k+1)*(k+2))
	},
	sizes: func(float64) AbsDistribution {
		a := math.Sqrt(6)
		left := func(at float64) float64 { return max(0, a-at) / a }
		return AbsDistribution{
			Largest: a,
			Density: func(at float64) float64 { return 2 / a * left(at) },
			Tail:    func(at float64) float64 { return float64(left(at) * left(at)) },
		}
	},
}
