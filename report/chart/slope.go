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

var slopes = rows.Filter{Experiment: names.ExperimentExponents, Quantity: names.VarianceSlope, Has: []string{names.ParamLaw, names.ParamExponent}}

// slope shows where the growth of the variance crosses zero. The panel below
// holds the errors, which are invisible on the scale of the line.
var slope = figure.Chart{
	Name:   "slope",
	Title:  "Slope of log variance on log $d_k$ against the exponent $p$, for each law",
	Height: 124,
	Panels: []plot.Panel{
		{
			X:      overExponent,
			Y:      plot.Axis{Label: `slope of $\ln \mathrm{Var}$ on $\ln d_k$`},
			Share:  0.52,
			Points: []plot.Points{{Rows: slopes, By: names.ParamLaw}},
			Lines: []plot.Lines{{
				Curves: rows.Filter{Experiment: names.ExperimentExponents, Quantity: names.VarianceSlope},
				Label:  "theory, $1 - 2p$",
			}},
			Level: &plot.Level{At: 0},
		},
		{
			X:      overExponent,
			Y:      plot.Axis{Label: "slope − $(1 - 2p)$"},
			Share:  0.48,
			Points: []plot.Points{{Rows: slopes, By: names.ParamLaw, In: rows.FromTheory}},
			Level:  &plot.Level{At: 0},
		},
	},
	Caption: func(d figure.Drawn, _ figure.Text) []string {
		return []string{
			"Above, the slope of log variance on log $d_k$ after dividing by $d_k^p$" + figure.When(d.Lines(), ", with the line $1 - 2p$") +
				"; where it crosses zero, the variance does not depend on $d_k$.",
			figure.When(len(d) > 1, "Below, the distance from $1 - 2p$"+figure.When(d.Several(), ", the laws set slightly apart")+"."),
			figure.When(d.Intervals() != "", d.Intervals()+"."),
			d.Unbarred(),
			"All exponents of one law are read from the same draws, so their errors are one and the same error.",
		}
	},
	Sentence: func(doc *result.Document, text figure.Text) string {
		law := rows.DefaultLaw(doc)
		e, ok := rows.One(doc, rows.Filter{Experiment: names.ExperimentExponents, Quantity: names.FlatExponent}.With(names.ParamLaw, law))
		if !ok {
			return ""
		}
		return fmt.Sprintf("With components of the law %s, the exponent that makes the variance flat is %s; theory says %s.",
			text(law), figure.Measured(e), digits.Fraction(float64(e.Theory)))
	},
}
