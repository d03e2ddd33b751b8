// Package story judges the story that training suffers under another scale than 1/√d_k, by
// the steps of a rule over those of 1/√d_k on the same seeds and data. What it takes was
// declared before anything was trained (docs/training.md).
package story

import "strings"

// The bounds of the ratio of steps: above the greater the story is supported, between both
// it is refuted.
const (
	Low  = 0.8
	High = 1.25
)

// The whole protocol: at fewer rates, in other steps or at another d_k a contrast is
// exploratory.
const (
	Dimension      = 256
	Steps          = 200
	CoreOctaves    = 4 // on either side of the reference
	FurtherOctaves = 4 // beyond an end of these, which count where the best of them is that end
	Contrasts      = 4
)

// Enough is the share of the judging seeds that must learn under both rules before the
// story can be refuted: where fewer do, equal steps are those of runs that were cut off.
const Enough = 0.5

// Verdict is what a contrast says of the story.
type Verdict string

// The verdicts. What follows a colon says why a contrast is undecided.
const (
	Supported     Verdict = "supported"
	Refuted       Verdict = "refuted"
	Undecided     Verdict = "undecided"
	Fewer         Verdict = "undecided: fewer steps, not more"
	NeitherLearns Verdict = "undecided: neither learns"
	TooFewLearn   Verdict = "undecided: too few learn"
)

// Kind is supported, refuted or undecided.
func (v Verdict) Kind() Verdict {
	kind, _, _ := strings.Cut(string(v), ":")
	return Verdict(kind)
}

// Of is what the interval of a ratio says, where such shares of the seeds learn under the
// rule and under 1/√d_k.
func Of(lo, hi, rule, root float64) Verdict {
	switch {
	case lo > High:
		return Supported
	case rule < Enough && root < Enough:
		return NeitherLearns
	case hi < Low:
		return Fewer
	case !(lo >= Low && hi <= High):
		return Undecided
	case rule < Enough || root < Enough:
		return TooFewLearn
	}
	return Refuted
}
