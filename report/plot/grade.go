package plot

import (
	"math"

	"mcsim/report/digits"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Grade is a label of rows, or of a setting by its rows.
type Grade struct {
	Mark   string       // in a cell, so that colour is not needed
	Name   string       // of the label
	from   float64      // the label holds from this R on
	words  string       // what it means, for a legend
	Colour theme.Swatch // of a line
}

// Grades are the labels by the gradient survival R, from the best to the worst. They are
// those of the shares of rows that the document holds.
var Grades = []Grade{
	{"H", names.LabelHealthy, 0.5, "", theme.Quiet},
	{"F", names.LabelFading, 0.05, ": under 1/2 of the gradient passes", theme.Departed(0.85)},
	{"D", names.LabelDying, 0.001, ": under 1/20 passes", theme.Departed(0.93)},
	{"X", names.LabelDead, 0, ": under 1/1000 passes", theme.Departed(1)},
}

// TooSoft is the label of settings whose largest weight is close to that of uniform weights,
// at which softmax tells no key from another though R is at its best. No line is of it.
var TooSoft = Grade{"T", names.LabelTooSoft, 1, ": largest weight within " + digits.Percent(names.TooSoftBelow-1) + " of $1/n$", theme.Swatch{}}

// Meaning is the grade's name with what it means.
func (g Grade) Meaning() string { return g.Name + g.words }

// SettingOf returns the label of a setting, by R of its median row and by the mean of its
// largest weight.
func SettingOf(median, weight result.Estimate) Grade {
	keys, ok := weight.Params.Number(names.ParamKeys)
	for _, g := range Grades[1:] {
		if float64(median.Value) < Grades[0].from && float64(median.Value) >= g.from {
			return g
		}
	}
	if ok && keys*float64(weight.Value) < names.TooSoftBelow {
		return TooSoft
	}
	return Grades[0]
}

// leastR is the R below which a colour gets no deeper.
const leastR = 1e-6

// Departure is where a setting stands between its two departures on the colours of maps:
// 0 where all weights are equal, 1 where one key has all in the median row, and in the
// middle where it is neither, as under √d_k. Where healthy ends, the colour steps.
func Departure(median, weight result.Estimate) (_ float64, ok bool) {
	keys, ok := weight.Params.Number(names.ParamKeys)
	if !ok || keys < 2 || !(weight.Value > 0) {
		return 0, false
	}
	share := keys * float64(weight.Value)
	warm := math.Sqrt(way(0.9, leastR, float64(median.Value)))
	// The root of n is halfway to one key that takes all: about where logits of unit
	// variance are, whatever n is.
	cool := 0.2 * way(math.Sqrt(keys), names.TooSoftBelow, share)
	switch SettingOf(median, weight).Name {
	case names.LabelHealthy:
	case names.LabelTooSoft:
		cool = 0.8 + 0.2*way(names.TooSoftBelow, 1, share)
	default:
		warm, cool = min(1, warm+0.15), 0
	}
	return 0.5 + warm/2 - cool/2, true
}

// way is how far a value is from one bound to a smaller one, by logarithms, 0 to 1.
func way(from, to, value float64) float64 {
	if value <= to {
		return 1
	}
	return max(0, math.Log(from/value)/math.Log(from/to))
}
