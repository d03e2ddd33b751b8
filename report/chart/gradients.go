package chart

import (
	"fmt"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// keyGradientLabel is that of the size of the gradient that reaches the keys.
const keyGradientLabel = `gradient at the keys, $\Vert \partial \alpha / \partial K \Vert$`

// medianPanel shows the median row of a quantity over d_k, a line for each exponent.
func medianPanel(title, quantity, label string, to float64) plot.Panel {
	return plot.Panel{
		Title: title, X: overDimension, Y: plot.Axis{Label: label, To: to},
		Points: []plot.Points{{Rows: rows.Softmax(names.Quantile(quantity, 0.5)), By: names.ParamExponent, Few: true, Join: true}},
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
	Fixed:   rows.SoftmaxGrid,
	Panels: []plot.Panel{
		medianPanel("(a) softmax alone, median row", names.GradientSurvival, survivalLabel, 1),
		medianPanel("(b) reaches the keys, median row", names.KeyGradient, keyGradientLabel, 0),
		{
			Title: "(c) the same, root mean square", X: overDimension, Y: plot.Axis{Label: "gradient at the keys, root mean square"},
			Points: []plot.Points{{Rows: rows.Softmax(names.KeyGradient), By: names.ParamExponent, Few: true}},
			Lines:  []plot.Lines{{Curves: rows.Filter{Experiment: names.ExperimentSoftmax, Quantity: names.KeyGradient}, By: names.ParamExponent}},
			Ends:   true,
		},
	},
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			`(a) What the softmax Jacobian lets through, over what it does at uniform weights. (b, c) The Frobenius norm of the derivative of a row's weights by its keys, in which the scale counts too.`,
			figure.When(d.Names(plot.NameOf(plot.Key{By: names.ParamExponent, Of: 0.0})), "(b) At $p = 0$ nothing divides the gradient, which grows with the length of the query until the median row saturates; from there on softmax lets less and less of it through."),
			"Median and root mean square are different things: a few rows with a large gradient lift the second, and say nothing of the first.",
			"Lines in (a) and (b) join what is measured" + figure.When(d.Lines(), "; in (c) they are theory, by quadrature") + ".",
			rowsOf(d, text),
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		f := rows.Softmax(names.Quantile(names.KeyGradient, 0.5)).Within(rows.SoftmaxGrid(doc))
		last := rows.Largest(rows.Estimates(doc, f), names.ParamDimension)
		at := func(p float64) (result.Estimate, bool) {
			return rows.One(doc, f.With(names.ParamDimension, last).With(names.ParamExponent, p))
		}
		root, ok := at(0.5)
		if !ok {
			return ""
		}
		text := fmt.Sprintf("At $d_k = %s$ a gradient of %s reaches the keys of the median row at $p = 1/2$", digits.Short(last), figure.Measured(root))
		raw, okRaw := at(0)
		full, okFull := at(1)
		switch {
		case okRaw && okFull:
			return text + fmt.Sprintf(", against %s at $p = 0$ and %s at $p = 1$.", figure.Measured(raw), figure.Measured(full))
		case okRaw:
			return text + fmt.Sprintf(", against %s at $p = 0$.", figure.Measured(raw))
		case okFull:
			return text + fmt.Sprintf(", against %s at $p = 1$.", figure.Measured(full))
		}
		return text + "."
	},
}
