package distribution

import "mcsim/sim/names"

// rademacher takes the values −1 and +1 with equal chance; x² = 1.
var rademacher = &family{
	name:            names.DistributionRademacher,
	hasAtoms:        true,
	moment:          func(float64, int) float64 { return 1 },
	absDistribution: func(float64) AbsDistribution { return AbsDistribution{Max: 1, Tail: rademacherTail} },
}

// rademacherTail is P(|x| > at) where |x| is always 1.
func rademacherTail(x float64) float64 {
	if x < 1 {
		return 1
	}
	return 0
}
