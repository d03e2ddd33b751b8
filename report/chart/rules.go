package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
)

// measuredSeries is what measured points are called that have no parameter of their own.
const measuredSeries = "measured"

var logitVariance = rows.Of(names.ExperimentRules, names.LogitVariance, names.ParamRule)

// ruleVariance shows the variance of the logit under each rule, a panel for
// each, so that those that agree do not hide each other.
var ruleVariance = figure.Chart{
	Name:    "rules",
	Title:   `Variance of the logit against the dimension $d_k$, for each rule that makes a logit of query and key`,
	Height:  150,
	Columns: 5,
	Narrow:  2,
	Fixed:   rows.OneDistribution(logitVariance, names.ParamDimension, names.ParamKeys),
	Each:    &plot.Each{Rows: logitVariance, Param: names.ParamRule},
	Panels: []plot.Panel{{
		X:      overDimension,
		Y:      plot.Axis{Label: "variance of the logit", Log: true},
		Points: []plot.Points{{Rows: logitVariance, Label: measuredSeries}},
		Lines:  []plot.Lines{{Curves: logitVariance, Label: "theory", Distribution: true}},
		Guides: plot.At(plot.Level{At: 1, Label: "variance 1"}),
	}},
	Caption: "The variance of the logit under each rule, on logarithmic axes that all panels share. A rule whose line is level from $d_k = 2$ on keeps the variance whatever $d_k$ is. " +
		"Under additive rules the theory is a limit of many components.",
}
