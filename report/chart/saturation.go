package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// sharesPanel is the shares of the four labels under one exponent.
func sharesPanel(title string, p float64) plot.Panel {
	panel := plot.Panel{
		Title: title, X: overDimension, Y: plot.Axis{Label: "share of rows", To: 1},
		Only: result.Params{names.ParamExponent: p},
	}
	for _, g := range plot.Grades {
		panel.Points = append(panel.Points,
			plot.Points{Rows: softmax(names.LabelShare(g.Name)), Label: g.Meaning(), Colour: g.Colour, Join: true})
	}
	return panel
}

// saturation shows how many rows have which label, unscaled and with the usual scale.
var saturation = figure.Chart{
	Name:    "saturation",
	Title:   "Shares of healthy, fading, dying and dead rows against the dimension $d_k$",
	Height:  84,
	Columns: 2,
	Narrow:  2,
	Fixed:   softmaxGrid,
	Panels:  []plot.Panel{sharesPanel("unscaled", 0), sharesPanel(`divided by $\sqrt{d_k}$`, 0.5)},
	Drawn:   "Shares of all rows.",
	Caption: "Labels go by $R$, the gradient that softmax passes relative to uniform weights: healthy from 1/2, fading from 1/20, dying from 1/1000, dead below.",
}
