package distribution

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
)

// Normal is the standard normal distribution.
var Normal = Distribution{family: normal}

// normal has E x^k = (k−1)!!.
var normal = &family{
	name:            names.DistributionNormal,
	alias:           names.AliasGaussian,
	moment:          func(_ float64, k int) float64 { return normalMoment(k) },
	absDistribution: func(float64) AbsDistribution { return normalAbs(1, 1) },
}

// normalAbs returns the distribution of |x| for an x that is 0 with the probability 1 −
// nonZeroProbability, and otherwise normal with the standard deviation sd.
func normalAbs(nonZeroProbability, sd float64) AbsDistribution {
	return AbsDistribution{
		Max: unbounded,
		Density: func(x float64) float64 {
			z := x / sd
			return nonZeroProbability / sd * rootTwoOverPi * elementary.Exp(-float64(z*z)/2)
		},
		Tail: func(x float64) float64 { return nonZeroProbability * elementary.Erfc(x/sd*(math.Sqrt2/2)) },
	}
}

// rootTwoOverPi is √(2/π).
const rootTwoOverPi = 0.79788456080286535588

// normalMoment returns (k−1)!! = 1·3·5⋯(k−1).
func normalMoment(k int) float64 {
	m := 1.0
	for j := 1; j < k; j += 2 {
		m *= float64(j)
	}
	return m
}
