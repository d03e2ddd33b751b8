package experiment

import (
	"fmt"
	"math"

	"mcsim/sim/statistics/gate"
)

// RefuseGate implements [Judge.Refuse]. It refuses gates on the variance of scores of components
// whose fourth or sixth moment is infinite.
func RefuseGate(c Cell, gated bool) error {
	d := c.Distribution()
	switch {
	case !gated || !d.HasIndependentComponents():
		return nil
	case math.IsInf(d.Moment(4), 1):
		return fmt.Errorf("%v cannot be gated: its fourth moment is infinite (ν ≤ 4), so the variance of s² is "+
			"infinite and no number of samples decides; "+gate.UngatedAdvice, d)
	case math.IsInf(d.Moment(6), 1):
		return fmt.Errorf("%v cannot be gated: its sixth moment is infinite (ν ≤ 6), so s² has no skewness by which "+
			"to correct its limits, and no bound on the gate's error rates is known; "+gate.UngatedAdvice, d)
	}
	return nil
}

// RefusePowerTail implements [Judge.Refuse]. It refuses gates on a distribution with power-law
// tails. An experiment uses it if the probability that a single product decides its gate has not
// been derived, so that the error rates of the gate would be unknown.
func RefusePowerTail(c Cell, gated bool) error {
	if !gated || !c.Distribution().HasPowerTail() {
		return nil
	}
	return fmt.Errorf("%v cannot be gated by %s: it has power-law tails, and the probability that one large product "+
		"decides such a gate is known only for the experiment variance; "+gate.UngatedAdvice,
		c.Distribution(), c.Experiment.Name)
}
