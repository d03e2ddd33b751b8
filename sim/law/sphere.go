package law

import "mcsim/sim/names"

// sphere draws the whole vector uniformly from the sphere of radius √d: each
// component has variance 1, and they are uncorrelated but not independent.
var sphere = &family{
	name:   names.LawSphere,
	vector: true,
	moment: func(float64, int) float64 { panic("law: a component of the sphere has no moments without d") },
}
