package gate

import (
	"math"

	"mcsim/sim/result"
	"mcsim/sim/theory"
)

// ShareTail is the chance, at most, with which a gate on a share fails though
// the share is just as declared: the exact limits that are held against it are
// the two of a 99.9 % interval.
const ShareTail = 0.0005

// judgeShare judges a share of row.N independent events by the limits of
// Clopper and Pearson, which are exact. It fails when the share is shown to be
// on the wrong side of what is declared, and passes else.
func judgeShare(c Check, row result.Estimate) result.Gate {
	_, _, band := c.At(row.N)
	g := result.Gate{
		Name: c.Name, Expect: c.Expect, Experiment: c.Experiment, Cell: c.Cell, Params: c.Params, Quantity: c.Quantity,
		Value: row.Value, SE: row.SE, Lo: result.Absent(), Hi: result.Absent(),
		Band: [2]result.Number{result.Number(band[0]), result.Number(band[1])}, Verdict: result.Undecided,
		NormalError: result.Absent(),
	}
	count := math.Round(float64(row.Value) * float64(row.N))
	if !(count >= 0 && count <= float64(row.N) && row.N > 0) {
		return g
	}
	lo, hi := theory.ClopperPearson(int64(count), row.N, ShareTail)
	g.Lo, g.Hi, g.Verdict = result.Number(lo), result.Number(hi), result.Pass
	if hi < band[0] || lo > band[1] {
		g.Verdict = result.Fail
	}
	return g
}
