package chart

import (
	"fmt"
	"math"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Series of the chart on components that are not as assumed.
const wholeSeries, seenSeries = "of all scores", "between the keys of a query, which softmax sees"

// mismatch shows what dividing by √d_k leaves where components are not as assumed, and
// how much of that softmax sees.
var mismatch = figure.Chart{
	Name:   "mismatch",
	Title:  `Variance that dividing by $\sqrt{d_k}$ leaves where the components of queries and keys are not as assumed`,
	Height: 70,
	Fixed:  rows.MismatchGrid,
	Panels: []plot.Panel{{
		X:      plot.Axis{Label: `variance of $q\cdot k\,/\,\sqrt{d_k}$`},
		Y:      plot.Axis{Names: true, Sorted: true},
		Called: components,
		Points: []plot.Points{
			{Rows: leftByRoot, Label: wholeSeries},
			{Rows: rows.Mismatch(names.KeyVariance), Label: seenSeries, In: rows.OverDimension},
			{Rows: leftByRoot, Label: wholeSeries, Theory: true},
			{Rows: rows.Mismatch(names.KeyVariance), Label: seenSeries, In: rows.OverDimension, Theory: true},
		},
		Level: &plot.Level{At: 1, Label: "as assumed, 1"},
	}},
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			`Means $\mu_q$ and $\mu_k$ that are not 0, standard deviations $\sigma_q$ and $\sigma_k$ that are not 1, correlations $r_q$ and $r_k$ between the components; sorted by theory.`,
			"What all keys of a query share is in the variance of all scores alone: softmax does not see it.",
			figure.When(d.Law() != "", "The components have the law "+text(d.Law())+"."),
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		fixed := rows.MismatchGrid(doc)
		var far result.Estimate
		for _, e := range rows.Estimates(doc, leftByRoot.Within(fixed)) {
			if far.Cell == "" || math.Abs(float64(e.Value)-1) > math.Abs(float64(far.Value)-1) {
				far = e
			}
		}
		if far.Cell == "" {
			return ""
		}
		text := fmt.Sprintf(`Farthest from 1 is %s, for %s`, figure.Measured(far), components(far))
		for e := range doc.RowsOf(far.Cell) {
			if seen, ok := rows.OverDimension(*e); ok && e.Quantity == names.KeyVariance && e.Value.Present() {
				text += fmt.Sprintf(", of which softmax sees %s", figure.Measured(seen))
			}
		}
		return text + "."
	},
}

// leftByRoot are the rows of what dividing by √d_k leaves.
var leftByRoot = rows.Mismatch(names.ScaledVariance).With(names.ParamExponent, 0.5)

// assumptions are what the components of queries and keys may have, and its sign.
var assumptions = []struct{ param, sign string }{
	{names.ParamQueryMean, `\mu_q`}, {names.ParamKeyMean, `\mu_k`}, {names.ParamQuerySD, `\sigma_q`}, {names.ParamKeySD, `\sigma_k`},
	{names.ParamQueryCorrelation, "r_q"}, {names.ParamKeyCorrelation, "r_k"},
}

// components writes how the components of a row differ from what is assumed, and d_k.
func components(e result.Estimate) string {
	var parts []string
	for _, a := range assumptions {
		if x, ok := e.Params.Number(a.param); ok {
			parts = append(parts, "$"+a.sign+" = "+digits.Fraction(x)+"$")
		}
	}
	if len(parts) == 0 {
		parts = []string{"as assumed"}
	}
	return strings.Join(append(parts, "$d_k = "+numberIn(e, names.ParamDimension)+"$"), ", ")
}
