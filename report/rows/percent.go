package rows

import (
	"mcsim/sim/result"
)

// InPercent returns a share of one as a percentage.
func InPercent(e result.Estimate) (_ result.Estimate, ok bool) {
	for _, x := range []*result.Number{&e.Value, &e.SE, &e.Lo, &e.Hi, &e.Theory, &e.Resolution} {
		*x *= 100
	}
	return e, true
}
