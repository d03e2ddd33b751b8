package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
)

var scoreVariance = selection.Filter{Experiment: names.ExperimentVariance, Quantity: names.ScoreVariance, Has: []string{names.ParamDistribution, names.ParamDimension}}

// variance shows Var(q·k) over d_k, in a row for each distribution.
var variance = figure.Chart{
	Name:   "variance",
	Title:  `Variance of the score $q\cdot k$ over the dimension $d_k$, for each distribution of the components`,
	Height: 96,
	Panels: []plot.Panel{{
		X:      plot.Axis{Label: `$\mathrm{Var}(q\cdot k)\,/\,d_k$`},
		Y:      plot.Axis{Param: names.ParamDistribution, Names: true},
		Points: []plot.Points{{Rows: scoreVariance, Label: "one $d_k$", In: selection.OverTheory}},
		Guides: plot.At(plot.Level{At: 1, Label: "theory, 1"}),
		Spread: true,
	}},
	Drawn:   "One marker for each $d_k$, with its interval.",
	Caption: "The variance of the unscaled score, divided by $d_k$. The markers of a distribution are sorted by value, not by $d_k$. Distributions with heavy tails have wider intervals.",
}
