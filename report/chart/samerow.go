package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// sameRow shows what becomes of the weights of one row as its vectors grow, under two scales
// side by side.
var sameRow = figure.Chart{
	Name:    "same-row",
	Title:   `Weights of the keys of one typical row, of its first $d_k$ components, unscaled and divided by $\sqrt{d_k}$`,
	Height:  96,
	Columns: 2,
	Narrow:  2,
	Fixed:   ranksGrid,
	Each:    &plot.Each{Rows: selection.Of(names.ExperimentRanks, names.RankedWeight), Param: names.ParamDimension},
	Panels:  []plot.Panel{rowPanel("unscaled", 0), rowPanel(`divided by $\sqrt{d_k}$`, 0.5)},
	Drawn:   "One drawn row; only the number of components changes.",
	Caption: `Out of one block of rows, we chose the one that is nearest to the median row at every $d_k$ and with every scale.`,
}

// keyWeight names lines of the weights of one row.
var keyWeight = selection.Of(names.ExperimentRanks, names.KeyWeight)

// rowPanel is the weights of a row under a scale, key by key.
func rowPanel(title string, p float64) plot.Panel {
	style, _ := theme.ExponentStyle(p)
	return plot.Panel{
		Title: title,
		X:     plot.Axis{Param: names.ParamKey, Label: "key"},
		Y:     plot.Axis{Label: "weight", To: 1},
		Points: []plot.Points{{
			Rows: keyWeight, Label: title, Bars: true, Bare: true, Colour: style.Colour,
			From: func(doc *result.Document, only result.Params) (marks []plot.Mark) {
				for _, c := range selection.Curves(doc, keyWeight.Within(only).With(names.ParamExponent, p), names.ParamKey) {
					for i := range c.X {
						e := plot.RowOf(doc, c, i)
						marks = append(marks, plot.Mark{Row: e, Shown: e})
					}
				}
				return marks
			},
		}},
		Guides: uniformWeights,
	}
}
