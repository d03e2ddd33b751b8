package advice

import (
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Labels returns the possible labels of rows: spread if the mean of Σα² is below its limit for the
// number of keys, otherwise dead if more than half of the rows are, otherwise concentrated. There
// are several if the intervals of the two means contain a limit.
func (a *Answer) Labels(keys int) (labels []string) {
	limits := rows.NewLimits(keys)
	if !limits.Concentrated(a.Collision.Lo) {
		labels = append(labels, names.LabelSpread)
	}
	if limits.Concentrated(a.Collision.Hi) {
		if a.DeadProportion.Lo <= 0.5 {
			labels = append(labels, names.LabelConcentrated)
		}
		if a.DeadProportion.Hi > 0.5 {
			labels = append(labels, names.LabelDead)
		}
	}
	return labels
}

// GateRate bounds the probability that a gate passes if the standard deviation of the logits is
// outside its band, and that it fails if it is inside.
const GateRate = 1e-3

// Gate is a band for the standard deviation of the logits and the verdict.
type Gate struct {
	Band    [2]float64     `json:"band"`
	Lo      float64        `json:"lo"` // interval of the standard deviation
	Hi      float64        `json:"hi"`
	Level   float64        `json:"level"` // 1 − 2·GateRate
	Verdict result.Verdict `json:"verdict"`
}

// Judge passes if the interval lies in the band, fails if it lies outside, and is undecided if it
// contains an edge. The true value is above the interval with probability GateRate, and below it
// with the same probability. A wrong decision requires that the interval lies on the other side of
// an edge, so its probability is at most GateRate.
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
