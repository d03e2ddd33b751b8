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

var (
	slopes       = rows.Filter{Experiment: names.ExperimentExponents, Quantity: names.VarianceSlope, Has: []string{names.ParamLaw, names.ParamExponent}}
	flatExponent = rows.Filter{Experiment: names.ExperimentExponents, Quantity: names.FlatExponent, Has: []string{names.ParamLaw}}
)

// slope shows where the growth of the variance crosses zero: above for one law over all
// exponents, and below for every law, since all exponents of a law are read from the same
// draws and have the same error.
var slope = figure.Chart{
	Name:   "slope",
	Title:  "Slope of log variance on log $d_k$ against the exponent $p$, and the exponent that makes it zero for each law",
	Height: 118,
	Panels: []plot.Panel{
		{
			X:      overExponent,
			Y:      plot.Axis{Label: `slope of $\ln \mathrm{Var}$ on $\ln d_k$`},
			Share:  0.46,
			Points: []plot.Points{{Rows: slopes, DefaultLaw: true, Label: measuredSeries}},
			Lines: []plot.Lines{{
				Curves: rows.Filter{Experiment: names.ExperimentExponents, Quantity: names.VarianceSlope},
				Label:  "theory, $1 - 2p$",
			}},
			Level: &plot.Level{At: 0},
		},
		{
			X:      plot.Axis{Label: "exponent $p$ that makes the variance flat"},
			Y:      plot.Axis{Param: names.ParamLaw, Names: true},
			Share:  0.54,
			Points: []plot.Points{{Rows: flatExponent, Label: measuredSeries}},
			Level:  &plot.Level{At: 0.5, Label: "$p = 1/2$"},
		},
	},
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			"Above, the slope of log variance on log $d_k$ after dividing by $d_k^p$" + figure.When(d.Law() != "", ", for components of the law "+text(d.Law())) +
				"; where it crosses zero, the variance does not depend on $d_k$.",
			figure.When(len(d) > 1, "Below, the exponent at which that is so, for each law, on an axis that shows the intervals."),
		}
	},
	Sentence: func(doc *result.Document, text figure.Text) string {
		law := rows.DefaultLaw(doc)
		e, ok := rows.One(doc, flatExponent.With(names.ParamLaw, law))
		if !ok {
			return ""
		}
		return fmt.Sprintf("With components of the law %s, the exponent that makes the variance flat is %s; theory says %s.",
			text(law), figure.Measured(e), digits.Fraction(float64(e.Theory)))
	},
}
