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
		Level: &plot.Level{At: 1, Label: `$\sigma = 1$`},
		Zones: []plot.Zone{
			{To: names.SafeFrom, Name: names.LabelTooSoft},
			{To: names.FreezesFrom, Name: names.LabelSafe, Shaded: true},
			{Name: names.LabelFreezes},
		},
	}},
	Caption: func(d figure.Drawn, _ figure.Text) []string {
		return []string{
			"The standard deviation of a logit of two layer-normed tokens, over weight matrices and tokens, under the score scale of each framework, on a logarithmic axis; sorted by theory.",
			fmt.Sprintf(`Shaded is what is safe, $\sigma$ from about %g to about %g: below it a row of %d keys is nearly uniform, and above it the median row keeps less than half of the gradient. Neither end of the list is the best.`, names.SafeFrom, names.FreezesFrom, names.SafeKeys),
			shape(d),
			figure.When(d.Points(plot.Interval.Is), "Intervals are over draws of the weights."),
		}
	},
	Sentence: func(doc *result.Document, text figure.Text) string {
		es := rows.Estimates(doc, rows.Init(names.LogitSD).Within(rows.InitGrid(doc)))
		low, high, ok := SpreadOf(es)
		if !ok {
			return ""
		}
		sentence := fmt.Sprintf("The standard deviation of a logit goes from %s (%s) to %s (%s)", figure.Measured(low), text(initOf(low)), figure.Measured(high), text(initOf(high)))
		for _, e := range Zeros(es) {
			sentence += ", apart from " + text(initOf(e)) + ", where it is 0"
		}
		return sentence + "."
	},
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

// Zeros returns the rows of value 0, which have no part in the spread.
func Zeros(es []result.Estimate) (out []result.Estimate) {
	for _, e := range es {
		if e.Value == 0 {
			out = append(out, e)
		}
	}
	return out
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
