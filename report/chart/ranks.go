package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
)

// rankPanel is the weights by rank under a scale.
func rankPanel(title string, p float64) plot.Panel {
	of := func(quantity string) selection.Filter {
		return selection.Of(names.ExperimentRanks, quantity).With(names.ParamExponent, p)
	}
	return plot.Panel{
		Title: title,
		X:     plot.Axis{Param: names.ParamRank, Label: "rank of the key"},
		Y:     plot.Axis{Label: "weight", To: 1},
		Points: []plot.Points{{
			Rows: of(names.RankedWeight), By: names.ParamExponent, Of: []any{p}, Bars: true,
			Lower: of(names.Quantile(names.RankedWeight, 0.05)), Upper: of(names.Quantile(names.RankedWeight, 0.95)),
		}},
		Guides: uniformWeights,
	}
}

// ranksGrid is the distribution and the keys that the most d_k have.
var ranksGrid = selection.OneDistribution(selection.Of(names.ExperimentRanks, names.RankedWeight), names.ParamDimension, names.ParamKeys)

// rankedWeights shows the sorted weights of a row under three scales, at three d_k: only
// √d_k gives the same picture at all of them.
var rankedWeights = figure.Chart{
	Name:    "ranked-weights",
	Title:   `Weights of the keys of one row, sorted, unscaled, divided by $\sqrt{d_k}$ and divided by $d_k$, for several dimensions $d_k$`,
	Height:  100,
	Columns: 3,
	Narrow:  3,
	Fixed:   ranksGrid,
	Each:    &plot.Each{Rows: selection.Of(names.ExperimentRanks, names.RankedWeight), Param: names.ParamDimension},
	Panels:  []plot.Panel{rankPanel("unscaled", 0), rankPanel(`divided by $\sqrt{d_k}$`, 0.5), rankPanel("divided by $d_k$", 1)},
	Drawn:   "Bars: mean weight at each rank; whiskers: 5th to 95th percentile.",
	Caption: "Rank 1 is the key with the greatest score.",
}
