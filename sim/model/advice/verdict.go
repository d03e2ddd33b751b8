package advice

import (
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Labels returns the label of rows of a number of keys: concentrated if the mean of Σα² is above its
// limit, then dead if more than half of the rows are, else spread. It returns all labels that the
// intervals of both means leave open.
func (a *Answer) Labels(keys int) (labels []string) {
	limits := rows.NewLimits(keys)
	if !limits.Concentrated(a.Collision.Lo) {
		labels = append(labels, names.LabelSpread)
	}
	if limits.Concentrated(a.Collision.Hi) {
		if a.Dead.Lo <= 0.5 {
			labels = append(labels, names.LabelConcentrated)
		}
		if a.Dead.Hi > 0.5 {
			labels = append(labels, names.LabelDead)
		}
	}
	return labels
}

// GateRate is how often, at most, a gate passes if the standard deviation of the logits
// lies outside its band, and how often it fails if that lies inside.
const GateRate = 1e-3

// Gate is a band for the standard deviation of the logits, with what was found.
type Gate struct {
	Band    [2]float64     `json:"band"`
	Lo      float64        `json:"lo"` // the interval of this level
	Hi      float64        `json:"hi"`
	Level   float64        `json:"level"` // 1 − 2·GateRate
	Verdict result.Verdict `json:"verdict"`
}

// Judge passes if the interval lies in the band, fails if it lies outside, and is
// undecided if it reaches across an edge. A standard deviation above the interval has
// the chance GateRate, and so has one below: whichever side of an edge it is on, a
// wrong decision needs the interval to lie on the other.
func (a *Answer) Judge(lo, hi float64) Gate {
	const level = 1 - 2*GateRate
	found := a.square.withLevel(level, a.Draws).root()
	g := Gate{Band: [2]float64{lo, hi}, Lo: found.Lo, Hi: found.Hi, Level: level, Verdict: result.Undecided}
	switch {
	case found.Lo >= lo && found.Hi <= hi:
		g.Verdict = result.Pass
	case found.Hi < lo || found.Lo > hi:
		g.Verdict = result.Fail
	}
	return g
}
