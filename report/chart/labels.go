package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// labelsPanel is the shares of concentrated and of dead rows under one exponent.
func labelsPanel(title string, p float64) plot.Panel {
	return plot.Panel{
		Title: title, X: overDimension, Y: plot.Axis{Label: "share of rows", To: 1},
		Only: result.Params{names.ParamExponent: p},
		Points: []plot.Points{
			{Rows: softmax(names.ConcentratedShare), Label: "concentrated: few keys have most of the weight", Colour: theme.Departed(0.85), Join: true},
			{Rows: softmax(names.DeadShare), Label: "dead: hardly any gradient at the keys", Colour: theme.Departed(1), Join: true},
		},
	}
}

// labels shows how many rows are concentrated, and how many of these are dead.
var labels = figure.Chart{
	Name:    "labels",
	Title:   "Shares of concentrated and of dead rows against the dimension $d_k$",
	Height:  84,
	Columns: 2,
	Narrow:  2,
	Fixed:   softmaxGrid,
	Panels:  []plot.Panel{labelsPanel("unscaled", 0), labelsPanel(`divided by $\sqrt{d_k}$`, 0.5)},
	Drawn:   "Shares of all rows.",
	Caption: `A row is concentrated if its $\sum\alpha^2$ is above the mean for normal logits with $\sigma=\sqrt{2\,\ln n}$. It is dead if, besides, the gradient at its keys is below $2^{-8}$ of that of uniform weights and $\sigma=1$.`,
}
