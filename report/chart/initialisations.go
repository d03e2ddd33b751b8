package chart

import (
	"cmp"
	"fmt"

	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

var logitSD = rows.Of(names.ExperimentInit, names.LogitSD, names.ParamInit)

// initialisations shows what the initialisations of one shape make of a logit,
// from the largest to the smallest.
var initialisations = figure.Chart{
	Name:   "initialisations",
	Title:  `Standard deviation $\sigma$ of a logit at initialisation, for each way to draw $W_Q$ and $W_K$`,
	Height: 124,
	Fixed:  rows.Commonest(logitSD, names.ParamInit, names.ParamModel, names.ParamDimension),
	Panels: []plot.Panel{{
		X:     plot.Axis{Label: `standard deviation $\sigma$ of a logit`, Log: true},
		Y:     plot.Axis{Param: names.ParamInit, Names: true},
		Order: byTheory,
		Points: []plot.Points{
			{Rows: logitSD, Label: measuredSeries},
			{Rows: logitSD, Label: measuredSeries, Theory: true},
		},
		Guides: plot.At(plot.Level{At: 1, Label: `$\sigma = 1$`},
			plot.Level{At: names.SafeFrom, Label: names.LabelTooSoft + " below", Dash: plot.Dashed},
			plot.Level{At: names.FreezesFrom, Label: names.LabelFreezes + " above", Dash: plot.LongDashed}),
	}},
	Caption: fmt.Sprintf(`The standard deviation of a logit of two layer-normed tokens, over weight matrices and tokens, under the score scale of each framework, on a logarithmic axis; sorted by theory. `+
		`Between the dashed lines is what is safe, $\sigma$ from about %g to about %g: below it a row of %d keys is nearly uniform, and above it the median row keeps less than half of the gradient. Intervals are over draws of the weights.`,
		names.SafeFrom, names.FreezesFrom, names.SafeKeys),
}

// byTheory puts the larger theory first.
func byTheory(a, b result.Estimate) int { return cmp.Compare(b.Theory, a.Theory) }
