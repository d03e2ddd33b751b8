package distribution

import "mcsim/sim/names"

// sphere is the uniform distribution of a vector on the sphere of radius √d. Its components have
// variance 1 and are uncorrelated but not independent.
var sphere = &family{
	name:        names.DistributionSphere,
	isDependent: true,
	moment: func(float64, int) float64 {
		panic("distribution: a component of the sphere has no moments without d")
	},
}
