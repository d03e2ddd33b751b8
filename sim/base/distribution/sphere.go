package distribution

import "mcsim/sim/names"

// sphere draws the whole vector uniformly from the sphere of radius √d: each
// component has variance 1, and they are uncorrelated but not independent.
var sphere = &family{
	name:        names.DistributionSphere,
	isDependent: true,
	moment:      func(float64, int) float64 { panic("distribution: a component of the sphere has no moments without d") },
}
