package distribution

import (
	"math"

	"mcsim/sim/names"
)

// bernoulliGaussian is 0 with the probability 1−p and otherwise normal with the variance 1/p:
// E x^k = p (k−1)!! / p^{k/2}.
var bernoulliGaussian = &family{
	name: names.DistributionBernoulliGaussian, param: "p", lo: 1e-6, hi: 1, defaultParam: 0.1,
	hasAtoms: true, nonZeroProbability: func(p float64) float64 { return p },
	moment: func(p float64, k int) float64 {
		return p * rescaleMoment(normalMoment(k), p, k)
	},
	absDistribution: func(p float64) AbsDistribution { return normalAbs(p, 1/math.Sqrt(p)) },
}
