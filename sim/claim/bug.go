package claim

import (
	"sync"

	"mcsim/sim/attention/models"
	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Bug describes a public mistake in the factor of scores. Its claim has the right factor as a
// function, and the wrong one as the published number. Keys.txt defines the fields.
type Bug struct {
	Kind                                               string // name of an entry of names.BugKinds
	Right, Wrong, Where, Found, Fixed, Effect, Inspect string
	Shape                                              []string
}

// Exhibit is a judged claim about a bug. Ratio is the wrong factor over the right one. If logits
// have standard deviation 1 with the right factor, rows of MuseumKeys keys have these Weights and
// this Label with the wrong one. A cap, which changes only large logits, has neither.
type Exhibit struct {
	Claim   result.Claim
	Bug     Bug
	Ratio   float64
	Weights theory.Softmax
	Label   string
}

// MuseumKeys is the number of keys of the rows on which the museum shows the effect of a bug.
const MuseumKeys = 1024

// Museum returns the ledger of public bugs, which is not one of Embedded.
var Museum = sync.OnceValue(func() *Ledger { return parseEmbedded("museum/scale-bugs.yaml") })

// JudgeBugs judges the claims of the museum, in its order.
var JudgeBugs = sync.OnceValue(func() (exhibits []Exhibit) {
	for i, c := range Judge([]*Ledger{Museum()}, nil) {
		wrong, _, _ := parsePrinted(c.Published[0]) // Parse has checked it
		e := Exhibit{Claim: c, Bug: Museum().Claims[i].Bug, Ratio: wrong / float64(c.Value[0])}
		if e.Bug.Kind != names.BugCap {
			e.Weights = theory.NewSoftmax(MuseumKeys, e.Ratio)
			e.Label = models.Label(MuseumKeys, e.Ratio)
		}
		exhibits = append(exhibits, e)
	}
	return exhibits
})

// bugFunctions compute right factors and capped logits. A right factor is m²/(√w·τ) with
// m = 1 + 0.1·mscale·ln s for a YaRN factor s (Peng et al., arXiv:2309.00071; DeepSeek-V2 squares it).
var bugFunctions = []function{
	{name: "score_factor", parameters: []parameter{
		{name: "root_of", minValue: 1, maxValue: maxDimension, isInteger: true, isOptional: true}, optionalTemperature,
		{name: "yarn", minValue: 1, maxValue: maxScore, isInteger: true, isOptional: true},
		{name: "mscale", minValue: 0, maxValue: 16, isOptional: true},
	}, compute: func(a Args) []Interval {
		log := point(elementary.Log(a.number("yarn", 1).Lo)).multiply(point(0.1)).widen(elementaryULPs)
		factor := log.multiply(a.number("mscale", 1)).add(point(1)).square().divide(a.number("root_of", 1).sqrt())
		return []Interval{factor.divide(a.number(names.ParamTemperature, 1)).widenRelative(sumError)}
	}},
	{name: "capped_logit", parameters: []parameter{
		{name: "logit", minValue: 0, maxValue: maxScore, isInteger: true},
		{name: "cap", minValue: 1, maxValue: maxScore, isInteger: true},
	}, compute: func(a Args) []Interval {
		limit := a.number("cap", 1).Lo
		return []Interval{point(limit * elementary.Tanh(a.number("logit", 0).Lo/limit)).widenRelative(sumError)}
	}},
}
