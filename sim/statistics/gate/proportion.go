package gate

import (
	"math"

	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// ProportionTail is the chance, at most, with which a gate on a share fails though
// the share is just as declared: the exact limits that are held against it are
// the two of a 99.9 % interval.
const ProportionTail = 0.0005

// judgeProportion judges a share of row.N independent events by the limits of
// Clopper and Pearson, which are exact. It fails when the share is shown to be
// on the wrong side of what is declared, and passes else.
func judgeProportion(c Check, estimate result.Estimate) result.Gate {
	_, _, band := c.Expected(estimate.N)
	lo, hi := math.NaN(), math.NaN()
	if count := math.Round(float64(estimate.Value) * float64(estimate.N)); count >= 0 && count <= float64(estimate.N) && estimate.N > 0 {
		lo, hi = theory.ClopperPearson(int64(count), estimate.N, ProportionTail)
	}
	g := c.NewResult(estimate, float64(estimate.SE), lo, hi, band)
	if g.Verdict == result.Undecided && g.Lo.Present() {
		g.Verdict = result.Pass
	}
	return g
}
