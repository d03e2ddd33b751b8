package chart

import (
	"slices"

	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
)

// shares are the parts of the rows by their label, the worst below.
func shares(p float64) []plot.Part {
	var out []plot.Part
	for _, g := range slices.Backward(plot.Grades) {
		out = append(out, plot.Part{Rows: rows.Softmax(names.LabelShare(g.Name)).With(names.ParamExponent, p), Grade: g})
	}
	return out
}

// above are the shares of rows whose largest weight is above a bound.
func above(quantity, label string, p float64) plot.Points {
	return plot.Points{Rows: rows.Softmax(quantity).With(names.ParamExponent, p), Neutral: true, Label: label}
}

// sharesPanel stacks the shares of the four labels under one exponent.
func sharesPanel(title string, p float64) plot.Panel {
	return plot.Panel{Title: title, X: overDimension, Y: plot.Axis{Label: "share of rows"}, Share: 0.6, Stack: shares(p)}
}

// abovePanel shows how many rows have nearly all weight on one key.
func abovePanel(title string, p float64) plot.Panel {
	return plot.Panel{Title: title, X: overDimension, Y: plot.Axis{Label: "share of rows", Log: true, To: 1}, Share: 0.4, Points: []plot.Points{
		above(names.MaxWeightAbove90Percent, "one key has more than 0.9 of the weight", p), above(names.MaxWeightAbove99Percent, "more than 0.99", p)}}
}

// saturation shows how many rows have which label, and how many are all but
// one weight, without a scale and with the usual one.
var saturation = figure.Chart{
	Name:    "saturation",
	Title:   "Shares of healthy, fading, dying and dead rows, and of rows with a weight near 1, against the dimension $d_k$",
	Height:  118,
	Columns: 2,
	Fixed:   rows.SoftmaxGrid,
	Panels: []plot.Panel{
		sharesPanel("(a) unscaled, $p = 0$", 0), sharesPanel(`(b) divided by $\sqrt{d_k}$, $p = 1/2$`, 0.5),
		abovePanel("(c) unscaled, $p = 0$", 0), abovePanel(`(d) divided by $\sqrt{d_k}$, $p = 1/2$`, 0.5),
	},
	Caption: "(a, b) Rows by the part $R$ of the gradient at uniform weights that they keep, dead rows below. The part of a bar that lies at the height of 1/2 is the label of the median row. " +
		"(c, d) Rows of which one key has more than 0.9 and more than 0.99 of the weight.",
}
