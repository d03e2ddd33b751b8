package claim

import (
	"embed"
	"sync"

	"mcsim/sim/attention/models"
	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Bug describes a public mistake in the factor of scores. Its claim has the right factor as a
// function, and the wrong factor as the published number.
type Bug struct {
	Kind          string // name of an entry of names.BugKinds; empty if the claim is not about a bug
	Right, Wrong  string // formulas of the factors
	Found, Fixed  string
	Effect        string   // effect that was reported; may be empty
	Inspect       string   // diagnosis of mcsim inspect --check
	Shape         []string // d_k and the number of heads with which a test runs the bug again
}

// Exhibit is a judged claim about a bug. If logits have the standard deviation 1 with the right
// factor, they have the standard deviation Ratio with the wrong one, and rows of MuseumKeys keys get
// the effective keys 1/E Σα², the mean largest weight and the label of Before and After.
type Exhibit struct {
	Claim         result.Claim
	Bug           Bug
	Ratio         float64 // wrong factor over right factor
	Before, After Weights // not set for a cap, which changes only large logits
}

// Weights summarise attention rows.
type Weights struct {
	EffectiveKeys, MaxWeight float64
	Label                    string
}

// MuseumKeys is the number of keys of the rows on which the museum shows the effect of a bug.
const MuseumKeys = 1024

//go:embed museum/scale-bugs.yaml
var museumFile embed.FS

// Museum returns the ledger of public bugs, which is not one of Embedded. Callers must not modify it.
var Museum = sync.OnceValue(func() *Ledger {
	const file = "museum/scale-bugs.yaml"
	text, err := museumFile.ReadFile(file)
	if err != nil {
		panic(err)
	}
	l, err := Parse(file, text)
	if err != nil {
		panic(err)
	}
	return l
})

// JudgeBugs judges the claims of the museum, in its order.
var JudgeBugs = sync.OnceValue(func() (exhibits []Exhibit) {
	for i, c := range Judge([]*Ledger{Museum()}, nil) {
		wrong, _, _ := parsePrinted(c.Published[0]) // Parse has checked it
		e := Exhibit{Claim: c, Bug: Museum().Claims[i].Bug, Ratio: wrong / float64(c.Value[0])}
		if e.Bug.Kind != names.BugCap {
			e.Before, e.After = summariseWeights(1), summariseWeights(e.Ratio)
		}
		exhibits = append(exhibits, e)
	}
	return exhibits
})

// summariseWeights returns the weights of rows of normal logits with standard deviation sigma.
func summariseWeights(sigma float64) Weights {
	s := theory.NewSoftmax(MuseumKeys, sigma)
	return Weights{1 / s.Collision, s.MaxWeight, models.Label(MuseumKeys, sigma)}
}

// bugFunctions compute right factors and capped logits.
var bugFunctions = []function{
	{name: "score_factor", parameters: []parameter{
		{name: "root_of", minValue: 1, maxValue: maxDimension, isInteger: true, isOptional: true},
		optionalTemperature,
		{name: "yarn", minValue: 1, maxValue: maxScore, isInteger: true, isOptional: true},
		{name: "mscale", minValue: 0, maxValue: 16, isOptional: true},
		{name: names.ParamLayer, minValue: 1, maxValue: 1024, isInteger: true, isOptional: true},
	}, compute: scoreFactor},
	{name: "capped_logit", parameters: []parameter{
		{name: "logit", minValue: 0, maxValue: maxScore, isInteger: true},
		{name: "cap", minValue: 1, maxValue: maxScore, isInteger: true},
	}, compute: func(a Args) []Interval {
		cap := a.number("cap", 1).Lo
		return []Interval{point(cap * elementary.Tanh(a.number("logit", 0).Lo/cap)).widenRelative(sumError)}
	}},
}

// scoreFactor returns m²/(√w·τ·l) for the width w under the root, the temperature τ, the layer l,
// each 1 if it is not given, and m = 1 + 0.1·mscale·ln s for a YaRN factor s (Peng et al.,
// arXiv:2309.00071; DeepSeek-V2 squares it).
func scoreFactor(a Args) []Interval {
	log := point(elementary.Log(a.number("yarn", 1).Lo)).multiply(point(0.1)).widen(elementaryULPs)
	factor := log.multiply(a.number("mscale", 1)).add(point(1)).square()
	factor = factor.divide(a.number("root_of", 1).sqrt()).divide(a.number(names.ParamTemperature, 1))
	return []Interval{factor.divide(a.number(names.ParamLayer, 1)).widenRelative(sumError)}
}
