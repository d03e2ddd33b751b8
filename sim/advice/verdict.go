package advice

import (
	"slices"

	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Verdict labels the rows that were asked for, as an initialisation is labelled: too soft
// where they are, saturated where the median row is, else healthy; by all of these
// that the intervals of what it rests on leave open.
func (a *Answer) Verdict(keys int) (labels []string) {
	for _, label := range a.Labels(keys) {
		if label != names.LabelTooSoft && label != names.LabelHealthy {
			label = names.LabelSaturated
		}
		if !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	return labels
}

// Labels label the rows as a setting: by R of the median row, or as too soft where that is
// healthy and no key stands out.
func (a *Answer) Labels(keys int) []string {
	var all []string
	soft := func(weight float64) bool { return float64(weight*float64(keys)) < names.TooSoftBelow }
	for _, label := range a.Survives() {
		if label == names.LabelHealthy && soft(a.Weight.Lo) {
			all = append(all, names.LabelTooSoft)
			if soft(a.Weight.Hi) {
				continue
			}
		}
		all = append(all, label)
	}
	return all
}

// Survives labels the rows by R of the median row; by two labels where its interval holds their
// border.
func (a *Answer) Survives() []string {
	return slices.Compact([]string{rows.Label(a.Median.Lo), rows.Label(a.Median.Hi)})
}

// GateRate is how often, at most, a gate passes where the standard deviation of the logits
// lies outside its band, and how often it fails where that lies inside.
const GateRate = 1e-3

// Gate is a band for the standard deviation of the logits, with what was found.
type Gate struct {
	Band    [2]float64     `json:"band"`
	Lo      float64        `json:"lo"` // the interval of this level
	Hi      float64        `json:"hi"`
	Level   float64        `json:"level"` // 1 − 2·GateRate
	Verdict result.Verdict `json:"verdict"`
}

// Judge passes where the interval lies in the band, fails where it lies outside, and is
// undecided where it reaches across an edge. A standard deviation above the interval has
// the chance GateRate, and so has one below: whichever side of an edge it is on, a
// wrong decision needs the interval to lie on the other.
func (a *Answer) Judge(lo, hi float64) Gate {
	const level = 1 - 2*GateRate
	found := a.square.at(level, a.Draws).root()
	g := Gate{Band: [2]float64{lo, hi}, Lo: found.Lo, Hi: found.Hi, Level: level, Verdict: result.Undecided}
	switch {
	case found.Lo >= lo && found.Hi <= hi:
		g.Verdict = result.Pass
	case found.Hi < lo || found.Lo > hi:
		g.Verdict = result.Fail
	}
	return g
}
