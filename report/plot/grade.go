package plot

import (
	"math"
	"slices"

	"mcsim/report/digits"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Grade is a label of rows, or of a setting by its rows.
type Grade struct {
	Mark   string // in a cell or a bar, so that colour is not needed
	Name   string
	from   float64 // the label holds from this R on
	words  string  // what it means, for a legend
	shades shades
}

// shades are a stretch of the colours of maps, from 0 to 1: that of the label where it is
// mildest, and where it is strongest. Those of two labels do not meet, so that colours step
// where labels change.
type shades struct{ mild, strong float64 }

// at is a part of the way from the mildest to the strongest.
func (s shades) at(part float64) float64 { return s.mild + part*(s.strong-s.mild) }

// Grades are the labels by the gradient survival R, from the best to the worst. They are
// those of the shares of rows that the document holds.
var Grades = []Grade{
	{"H", names.LabelHealthy, 0.5, "", shades{middle, warmest}},
	{"F", names.LabelFading, 0.05, "under 1/2 of the gradient passes", shades{0.71, 0.78}},
	{"D", names.LabelDying, 0.001, "under 1/20 passes", shades{0.84, 0.9}},
	{"X", names.LabelDead, 0, "under 1/1000 passes", shades{0.95, 1}},
}

// TooSoft is the label of settings whose largest weight is close to that of equal weights,
// at which softmax tells no key from another though R is at its best.
var TooSoft = Grade{Mark: "T", Name: names.LabelTooSoft, from: 1, words: "largest weight within " + quarter + " of $1/n$", shades: shades{0.11, 0}}

// quarter is how far above 1/n the largest weight of rows that are too soft is at most.
var quarter = digits.Percent(names.TooSoftBelow - 1)

// What is healthy has colours to either side of the middle, the coolest beside those too soft
// and the warmest beside fading ones.
const middle, coolest, warmest = 0.5, 0.27, 0.6

// Settings are the labels of settings, from too soft to dead.
var Settings = append([]Grade{TooSoft}, Grades...)

// Shade is the colour of a label where it stands for all of its rows.
func (g Grade) Shade() float64 {
	if g.Name == names.LabelHealthy {
		return middle
	}
	return g.shades.at(0.5)
}

// Meaning is the grade's name with what it means.
func (g Grade) Meaning() string {
	if g.words == "" {
		return g.Name
	}
	return g.Name + ": " + g.words
}

// GradeOf returns the label of a value of R.
func GradeOf(r float64) Grade {
	for _, g := range Grades {
		if r >= g.from {
			return g
		}
	}
	return Grades[len(Grades)-1]
}

// SettingOf returns the label of a setting, by R of its median row and by the mean of its
// largest weight.
func SettingOf(median, weight result.Estimate) Grade {
	keys, ok := weight.Params.Number(names.ParamKeys)
	g := GradeOf(float64(median.Value))
	if g.Name != names.LabelHealthy || !ok || keys*float64(weight.Value) >= names.TooSoftBelow {
		return g
	}
	return TooSoft
}

// leastR is the R below which a colour gets no deeper.
const leastR = 1e-6

// Departure is where a setting stands between its two departures on the colours of maps:
// 0 where all weights are equal, 1 where one key has all in the median row, and in the
// middle where it is neither. Within a label colours go evenly with logarithms.
func Departure(median, weight result.Estimate) (_ float64, ok bool) {
	keys, ok := weight.Params.Number(names.ParamKeys)
	if !ok || keys < 2 || !(weight.Value > 0) {
		return 0, false
	}
	r, share := float64(median.Value), keys*float64(weight.Value)
	switch g := SettingOf(median, weight); g.Name {
	case names.LabelTooSoft:
		return g.shades.at(way(names.TooSoftBelow, 1, share)), true
	case names.LabelHealthy:
		// A little of both departures. The root of n is halfway to one key that takes all:
		// about where logits of unit variance are, whatever n is.
		cool := way(math.Sqrt(keys), names.TooSoftBelow, share)
		return g.shades.at(way(1, g.from, r)) - cool*(middle-coolest), true
	default:
		i := slices.Index(Grades, g)
		return g.shades.at(way(Grades[i-1].from, max(g.from, leastR), r)), true
	}
}

// way is how far a value is from one bound to a smaller one, by logarithms, 0 to 1.
func way(from, to, value float64) float64 {
	if value <= to {
		return 1
	}
	return max(0, math.Log(from/value)/math.Log(from/to))
}
