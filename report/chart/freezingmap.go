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

// freezing names rows of logits that are drawn directly.
func freezing(quantity string) rows.Filter {
	return rows.Filter{Experiment: names.ExperimentFreezing, Quantity: quantity}
}

// freezingMap shows the same over the number of keys and the spread of the
// logits, which are drawn directly.
var freezingMap = figure.Chart{
	Name:   "freezing-map",
	Title:  `Where rows are healthy, saturated or too soft, over the number of keys $n$ and the standard deviation $\sigma$ of a logit`,
	Height: 100,
	Panels: []plot.Panel{{
		X:    plot.Axis{Param: names.ParamKeys, Label: "number of keys $n$ among which softmax divides the weight"},
		Y:    plot.Axis{Param: names.ParamSigma, Label: `standard deviation $\sigma$ of a logit`},
		Heat: &plot.Heat{Weights: freezing(names.MaxWeight), Medians: freezing(names.Quantile(names.GradientSurvival, 0.5)), Whole: true},
	}},
	Caption: func(figure.Drawn, figure.Text) []string {
		return []string{
			`The logits are drawn directly, as independent normal numbers of standard deviation $\sigma$, and not as products of queries and keys.`,
			mapSays,
			`In the limit of many keys the largest weight stops vanishing at $\sigma = \sqrt{2\,\ln n}$, and half of the gradient is lost on average at twice that.`,
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		last := rows.Largest(rows.Estimates(doc, freezing(names.MaxWeight).With(names.ParamSigma, 1.0)), names.ParamKeys)
		usual, ok := rows.One(doc, freezing(names.MaxWeight).With(names.ParamSigma, 1.0).With(names.ParamKeys, last))
		if !ok {
			return ""
		}
		text := fmt.Sprintf(`Of %s keys with logits of standard deviation 1, the largest weight is %s on average`, digits.Short(last), figure.Measured(usual))
		if sharp, ok := rows.One(doc, freezing(names.MaxWeight).With(names.ParamSigma, 16.0).With(names.ParamKeys, last)); ok {
			text += fmt.Sprintf("; with a standard deviation of 16 it is %s", figure.Measured(sharp))
		}
		return text + "."
	},
}
