package chart

import (
	"math"

	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
)

// softmax names rows of what softmax makes of scores, each query with keys of its own.
func softmax(quantity string) selection.Filter {
	return selection.Filter{Experiment: names.ExperimentSoftmax, Quantity: quantity, Lacks: []string{names.ParamSharedKeys}}
}

// scaledBy names those that have a scale of that kind.
func scaledBy(param string) selection.Filter {
	f := softmax(names.MaxWeight)
	f.Has = []string{names.ParamDistribution, param}
	return f
}

// softmaxGrid is the distribution and the number of keys that stand for all where one grid over d_k
// and the exponents must be chosen.
var softmaxGrid = selection.OneDistribution(scaledBy(names.ParamExponent), names.ParamDimension, names.ParamKeys)

// softmaxMap shows where rows are concentrated and where they are dead, over d_k and the exponent.
var softmaxMap = figure.Chart{
	Name:    "softmax-map",
	Title:   `Where weights are spread, concentrated or dead, over the dimension $d_k$ and the exponent $p$`,
	Height:  88,
	Fixed:   softmaxGrid,
	Panels:  []plot.Panel{{X: overDimension, Y: overExponent, Heat: heatOf(softmax)}},
	Drawn:   "Fields are sets of rows.",
	Caption: mapSays,
}

// heatOf returns the map of the quantities of an experiment.
func heatOf(quantity func(string) selection.Filter) *plot.Heat {
	return &plot.Heat{Concentration: quantity(names.Concentration), Collision: quantity(names.Collision), Dead: quantity(names.DeadShare)}
}

// mapSays explains the letters and the colours of a map of settings.
const mapSays = `Letters are labels: concentrated (C) if $\sum\alpha^2$ is on average above its mean for normal logits with ` +
	`$\sigma=\sqrt{2\,\ln n}$, dead (X) if more than half of the rows are, spread (S) otherwise. ` +
	"The colour shows the same sum, from uniform weights (deep blue) to one key (deep red). It steps at the limit."

// ConcentrationLimit returns √(2 ln n), the standard deviation of normal logits above which rows of
// n keys are concentrated.
func ConcentrationLimit(keys float64) float64 { return math.Sqrt(2 * math.Log(keys)) }
