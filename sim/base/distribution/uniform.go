package distribution

import (
	"math"

	"mcsim/sim/names"
)

// Uniform is the uniform distribution on [−√3, √3].
var Uniform = Distribution{family: uniform}

// uniform on [−a, a] has E x^k = a^k/(k+1). The variance is 1 if a² = 3.
var uniform = &family{
	name:   names.DistributionUniform,
	moment: func(_ float64, k int) float64 { return rescaleMoment(1, 1.0/3, k) / float64(k+1) },
	absDistribution: func(float64) AbsDistribution {
		a := math.Sqrt(3)
		return AbsDistribution{
			Max:     a,
			Density: func(float64) float64 { return 1 / a },
			Tail:    func(x float64) float64 { return max(0, a-x) / a },
		}
	},
}
