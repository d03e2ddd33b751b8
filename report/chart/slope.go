package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
)

var (
	slopes       = selection.Filter{Experiment: names.ExperimentExponents, Quantity: names.VarianceSlope, Has: []string{names.ParamDistribution, names.ParamExponent}}
	flatExponent = selection.Filter{Experiment: names.ExperimentExponents, Quantity: names.FlatExponent, Has: []string{names.ParamDistribution}}
)

// slope shows where the growth of the variance crosses zero: above over all
// exponents, and below for every distribution, since all exponents of a distribution are read from the same
// draws and have the same error.
var slope = figure.Chart{
	Name:   "slope",
	Title:  "Slope of log variance on log $d_k$ against the exponent $p$, and the exponent that makes it zero for each distribution",
	Height: 118,
	Panels: []plot.Panel{
		{
			Title:  "slope for each exponent",
			X:      plot.Axis{Param: names.ParamExponent, Label: overExponent.Label},
			Y:      plot.Axis{Label: `slope of $\ln \mathrm{Var}$ on $\ln d_k$`},
			Share:  0.46,
			Points: []plot.Points{{Rows: slopes, Label: measuredSeries}},
			Lines: []plot.Lines{{
				Curves: selection.Filter{Experiment: names.ExperimentExponents, Quantity: names.VarianceSlope},
				Label:  "theory, $1 - 2p$",
			}},
			Guides: plot.At(plot.Level{At: 0}),
		},
		{
			Title:  "exponent of slope 0, for each distribution",
			X:      plot.Axis{Label: "exponent $p$ that makes the variance flat"},
			Y:      plot.Axis{Param: names.ParamDistribution, Names: true},
			Share:  0.54,
			Points: []plot.Points{{Rows: flatExponent, Label: measuredSeries}},
			Guides: plot.At(plot.Level{At: 0.5}),
		},
	},
	Caption: "The slope of log variance on log $d_k$ after dividing by $d_k^p$; where it crosses zero, the variance does not depend on $d_k$. Panel b has that exponent for each distribution.",
}
