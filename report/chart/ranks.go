package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
)

// rankPanel is the weights by rank under a scale.
func rankPanel(title string, p float64) plot.Panel {
	of := func(quantity string) rows.Filter { return rows.Ranks(quantity).With(names.ParamExponent, p) }
	return plot.Panel{
		Title: title,
		X:     plot.Axis{Param: names.ParamRank, Label: "key, the one of the greatest score first", At: true},
		Y:     plot.Axis{Label: "weight", To: 1},
		Traces: []plot.Traces{{
			Curves: of(names.RankedWeight), Exponent: p, Bars: true,
			Lower: of(names.Quantile(names.RankedWeight, 0.05)), Upper: of(names.Quantile(names.RankedWeight, 0.95)),
			Label: "the median row", Reach: "5 to 95 % of all rows",
		}},
		Guides: equalWeights,
	}
}

// rankedWeights shows the sorted weights of a row under three scales, at three d_k: only
// √d_k gives the same picture at all of them.
var rankedWeights = figure.Chart{
	Name:    "ranked-weights",
	Title:   `Weights of the keys of one row, sorted, undivided, divided by $\sqrt{d_k}$ and divided by $d_k$, for several dimensions $d_k$`,
	Height:  100,
	Columns: 3,
	Narrow:  3,
	Fixed:   rows.RanksGrid,
	Each:    &plot.Each{Rows: rows.Ranks(names.RankedWeight), Param: names.ParamDimension, Most: 3},
	Panels:  []plot.Panel{rankPanel("undivided", 0), rankPanel(`divided by $\sqrt{d_k}$`, 0.5), rankPanel("divided by $d_k$", 1)},
	Caption: "A bar is no average but a draw: under each scale and at each $d_k$ the weights are those of one row, whose $R$, the part of a gradient that softmax lets through, is nearest to the median of all, among the first rows of the cell. " +
		"Its cell, and its number in it, counting from 0, stand in the figure's CSV file. Whiskers go from the weight that 5\u202f% of all rows of a cell do not exceed at that rank to the one that 95\u202f% do not exceed.",
}
