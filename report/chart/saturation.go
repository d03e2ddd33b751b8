package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// sharesPanel is the shares of the four labels under one exponent.
func sharesPanel(title string, p float64) plot.Panel {
	panel := plot.Panel{
		Title: title, X: overDimension, Y: plot.Axis{Label: "share of rows", To: 1}, Share: 0.55,
		Only: result.Params{names.ParamExponent: p},
	}
	for _, g := range plot.Grades {
		panel.Points = append(panel.Points,
			plot.Points{Rows: softmax(names.LabelShare(g.Name)), Label: g.Meaning(), Colour: g.Colour, Join: true})
	}
	return panel
}

// abovePanel shows how many rows have nearly all weight on one key.
func abovePanel(title string, p float64) plot.Panel {
	return plot.Panel{
		Title: title, X: overDimension, Y: plot.Axis{Label: "share of rows", Log: true, To: 1}, Share: 0.45,
		Only: result.Params{names.ParamExponent: p},
		Points: []plot.Points{
			{Rows: softmax(names.MaxWeightAbove90Percent), Label: "one key has more than 0.9 of the weight", Colour: theme.Neutral(0)},
			{Rows: softmax(names.MaxWeightAbove99Percent), Label: "more than 0.99", Colour: theme.Neutral(1)},
		},
	}
}

// saturation shows how many rows have which label, and how many are all but
// one weight, without a scale and with the usual one.
var saturation = figure.Chart{
	Name:    "saturation",
	Title:   "Shares of healthy, fading, dying and dead rows, and of rows with a weight near 1, against the dimension $d_k$",
	Height:  118,
	Columns: 2,
	Fixed:   softmaxGrid,
	Panels: []plot.Panel{
		sharesPanel("(a) unscaled, $p = 0$", 0), sharesPanel(`(b) divided by $\sqrt{d_k}$, $p = 1/2$`, 0.5),
		abovePanel("(c) unscaled, $p = 0$", 0), abovePanel(`(d) divided by $\sqrt{d_k}$, $p = 1/2$`, 0.5),
	},
	Caption: "(a, b) Rows by the part $R$ of the gradient at uniform weights that they keep. " +
		"(c, d) Rows of which one key has more than 0.9 and more than 0.99 of the weight.",
}
