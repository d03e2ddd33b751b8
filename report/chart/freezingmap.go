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

// freezing names rows of logits that are drawn directly.
func freezing(quantity string) rows.Filter {
	return rows.Filter{Experiment: "freezing", Quantity: quantity}
}

var freezingLine = []plot.Lines{{Curves: freezing("freezing_sigma"), Label: `freezing, $\sigma = \sqrt{2\,\ln n}$`}}

// freezingMap shows the same over the number of keys and the spread of the
// logits, which are drawn directly.
var freezingMap = figure.Chart{
	Name:    "freezing-map",
	Title:   `Median gradient survival $R$ and mean largest weight $\mathrm{E}\,\max \alpha$ over the number of keys $n$ and the standard deviation $\sigma$ of a logit`,
	Height:  100 * vg.Millimeter,
	Columns: 2,
	Panels: []plot.Panel{
		{
			Title: "(a) " + survivalLabel,
			X:     plot.Axis{Param: "keys", Label: "keys of a row, $n$", Log: true, At: true},
			Y:     plot.Axis{Param: "sigma", Label: `standard deviation $\sigma$ of a logit`, Log: true, At: true},
			Heat:  &plot.Heat{Rows: freezing("gradient_survival_q50"), Label: mapLabel, From: 0, To: 1, Graded: true, Whole: true},
			Lines: freezingLine,
		},
		{
			Title: "(b) " + weightLabel,
			X:     plot.Axis{Param: "keys", Label: "keys of a row, $n$", Log: true, At: true},
			Y:     plot.Axis{Param: "sigma", Label: `standard deviation $\sigma$ of a logit`, Log: true, At: true},
			Heat:  &plot.Heat{Rows: freezing("max_weight"), Label: mapLabel, From: 0, To: 1, Whole: true},
			Lines: freezingLine,
		},
	},
	Caption: func(d figure.Drawn, _ figure.Text) []string {
		return []string{
			`The logits are drawn directly, as independent normal numbers of standard deviation $\sigma$, and not as products of queries and keys.`,
			"(a) The share $R$ of the gradient at uniform weights that softmax lets through, in the median row. " + marksSay,
			"(b) The largest weight of a row, on average.",
			figure.When(d.Lines(), "The broken line is where softmax freezes in the limit of many keys; with few keys the change is gradual."),
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		keys := rows.Numbers(rows.Estimates(doc, freezing("max_weight").With("sigma", 1.0)), "keys")
		if len(keys) == 0 {
			return ""
		}
		last := keys[len(keys)-1]
		usual, _ := rows.One(doc, freezing("max_weight").With("sigma", 1.0).With("keys", last))
		text := fmt.Sprintf(`Of %s keys with logits of standard deviation 1, the largest weight is %s on average`, digits.Short(last), figure.Measured(usual))
		if sharp, ok := rows.One(doc, freezing("max_weight").With("sigma", 16.0).With("keys", last)); ok {
			text += fmt.Sprintf("; with a standard deviation of 16 it is %s", figure.Measured(sharp))
		}
		return text + "."
	},
}
