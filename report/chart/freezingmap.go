package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
)

// freezing names rows of logits that are drawn directly.
func freezing(quantity string) selection.Filter {
	return selection.Filter{Experiment: names.ExperimentFreezing, Quantity: quantity}
}

// freezingMap shows the same over the number of keys and the spread of the
// logits, which are drawn directly.
var freezingMap = figure.Chart{
	Name:   "keys-map",
	Title:  `Where weights are spread, concentrated or dead, over the number of keys $n$ and the standard deviation $\sigma$ of a logit`,
	Height: 100,
	Panels: []plot.Panel{{
		X:    plot.Axis{Param: names.ParamKeys, Label: "number of keys $n$ among which softmax divides the weight"},
		Y:    plot.Axis{Param: names.ParamSigma, Label: `standard deviation $\sigma$ of a logit`},
		Heat: heatOf(freezing),
	}},
	Drawn:   "Logits are drawn directly, as normal numbers.",
	Caption: mapSays + ` In the limit of many keys the largest weight stops vanishing there.`,
}
