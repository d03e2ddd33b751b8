package distribution

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
)

// studentT is a Student variable t with ν degrees of freedom, divided by its standard deviation
// √(ν/(ν−2)). E t^k = ν^{k/2} (k−1)!! / ((ν−2)(ν−4)⋯(ν−k)) for ν > k.
var studentT = &family{
	name: names.DistributionStudentT, param: "nu", lo: 2, hi: 1e6, defaultParam: 10,
	moment: func(nu float64, k int) float64 {
		if nu <= float64(k) {
			return math.Inf(1) // the moment does not exist
		}
		m := normalMoment(k)
		for j := 2; j <= k; j += 2 {
			m *= (nu - 2) / (nu - float64(j))
		}
		return m
	},
	absDistribution: studentTAbs, hasPowerTail: true,
}

// studentTAbs returns the distribution of |x| for x² = (ν−2)·t²/ν. The tail follows from 1/(1 +
// t²/ν), which is a beta variable with the parameters ν/2 and ½.
func studentTAbs(nu float64) AbsDistribution {
	width := math.Sqrt(nu - 2)
	logRatio := elementary.LogGamma((nu+1)/2) - elementary.LogGamma(nu/2)
	maxDensity := 2 * elementary.Exp(logRatio) / float64(math.Sqrt(math.Pi)*width)
	return AbsDistribution{
		Max: unbounded,
		Density: func(x float64) float64 {
			y := x / width
			return maxDensity * elementary.Exp(-float64((nu+1)/2*elementary.Log1p(float64(y*y))))
		},
		Tail: func(x float64) float64 {
			y := x / width
			return elementary.Beta(1/(1+float64(y*y)), nu/2, 0.5)
		},
	}
}
