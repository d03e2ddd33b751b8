package law

import "mcsim/sim/names"

// rademacher takes the values −1 and +1 with equal chance; x² = 1.
var rademacher = &family{
	name:   names.LawRademacher,
	atoms:  true,
	moment: func(float64, int) float64 { return 1 },
}
