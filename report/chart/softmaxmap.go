package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
)

// softmax names rows of what softmax makes of scores, each query with keys of its own.
func softmax(quantity string) rows.Filter {
	return rows.Filter{Experiment: names.ExperimentSoftmax, Quantity: quantity, Lacks: []string{names.ParamSharedKeys}}
}

// scaledBy names those that have a scale of that kind.
func scaledBy(param string) rows.Filter {
	f := softmax(names.MaxWeight)
	f.Has = []string{names.ParamDistribution, param}
	return f
}

// softmaxGrid is the distribution and the number of keys that stand for all where one grid over d_k
// and the exponents must be chosen.
var softmaxGrid = rows.OneDistribution(scaledBy(names.ParamExponent), names.ParamDimension, names.ParamKeys)

// softmaxMap shows both ways in which softmax fails, over d_k and the exponent: rows that
// are saturated, and rows that are too soft.
var softmaxMap = figure.Chart{
	Name:   "softmax-map",
	Title:  `Where rows are healthy, saturated or too soft, over the dimension $d_k$ and the exponent $p$`,
	Height: 88,
	Fixed:  softmaxGrid,
	Panels: []plot.Panel{{X: overDimension, Y: overExponent, Heat: &plot.Heat{
		Weights: softmax(names.MaxWeight), Medians: softmax(names.Quantile(names.GradientSurvival, 0.5)),
	}}},
	Drawn:   "Each field is one set of random rows.",
	Caption: mapSays,
}

// mapSays explains the letters and the colours of a map of settings.
const mapSays = "Letters are labels: " +
	"saturated (fading, dying or dead) if the median row has $R < 1/2$, too soft if the greatest weight is on average less than $1.25/n$, healthy otherwise. " +
	"Warmer fields have a smaller $R$, cooler fields more uniform weights. The colour jumps where healthy ends."
