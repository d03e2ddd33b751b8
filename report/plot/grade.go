package plot

import (
	"math"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Grade is the label of a setting in a heat map.
type Grade struct {
	Letter      string // written in the cell, for readers who do not see the colour
	Name        string
	explanation string // follows the name in a legend
}

// Grades are the labels, from spread to dead.
var Grades = []Grade{
	{"S", names.LabelSpread, ": not concentrated"},
	{"C", names.LabelConcentrated, ": few keys have most of it"},
	{"X", names.LabelDead, ": hardly any gradient at the keys"},
}

// Meaning returns the grade's name with its explanation.
func (g Grade) Meaning() string { return g.Name + g.explanation }

// gradeSetting returns the label of a setting. The concentration is the ratio of its mean Σα² to
// the limit, and deadRows the proportion of its dead rows.
func gradeSetting(concentration, deadRows result.Estimate) Grade {
	switch {
	case concentration.Value <= 1:
		return Grades[0]
	case deadRows.Value <= 0.5:
		return Grades[1]
	}
	return Grades[2]
}

// ColourPosition returns the position of a setting of n keys on the colour scale of heat maps, for
// theme.DivergingColour. The collision is the mean Σα² of the setting, and the concentration is the
// ratio of the collision to its limit. The position is 0 for uniform weights, and grows linearly
// with ln(n·Σα²) to 1/2 at the limit. Above the limit, it jumps to 0.65, and grows to 1 if one key
// has all the weight. ok is false if the setting has fewer than two keys.
func ColourPosition(concentration, collision result.Estimate) (_ float64, ok bool) {
	keys, hasKeys := concentration.Params.Number(names.ParamKeys)
	isPositive := concentration.Value > 0 && collision.Value > 0
	if !hasKeys || keys < 2 || !isPositive {
		return 0, false
	}
	logCollision := math.Log(keys*float64(collision.Value)) / math.Log(keys)
	logLimit := math.Log(keys*float64(collision.Value/concentration.Value)) / math.Log(keys)
	if concentration.Value <= 1 {
		return 0.5 * max(0, logCollision/logLimit), true
	}
	return min(1, 0.65+0.35*(logCollision-logLimit)/(1-logLimit)), true
}
