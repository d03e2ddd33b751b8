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
	Height:  86,
	Columns: 2,
	Fixed:   rows.SoftmaxGrid,
	Panels:  mapPanels(overDimension, overExponent, rows.Softmax, false),
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			"(a) The share $R$ of the gradient at uniform weights that softmax lets through, in the median row: 1 where all weights are equal, 0 where one weight is all.",
			marksSay + " (b) The largest weight of a row, on average." + rowsOf(d, text),
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		f := rows.Softmax(names.Quantile(names.GradientSurvival, 0.5)).Within(rows.SoftmaxGrid(doc))
		last := rows.Largest(rows.Estimates(doc, f), names.ParamDimension)
		raw, okRaw := rows.One(doc, f.With(names.ParamDimension, last).With(names.ParamExponent, 0.0))
		root, okRoot := rows.One(doc, f.With(names.ParamDimension, last).With(names.ParamExponent, 0.5))
		if !okRaw || !okRoot {
			return ""
		}
		return fmt.Sprintf("At $d_k = %s$ the median row keeps $R$ of %s without a scale ($p = 0$), and of %s after dividing by $\\sqrt{d_k}$ ($p = 1/2$).",
			digits.Short(last), figure.Measured(raw), figure.Measured(root))
	},
}

// mapPanels map R of the median row, with its label, and the largest weight over
// the same axes.
func mapPanels(x, y plot.Axis, of func(quantity string) rows.Filter, whole bool, lines ...plot.Lines) []plot.Panel {
	heat := plot.Heat{Label: mapLabel, From: 0, To: 1, Whole: whole}
	survival, weight := heat, heat
	survival.Rows, survival.Graded = of(names.Quantile(names.GradientSurvival, 0.5)), true
	weight.Rows = of(names.MaxWeight)
	return []plot.Panel{
		{Title: "(a) " + survivalLabel, X: x, Y: y, Heat: &survival, Lines: lines},
		{Title: "(b) " + weightLabel, X: x, Y: y, Heat: &weight, Lines: lines},
	}
}

// marksSay explains the letters in cells and bars.
const marksSay = "A letter is the label of that row."

// rowsOf says what rows are drawn: how many keys, of which law.
func rowsOf(d figure.Drawn, text figure.Text) string {
	first := d.First(names.ParamKeys, names.ParamLaw)
	keys, ok := first.Number(names.ParamKeys)
	law, _ := first.Text(names.ParamLaw)
	return figure.When(ok, fmt.Sprintf(" Rows have %s keys, and were drawn with %s components.", digits.Short(keys), text(law)))
}
