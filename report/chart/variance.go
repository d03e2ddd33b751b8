package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
)

var scoreVariance = rows.Filter{Experiment: names.ExperimentVariance, Quantity: names.ScoreVariance, Has: []string{names.ParamDistribution, names.ParamDimension}}

// variance shows Var(q·k) over d_k against d_k, a panel for each distribution with the tolerance of
// its own gates.
var variance = figure.Chart{
	Name:    "variance",
	Title:   `Variance of the score $q\cdot k$ against the dimension $d_k$, for each distribution of the components`,
	Height:  126,
	Columns: 3,
	Narrow:  2,
	Each:    &plot.Each{Rows: scoreVariance, Param: names.ParamDistribution},
	Panels: []plot.Panel{
		{
			X:      overDimension,
			Y:      plot.Axis{Label: `$\mathrm{Var}(q\cdot k)\,/\,d_k$`},
			Points: []plot.Points{{Rows: scoreVariance, Label: measuredSeries, In: rows.OverTheory}},
			Band:   &plot.Band{Gates: scoreVariance, Label: "tolerance of the gates"},
			Guides: plot.At(plot.Level{At: 1}),
		},
	},
	Caption: "The variance of the unscaled score over what theory says of it, $d_k$, in a panel for each distribution. Shaded is the tolerance of its gates, to either side of the marker if there is one $d_k$ alone; that of a distribution with heavy tails is wider.",
}
