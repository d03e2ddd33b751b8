package chart

import (
	"cmp"
	"fmt"

	"gonum.org/v1/plot/vg"

	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

var logitSD = selection.Of(names.ExperimentInit, names.LogitSD, names.ParamInit)

// initialisations shows what the initialisations of one shape make of a logit,
// from the largest to the smallest.
var initialisations = figure.Chart{
	Name:   "initialisations",
	Title:  `Standard deviation $\sigma$ of a logit at initialisation, for each way to draw $W_Q$ and $W_K$`,
	Height: 124,
	Fixed:  selection.Commonest(logitSD, names.ParamInit, names.ParamModel, names.ParamDimension),
	Panels: []plot.Panel{{
		X:     plot.Axis{Label: `standard deviation $\sigma$ of a logit`, Log: true},
		Y:     plot.Axis{Param: names.ParamInit, Names: true},
		Order: byTheory,
		Points: []plot.Points{
			{Rows: logitSD, Label: measuredSeries, In: positive},
			{Rows: logitSD, Label: measuredSeries, Theory: true, In: positive},
		},
		Guides: plot.At(append([]plot.Level{{At: 1, Label: `$\sigma = 1$`}}, concentrationLimits()...)...),
	}},
	Drawn: "Intervals are smaller than markers.",
	Caption: `The standard deviation of a logit of two layer-normed tokens, over draws of the weights and tokens, under the scale of each framework; sorted by theory. With glorot-uniform, glorot-normal and he-fan-out each head has a matrix of its own. ` +
		`Rows are concentrated to the right of the line for their number of keys, $\sqrt{2\,\ln n}$.`,
}

// concentrationLimits are the standard deviations √(2 ln n) for few and for many keys.
func concentrationLimits() []plot.Level {
	level := func(keys float64, dash []vg.Length) plot.Level {
		return plot.Level{At: ConcentrationLimit(keys), Label: fmt.Sprintf("concentrated beyond: %.0f keys", keys), Dash: dash}
	}
	return []plot.Level{level(8, plot.Dashed), level(1024, plot.LongDashed)}
}

// positive leaves out what a logarithmic axis cannot show: queries that begin at zero.
func positive(e result.Estimate) (result.Estimate, bool) { return e, e.Value > 0 }

// byTheory puts the larger theory first.
func byTheory(a, b result.Estimate) int { return cmp.Compare(b.Theory, a.Theory) }
