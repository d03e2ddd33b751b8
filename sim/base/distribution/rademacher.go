package distribution

import "mcsim/sim/names"

// rademacher is −1 or +1 with equal probability; x² = 1.
var rademacher = &family{
	name:            names.DistributionRademacher,
	hasAtoms:        true,
	moment:          func(float64, int) float64 { return 1 },
	absDistribution: func(float64) AbsDistribution { return AbsDistribution{Max: 1, Tail: rademacherTail} },
}

// rademacherTail returns the probability that an absolute value of 1 is more than x.
func rademacherTail(x float64) float64 {
	if x < 1 {
		return 1
	}
	return 0
}
