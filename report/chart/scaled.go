package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
)

var (
	byExponent = selection.Filter{Experiment: names.ExperimentExponents, Quantity: names.ScaledVariance, Has: []string{names.ParamExponent}}
	byRule     = selection.Filter{Experiment: names.ExperimentExponents, Quantity: names.ScaledVariance, Has: []string{names.ParamRule}}
)

// scaled answers the question of the whole report: of all powers of d_k, which
// one leaves a variance that does not depend on d_k?
var scaled = figure.Chart{
	Name:   "scaled",
	Title:  "Variance of the scaled score against the dimension $d_k$, for each scale",
	Height: 88,
	Fixed:  selection.OneDistribution(byExponent, names.ParamDimension),
	Panels: []plot.Panel{{
		X: overDimension,
		Y: plot.Axis{Label: `$\mathrm{Var}(q\cdot k\,/\,\mathrm{scale})$`, Log: true},
		Points: []plot.Points{
			{Rows: byExponent, By: names.ParamExponent},
			{Rows: byRule, By: names.ParamRule},
		},
		Lines: []plot.Lines{{Curves: byExponent, By: names.ParamExponent}, {Curves: byRule, By: names.ParamRule}},
	}},
	Caption: `The variance of the score $q\cdot k$ divided by $d_k^p$. Both axes are logarithmic, so that a power of $d_k$ is a straight line. Dividing by $\sqrt{d_k/2}$ leaves a variance of 2.`,
}
