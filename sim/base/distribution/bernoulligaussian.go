package distribution

import (
	"math"

	"mcsim/sim/names"
)

// bernoulliGaussian is 0 with chance 1−p, else normal of variance 1/p:
// E x^k = p (k−1)!! / p^{k/2}.
var bernoulliGaussian = &family{
	name: names.DistributionBernoulliGaussian, param: "p", lo: 1e-6, hi: 1, def: 0.1,
	atoms: true, nonZero: func(p float64) float64 { return p },
	moment: func(p float64, k int) float64 {
		return p * ratio(normalMoment(k), p, k)
	},
	sizes: func(p float64) AbsDistribution { return normalSizes(p, 1/math.Sqrt(p)) },
}
