package plot

import (
	"math"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Grade is the label of a setting in a map.
type Grade struct {
	Mark  string // in a field, so that colour is not needed
	Name  string // of the label
	words string // what it means, for a legend
}

// Grades are the labels, from spread to dead.
var Grades = []Grade{
	{"S", names.LabelSpread, ": not concentrated"},
	{"C", names.LabelConcentrated, ": few keys have most of it"},
	{"X", names.LabelDead, ": hardly any gradient at the keys"},
}

// Meaning returns the grade's name with its explanation.
func (g Grade) Meaning() string { return g.Name + g.words }

// gradeOf returns the label of a setting, by the mean of its Σα² over the limit and by the share of
// dead rows.
func gradeOf(concentration, dead result.Estimate) Grade {
	switch {
	case concentration.Value <= 1:
		return Grades[0]
	case dead.Value <= 0.5:
		return Grades[1]
	}
	return Grades[2]
}

// Departure returns the place of a setting of n keys on the colours of maps: 0 for uniform weights,
// 1 for one key that has all the weight, and 1/2 at the limit of concentration. Between
// these it follows ln(n·Σα²). Above the limit the colour steps.
func Departure(concentration, collision result.Estimate) (_ float64, ok bool) {
	keys, ok := concentration.Params.Number(names.ParamKeys)
	if !ok || keys < 2 || !(concentration.Value > 0 && collision.Value > 0) {
		return 0, false
	}
	height := math.Log(keys*float64(collision.Value)) / math.Log(keys)
	limit := math.Log(keys*float64(collision.Value/concentration.Value)) / math.Log(keys)
	if concentration.Value <= 1 {
		return 0.5 * max(0, height/limit), true
	}
	return min(1, 0.65+0.35*(height-limit)/(1-limit)), true
}
