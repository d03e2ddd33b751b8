package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/sim/names"
)

// told are the exponents of the figure: a line for each of many would be a tangle.
var told = []any{0.0, 0.5, 1.0}

// medianPanel shows the median row of a quantity over d_k, a line for each exponent.
func medianPanel(title, quantity, label string, to float64) plot.Panel {
	return plot.Panel{
		Title: title, X: overDimension, Y: plot.Axis{Label: label, To: to},
		Points: []plot.Points{{
			Rows: softmax(names.Quantile(quantity, 0.5)), By: names.ParamExponent, Of: told, Join: true,
		}},
	}
}

// gradients sets what survives of the Jacobian beside what reaches the keys: by the first
// alone the largest exponent were the best, but what reaches the keys is flat at
// p = 1/2 alone.
var gradients = figure.Chart{
	Name:    "gradients",
	Title:   `Gradient survival $R$ and gradient $\Vert \partial \alpha / \partial K \Vert$ that reaches the keys against the dimension $d_k$, for each exponent $p$`,
	Height:  78,
	Columns: 2,
	Fixed:   softmaxGrid,
	Panels: []plot.Panel{
		medianPanel("passes softmax", names.GradientSurvival, "gradient that passes softmax, $R$", 1),
		medianPanel("reaches the keys", names.KeyGradient, `gradient at the keys, $\Vert \partial \alpha / \partial K \Vert$`, 0),
	},
	Drawn: "Median row.",
	Caption: `Panel a: the trace of the Jacobian of softmax, divided by its value at uniform weights. Panel b: the Frobenius norm of the derivative of the weights by the keys, with the scale. ` +
		`Both are of the median row; the root mean square is another thing, since a few rows with a large gradient lift it.`,
}
