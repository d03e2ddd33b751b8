package gate

import (
	"math"

	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// ProportionTail bounds the probability that a gate on a proportion fails although the proportion
// is as declared. It is the tail probability on either side of the exact 99.9 % interval.
const ProportionTail = 0.0005

// judgeProportion judges a proportion of N independent events by the exact limits of Clopper and
// Pearson. The gate fails if the interval is outside of the band. Otherwise it passes, except that
// a value that is not a proportion of N events is undecided.
func judgeProportion(c Check, estimate result.Estimate) result.Gate {
	_, _, band := c.Expected(estimate.N)
	lo, hi := math.NaN(), math.NaN()
	count := math.Round(float64(estimate.Value) * float64(estimate.N))
	isValid := estimate.N > 0 && count >= 0 && count <= float64(estimate.N)
	if isValid {
		lo, hi = theory.ClopperPearson(int64(count), estimate.N, ProportionTail)
	}
	g := c.NewResult(estimate, float64(estimate.SE), lo, hi, band)
	if g.Verdict == result.Undecided && isValid {
		g.Verdict = result.Pass
	}
	return g
}
