package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
)

// quarters are the exponents of the figure: a line for each of many would be a tangle.
var quarters = []any{0.0, 0.25, 0.5, 0.75, 1.0}

// medianPanel shows the median row of a quantity over d_k, a line for each exponent.
func medianPanel(title, quantity, label string, to float64) plot.Panel {
	return plot.Panel{
		Title: title, X: overDimension, Y: plot.Axis{Label: label, To: to},
		Points: []plot.Points{{
			Rows: softmax(names.Quantile(quantity, 0.5)), By: names.ParamExponent, Of: quarters, Join: true,
		}},
	}
}

// gradients sets what survives of the Jacobian beside what reaches the keys: by the first
// alone the largest exponent were the best, but what reaches the keys is flat at
// p = 1/2 alone.
var gradients = figure.Chart{
	Name:    "gradients",
	Title:   `Gradient survival $R$ and gradient $\Vert \partial \alpha / \partial K \Vert$ that reaches the keys against the dimension $d_k$, for each exponent $p$`,
	Height:  86,
	Columns: 3,
	Fixed:   softmaxGrid,
	Panels: []plot.Panel{
		medianPanel("(a) softmax alone, median row", names.GradientSurvival, survivalLabel, 1),
		medianPanel("(b) reaches the keys, median row", names.KeyGradient, `gradient at the keys, $\Vert \partial \alpha / \partial K \Vert$`, 0),
		{
			Title: "(c) the same, root mean square", X: overDimension, Y: plot.Axis{Label: "gradient at the keys, root mean square"},
			Points: []plot.Points{{Rows: softmax(names.KeyGradient), By: names.ParamExponent, Of: quarters}},
			Lines:  []plot.Lines{{Curves: rows.Filter{Experiment: names.ExperimentSoftmax, Quantity: names.KeyGradient}, By: names.ParamExponent}},
		},
	},
	Caption: `(a) What the softmax Jacobian lets through, over what it does at uniform weights. (b, c) The Frobenius norm of the derivative of a row's weights by its keys, in which the scale counts too. ` +
		`Median and root mean square are different things: a few rows with a large gradient lift the second, and say nothing of the first. Lines in (a) and (b) join what is measured; in (c) they are theory, by quadrature.`,
}
