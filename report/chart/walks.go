package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
)

// walkPanel shows the partial sums divided by d^p, between plus and minus d^(1/2−p).
func walkPanel(title string, p float64, label string) plot.Panel {
	over := plot.Axis{Param: names.ParamComponents, Label: "components so far, $d$", Log: true}
	return plot.Panel{Title: title, X: over, Y: plot.Axis{Label: label}, Lines: []plot.Lines{{
		Curves: rows.Of(names.ExperimentRanks, names.PartialScore), Exponent: p,
		Label: "one key of the row", Around: `$\pm$ standard deviation by theory`,
	}}}
}

// walks shows how the scores of one row come about: each key's sum of products walks away
// from 0, and only over √d its width stays.
var walks = figure.Chart{
	Name:    "walks",
	Title:   `Sums of the first $d$ products $q_i k_i$ of each key of one row, unscaled, divided by $\sqrt{d}$ and divided by $d$`,
	Height:  70,
	Columns: 3,
	Fixed:   ranksGrid,
	Panels: []plot.Panel{
		walkPanel("(a) unscaled", 0, "sum of the first $d$ products"),
		walkPanel(`(b) divided by $\sqrt{d}$`, 0.5, `sum$\,/\,\sqrt{d}$`),
		walkPanel("(c) divided by $d$", 1, `sum$\,/\,d$`),
	},
	Caption: `Lines are no theory but draws of one row, whose cell, and whose number in it, counting from 0, stand in the figure's CSV file. A line adds one product of components after the other; ` +
		`where it ends, at the marker, it is the score of one key. The axis of $d$ is logarithmic. Dashed is the standard deviation by theory, to either side of 0: (a) $\sqrt{d}$, (b) 1, (c) $1/\sqrt{d}$. ` +
		`At any $d$ but the first few, about a third of all walks are outside the dashed lines, as is usual for a standard deviation.`,
}
