package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
)

// walkPanel shows the partial sums divided by d^p, between plus and minus d^(1/2−p).
func walkPanel(title string, p float64, label string) plot.Panel {
	over := plot.Axis{Param: names.ParamComponents, Label: "components so far, $d$", Log: true}
	return plot.Panel{Title: title, X: over, Y: plot.Axis{Label: label}, Lines: []plot.Lines{{
		Curves: selection.Of(names.ExperimentRanks, names.PartialScore), Exponent: p, From: firstShown,
		Label: "one key of the row", Around: `$\pm 2$ standard deviations`,
	}}}
}

// firstShown is the least number of components that is shown: of fewer, a product or two that are
// far out make the sum.
const firstShown = 8

// walks shows how the scores of one row come about: each key's sum of products walks away
// from 0, and only over √d its width stays.
var walks = figure.Chart{
	Name:    "walks",
	Title:   `Sums of the first $d$ products $q_i k_i$ of each key of one row, unscaled, divided by $\sqrt{d}$ and divided by $d$`,
	Height:  70,
	Columns: 3,
	Fixed:   ranksGrid,
	Panels: []plot.Panel{
		walkPanel("unscaled", 0, "sum of the first $d$ products"),
		walkPanel(`divided by $\sqrt{d}$`, 0.5, `sum$\,/\,\sqrt{d}$`),
		walkPanel("divided by $d$", 1, `sum$\,/\,d$`),
	},
	Drawn: "Each line is one random key of one row.",
	Caption: `Each line adds one product after the other, and ends at the score of that key. ` +
		`Dashed lines are two standard deviations on either side of 0, $\pm 2d^{1/2-p}$ by theory. About 95 % of all sums lie between them at each $d$.`,
}
