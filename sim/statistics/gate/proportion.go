package gate

import (
	"math"

	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// ProportionTail bounds the probability that a gate on a proportion fails although the proportion
// is as declared. The exact limits are those of a 99.9 % interval.
const ProportionTail = 0.0005

// judgeProportion judges a proportion of N independent events by the exact limits of Clopper and
// Pearson. It fails if the limits show that the proportion is on the wrong side of the declared
// one, and passes otherwise.
func judgeProportion(c Check, estimate result.Estimate) result.Gate {
	_, _, band := c.Expected(estimate.N)
	lo, hi := math.NaN(), math.NaN()
	if count := math.Round(float64(estimate.Value) * float64(estimate.N)); count >= 0 &&
		count <= float64(estimate.N) && estimate.N > 0 {
		lo, hi = theory.ClopperPearson(int64(count), estimate.N, ProportionTail)
	}
	g := c.NewResult(estimate, float64(estimate.SE), lo, hi, band)
	if g.Verdict == result.Undecided && g.Lo.Present() {
		g.Verdict = result.Pass
	}
	return g
}
