package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// minGradient is the smallest gradient that a panel shows; smaller ones stand at its edge.
const minGradient = 1e-6

// spreadOfRows returns the median of a quantity of softmax with its 5 % and 95 % quantiles as limits.
func spreadOfRows(quantity string) func(*result.Document, result.Params) []plot.Mark {
	return func(doc *result.Document, only result.Params) (marks []plot.Mark) {
		for _, median := range selection.Estimates(doc, softmax(names.Quantile(quantity, 0.5)).Within(only)) {
			quantileAt := func(p float64) result.Number {
				filter := softmax(names.Quantile(quantity, p)).Within(median.Params)
				e, ok := selection.One(doc, filter)
				if !ok {
					return result.Absent()
				}
				return max(e.Value, minGradient)
			}
			shown := median
			shown.Value = max(median.Value, minGradient)
			shown.Lo, shown.Hi = quantileAt(0.05), quantileAt(0.95)
			marks = append(marks, plot.Mark{Row: median, Shown: shown})
		}
		return marks
	}
}

// keyGradientPanel shows how the gradient at the keys is spread over rows under one exponent.
func keyGradientPanel(title string, p float64) plot.Panel {
	return plot.Panel{
		Title: title, X: overDimension, Only: result.Params{names.ParamExponent: p},
		Y: plot.Axis{Label: `gradient at the keys, $\Vert \partial \alpha / \partial K \Vert$`, Log: true},
		Points: []plot.Points{
			{Rows: softmax(names.Quantile(names.KeyGradient, 0.5)), From: spreadOfRows(names.KeyGradient), Label: "median row",
				Band: "5 % to 95 % of rows", Join: true},
			{Rows: softmax(names.KeyGradient), Label: "root mean square", Join: true},
		},
	}
}

// gradients shows what reaches the keys through scores and softmax: of which size, and how
// different it is from row to row.
var gradients = figure.Chart{
	Name:    "gradients",
	Title:   `Gradient $\Vert \partial \alpha / \partial K \Vert$ that reaches the keys against the dimension $d_k$, for three scales`,
	Height:  74,
	Columns: 3,
	Narrow:  1,
	Fixed:   softmaxGrid,
	Panels: []plot.Panel{keyGradientPanel("unscaled", 0), keyGradientPanel(`divided by $\sqrt{d_k}$`, 0.5),
		keyGradientPanel("divided by $d_k$", 1)},
	Drawn:   "Medians.",
	Caption: `The Frobenius norm of the derivative of the weights with respect to all keys, through scale and softmax. Gradients below $10^{-6}$ stand at the lower edge.`,
}

// told are the exponents of figures with a line for each: lines for many would be a tangle.
var told = []any{0.0, 0.5, 1.0}

// targets shows the gradient of a random key, and how well an average over rows tells its mean.
var targets = figure.Chart{
	Name:    "targets",
	Title:   `Gradient of a random key, and its signal over noise, against the dimension $d_k$, for each exponent $p$`,
	Height:  78,
	Columns: 2,
	Fixed:   softmaxGrid,
	Panels: []plot.Panel{
		{
			Title: "idle targets", X: overDimension, Y: plot.Axis{Label: "share of rows with an idle target", To: 1},
			Points: []plot.Points{{Rows: softmax(names.IdleTargetShare), By: names.ParamExponent, Of: told, Join: true}},
		},
		{
			Title: "signal over noise", X: overDimension, Y: plot.Axis{Label: "mean over standard deviation", Log: true},
			Points: []plot.Points{{Rows: softmax(names.TargetSignal), By: names.ParamExponent, Of: told, Join: true}},
		},
	},
	Drawn: "Shares and ratios of all rows.",
	Caption: `The target is one key that is chosen before the draw; its gradient is the derivative of its weight with respect to the key. ` +
		`Panel a: it is idle below $2^{-8}$ of what uniform weights with logits of standard deviation 1 give. Panel b: the ratio for one row; for $N$ rows it is $\sqrt{N}$ times as large.`,
}
