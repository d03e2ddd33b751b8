package advice

import (
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Labels returns the possible labels of rows with the given number of keys. Rows are spread if the
// mean of Σα² is below its limit for that number. Otherwise they are dead if more than half of the
// rows are dead, and concentrated if not. There are several labels if the interval of Σα² or of the
// proportion of dead rows contains its limit.
func (a *Answer) Labels(keys int) (labels []string) {
	const deadLimit = 0.5
	limits := rows.NewLimits(keys)
	if !limits.Concentrated(a.Collision.Lo) {
		labels = append(labels, names.LabelSpread)
	}
	if limits.Concentrated(a.Collision.Hi) {
		if a.DeadProportion.Lo <= deadLimit {
			labels = append(labels, names.LabelConcentrated)
		}
		if a.DeadProportion.Hi > deadLimit {
			labels = append(labels, names.LabelDead)
		}
	}
	return labels
}

// GateRate bounds two probabilities: that a gate passes if the standard deviation of the logits is
// outside the band, and that a gate fails if the standard deviation is inside.
const GateRate = 1e-3

// Gate is a band for the standard deviation of the logits and the verdict.
type Gate struct {
	Band    [2]float64     `json:"band"`
	Lo      float64        `json:"lo"` // interval of the standard deviation
	Hi      float64        `json:"hi"`
	Level   float64        `json:"level"` // 1 − 2·GateRate
	Verdict result.Verdict `json:"verdict"`
}

// Judge compares the standard deviation of the logits with the band [minSD, maxSD]. The gate passes
// if the interval lies in the band, fails if it lies outside, and is undecided if it contains an
// edge. The true value is above the interval with probability GateRate, and below it with the same
// probability. For a wrong decision, an edge must separate the interval from the true value, so its
// probability is at most GateRate.
func (a *Answer) Judge(minSD, maxSD float64) Gate {
	const gateLevel = 1 - 2*GateRate
	sd := a.meanSquare.withInterval(gateLevel, a.Draws).sqrt()
	g := Gate{Band: [2]float64{minSD, maxSD}, Lo: sd.Lo, Hi: sd.Hi, Level: gateLevel, Verdict: result.Undecided}
	switch {
	case sd.Lo >= minSD && sd.Hi <= maxSD:
		g.Verdict = result.Pass
	case sd.Hi < minSD || sd.Lo > maxSD:
		g.Verdict = result.Fail
	}
	return g
}
