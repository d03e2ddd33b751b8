package chart

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// Labels of axes that the figures on softmax share.
const (
	survivalLabel = "median of $R$"
	weightLabel   = `$\mathrm{E}\,\max \alpha$`
	mapLabel      = survivalLabel + " and " + weightLabel
)

// softmaxMap shows how sharp softmax is, and what it leaves of its gradient,
// over d_k and the exponent: the two panels have the same colours.
var softmaxMap = figure.Chart{
	Name:    "softmax-map",
	Title:   `Median gradient survival $R$ and mean largest weight $\mathrm{E}\,\max \alpha$ over the dimension $d_k$ and the exponent $p$`,
	Height:  86 * vg.Millimeter,
	Columns: 2,
	Fixed:   rows.SoftmaxGrid,
	Panels: []plot.Panel{
		{
			Title: "(a) " + survivalLabel,
			X:     overDimension,
			Y:     plot.Axis{Param: "exponent", Label: "exponent $p$ of the scale $d_k^p$", At: true},
			Heat:  &plot.Heat{Rows: rows.Softmax("gradient_survival_q50"), Label: mapLabel, From: 0, To: 1, Graded: true},
		},
		{
			Title: "(b) " + weightLabel,
			X:     overDimension,
			Y:     plot.Axis{Param: "exponent", Label: "exponent $p$ of the scale $d_k^p$", At: true},
			Heat:  &plot.Heat{Rows: rows.Softmax("max_weight"), Label: mapLabel, From: 0, To: 1},
		},
	},
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			"(a) The share $R$ of the gradient at uniform weights that softmax lets through, in the median row: 1 where all weights are equal, 0 where one weight is all.",
			marksSay + " (b) The largest weight of a row, on average." + rowsOf(d, text),
		}
	},
	Sentence: func(doc *result.Document, text figure.Text) string {
		fixed := rows.SoftmaxGrid(doc)
		f := rows.Softmax("gradient_survival_q50").Within(fixed)
		return medians(doc, f, "d_k", "d_k")
	},
}

// marksSay explains the letters in cells and bars.
const marksSay = "A letter is the label of that row."

// medians says what is left in the median row at the largest value of a
// parameter, without a scale and with the usual one.
func medians(doc *result.Document, f rows.Filter, param, symbol string) string {
	at := rows.Numbers(rows.Estimates(doc, f), param)
	if len(at) == 0 {
		return ""
	}
	last := at[len(at)-1]
	raw, okRaw := rows.One(doc, f.With(param, last).With("exponent", 0.0))
	root, okRoot := rows.One(doc, f.With(param, last).With("exponent", 0.5))
	if !okRaw || !okRoot {
		return ""
	}
	return fmt.Sprintf("At $%s = %s$ the median row keeps $R$ of %s without a scale ($p = 0$), and of %s after dividing by $\\sqrt{d_k}$ ($p = 1/2$).",
		symbol, digits.Short(last), figure.Measured(raw), figure.Measured(root))
}

// rowsOf says what rows are drawn: how many keys, of which law.
func rowsOf(d figure.Drawn, text figure.Text) string {
	for _, p := range d {
		for _, e := range p.Shown {
			keys, ok := e.Params.Number("keys")
			law, named := e.Params.Text("law")
			if ok && named {
				return fmt.Sprintf(" Rows have %s keys; the components have the law %s.", digits.Short(keys), text(law))
			}
		}
	}
	return ""
}
