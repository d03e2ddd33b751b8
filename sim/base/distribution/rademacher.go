package distribution

import "mcsim/sim/names"

// rademacher takes the values −1 and +1 with equal chance; x² = 1.
var rademacher = &family{
	name:   names.DistributionRademacher,
	atoms:  true,
	moment: func(float64, int) float64 { return 1 },
	sizes:  func(float64) AbsDistribution { return AbsDistribution{Largest: 1, Tail: signTail} },
}

// signTail is P(|x| > at) where |x| is always 1.
func signTail(at float64) float64 {
	if at < 1 {
		return 1
	}
	return 0
}
