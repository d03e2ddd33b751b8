package advice

import (
	"slices"

	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Basis is what a verdict rests on.
type Basis int

// A verdict rests on the logits of the initialisation, as the table of names has it, or
// on the rows that were asked for where these, being short or of logits with heavy tails,
// are worse off than rows of normal logits.
const (
	ByLogits Basis = iota
	BySurvival
	ByWeight
)

// Verdict labels the initialisation: safe, too soft or freezes, or all of these that the
// interval of what it rests on leaves open.
func (a *Answer) Verdict(keys int) (labels []string, by Basis) {
	labels = spanned(a.LogitSD, names.InitLabel)
	if !slices.Equal(labels, []string{names.LabelSafe}) {
		return labels, ByLogits
	}
	if labels = spanned(a.Median, survives); !slices.Equal(labels, []string{names.LabelSafe}) {
		return labels, BySurvival
	}
	if labels = spanned(a.Weight, func(w float64) string { return chooses(w, keys) }); !slices.Equal(labels, []string{names.LabelSafe}) {
		return labels, ByWeight
	}
	return labels, ByLogits
}

// survives is the label of an initialisation by R of the median row.
func survives(r float64) string {
	if rows.Label(r) == names.LabelHealthy {
		return names.LabelSafe
	}
	return names.LabelFreezes
}

// chooses is the same by the mean greatest weight.
func chooses(weight float64, keys int) string {
	if Evenness(weight, keys) == names.LabelTooSoft {
		return names.LabelTooSoft
	}
	return names.LabelSafe
}

// Evenness labels the rows by their greatest weight; by two labels where its interval
// holds their border.
func (a *Answer) Evenness(keys int) []string {
	return spanned(a.Weight, func(w float64) string { return Evenness(w, keys) })
}

// Labels label the rows as a setting: by R of the median row, or as too soft where that is
// healthy and no key stands out.
func (a *Answer) Labels(keys int) []string {
	var all []string
	soft := a.Evenness(keys)
	for _, label := range spanned(a.Median, rows.Label) {
		if label == names.LabelHealthy && slices.Contains(soft, names.LabelTooSoft) {
			all = append(all, names.LabelTooSoft)
			if len(soft) == 1 {
				continue
			}
		}
		all = append(all, label)
	}
	return all
}

// Survives labels the rows by R of the median row.
func (a *Answer) Survives() []string { return spanned(a.Median, rows.Label) }

// spanned are the labels of the two ends of an interval, once where they are the same.
func spanned(e Estimate, label func(float64) string) []string {
	return slices.Compact([]string{label(e.Lo), label(e.Hi)})
}

// GateRate is how often, at most, a gate passes where the standard deviation of the logits
// lies outside its band, and how often it fails where that lies inside.
const GateRate = 1e-3

// Gate is a band for the standard deviation of the logits, with what was found.
type Gate struct {
	Lo, Hi   float64
	Interval Estimate // of the level 1 − 2·GateRate
	Verdict  result.Verdict
}

// Judge passes where the interval lies in the band, fails where it lies outside, and is
// undecided where it reaches across an edge. A standard deviation above the interval has
// the chance GateRate, and so has one below: whichever side of an edge it is on, a
// wrong decision needs the interval to lie on the other.
func (a *Answer) Judge(lo, hi float64) Gate {
	g := Gate{Lo: lo, Hi: hi, Interval: a.square.at(1-2*GateRate, a.Draws).root(), Verdict: result.Undecided}
	switch found := g.Interval; {
	case found.Lo >= lo && found.Hi <= hi:
		g.Verdict = result.Pass
	case found.Hi < lo || found.Lo > hi:
		g.Verdict = result.Fail
	}
	return g
}
