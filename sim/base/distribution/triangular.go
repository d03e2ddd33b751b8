package distribution

import (
	"math"

	"mcsim/sim/names"
)

// triangular on [−a, a] with the mode 0 has E x^k = 2a^k/((k+1)(k+2)). The variance is 1 if a² = 6.
var triangular = &family{
	name: names.DistributionTriangular,
	moment: func(_ float64, k int) float64 {
		return 2 * rescaleMoment(1, 1.0/6, k) / float64((k+1)*(k+2))
	},
	absDistribution: func(float64) AbsDistribution {
		a := math.Sqrt(6)
		distanceToEnd := func(x float64) float64 { return max(0, a-x) / a }
		return AbsDistribution{
			Max:     a,
			Density: func(x float64) float64 { return 2 / a * distanceToEnd(x) },
			Tail:    func(x float64) float64 { return float64(distanceToEnd(x) * distanceToEnd(x)) },
		}
	},
}
