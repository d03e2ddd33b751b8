package experiment

import (
	"fmt"
	"math"
)

// RefuseGate says why the variance of a law cannot be gated.
func RefuseGate(c Cell, gated bool) error {
	l := c.Law()
	switch {
	case !gated || !l.Independent():
		return nil
	case math.IsInf(l.Moment(4), 1):
		return fmt.Errorf("%v cannot be gated: its fourth moment is infinite (ν ≤ 4), so the variance of s² is infinite and no number of samples decides; give the experiment gate: false", l)
	case math.IsInf(l.Moment(6), 1):
		return fmt.Errorf("%v cannot be gated: its sixth moment is infinite (ν ≤ 6), so no bound on the gate's error rates is known; give the experiment gate: false", l)
	}
	return nil
}
