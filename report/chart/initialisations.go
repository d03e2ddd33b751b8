package chart

import (
	"fmt"
	"math"
	"slices"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// initialisations shows what the initialisations of one shape make of a logit,
// from the largest to the smallest.
var initialisations = figure.Chart{
	Name:   "initialisations",
	Title:  `Standard deviation $\sigma$ of a logit at initialisation, for each way to draw $W_Q$ and $W_K$`,
	Height: 124,
	Fixed:  rows.InitGrid,
	Panels: []plot.Panel{{
		X: plot.Axis{Label: `standard deviation $\sigma$ of a logit`, Log: true},
		Y: plot.Axis{Param: names.ParamInit, Names: true, Sorted: true},
		Points: []plot.Points{
			{Rows: rows.Init(names.LogitSD), Label: measuredSeries},
			{Rows: rows.Init(names.LogitSD), Label: measuredSeries, Theory: true},
		},
		Level:   &plot.Level{At: 1, Label: `$\sigma = 1$`},
		Upright: freezingSigma,
	}},
	Caption: func(d figure.Drawn, _ figure.Text) []string {
		return []string{
			"The standard deviation of a logit of two layer-normed tokens, over weights and tokens, under the score scale of each framework, on a logarithmic axis; sorted by theory.",
			shape(d),
			figure.When(d.Points(plot.Interval.Is), "Intervals are over draws of the weights."),
			figure.When(slices.ContainsFunc(d, func(p plot.Data) bool { return p.Vertical != nil }), fmt.Sprintf(`The broken line is $\sqrt{2\,\ln n}$, where softmax freezes in the limit of many keys, for a row of $n = %d$ keys.`, usualKeys)),
		}
	},
	Sentence: func(doc *result.Document, text figure.Text) string {
		es := rows.Estimates(doc, rows.Init(names.LogitSD).Within(rows.InitGrid(doc)))
		low, high, ok := SpreadOf(es)
		if !ok {
			return ""
		}
		return fmt.Sprintf("The standard deviation of a logit goes from %s (%s) to %s (%s).", figure.Measured(low), text(initOf(low)), figure.Measured(high), text(initOf(high)))
	},
}

// usualKeys is the length of the row of keys whose freezing is marked.
const usualKeys = 1024

// freezingSigma is where a row of usualKeys keys freezes, √(2 ln n).
func freezingSigma(*result.Document, result.Params) (plot.Level, bool) {
	at := math.Sqrt(2 * math.Log(usualKeys))
	return plot.Level{At: at, Label: fmt.Sprintf(`$\sqrt{2\,\ln n} = %s$ for $n = %d$`, digits.Rough(at), usualKeys)}, true
}

// SpreadOf returns the rows of the smallest value above 0 and of the largest; there
// must be two.
func SpreadOf(es []result.Estimate) (low, high result.Estimate, ok bool) {
	for _, e := range es {
		if e.Value > 0 && (low.Value == 0 || e.Value < low.Value) {
			low = e
		}
		if e.Value > high.Value {
			high = e
		}
	}
	return low, high, low.Value < high.Value
}

// initOf is the name of a row's initialisation.
func initOf(e result.Estimate) string {
	name, _ := e.Params.Text(names.ParamInit)
	return name
}

// shape says which shape all rows have.
func shape(d figure.Drawn) string {
	model, ok := d.First(names.ParamModel, names.ParamDimension).Number(names.ParamModel)
	key, _ := d.First(names.ParamModel, names.ParamDimension).Number(names.ParamDimension)
	return figure.When(ok, fmt.Sprintf("A token has %s components, and $d_k = %s$.", digits.Short(model), digits.Short(key)))
}
