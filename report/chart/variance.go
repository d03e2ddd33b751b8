package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
)

var scoreVariance = rows.Filter{Experiment: names.ExperimentVariance, Quantity: names.ScoreVariance, Has: []string{names.ParamLaw, names.ParamDimension}}

// variance shows Var(q·k) against d_k: above for one law on logarithmic axes, and below
// over d_k in a panel for each law with the tolerance of its own gates.
var variance = figure.Chart{
	Name:    "variance",
	Title:   `Variance of the score $q\cdot k$ against the dimension $d_k$, for each law of the components`,
	Height:  168,
	Columns: 3,
	Narrow:  2,
	Each:    &plot.Each{Rows: scoreVariance, Param: names.ParamLaw},
	Panels: []plot.Panel{
		{
			Wide:   true,
			X:      overDimension,
			Y:      plot.Axis{Label: `$\mathrm{Var}(q\cdot k)$`, Log: true},
			Share:  1.3,
			Points: []plot.Points{{Rows: scoreVariance, DefaultLaw: true, Label: measuredSeries}},
			Lines: []plot.Lines{{
				Curves: rows.Filter{Experiment: names.ExperimentVariance, Quantity: names.ScoreVariance},
				Label:  "theory, $d_k$",
			}},
		},
		{
			X:      overDimension,
			Y:      plot.Axis{Label: `$\mathrm{Var}(q\cdot k)\,/\,d_k$`},
			Points: []plot.Points{{Rows: scoreVariance, Label: measuredSeries, In: rows.OverTheory}},
			Band:   &plot.Band{Gates: scoreVariance, Label: "tolerance of the gates"},
			Guides: plot.At(plot.Level{At: 1}),
		},
	},
	Caption: "Above, the variance of the unscaled score on logarithmic axes, for one law. Below, the same over $d_k$ in a panel for each law, with the tolerance of its gates in its title and as a shaded band; that of a law with heavy tails is wider.",
}
