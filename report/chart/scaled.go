package chart

import (
	"fmt"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

var (
	byExponent = rows.Filter{Experiment: names.ExperimentExponents, Quantity: names.ScaledVariance, Has: []string{names.ParamExponent}}
	byRule     = rows.Filter{Experiment: names.ExperimentExponents, Quantity: names.ScaledVariance, Has: []string{names.ParamRule}}
)

// scaled answers the question of the whole report: of all powers of d_k, which
// one leaves a variance that does not depend on d_k?
var scaled = figure.Chart{
	Name:   "scaled",
	Title:  "Variance of the scaled score against the dimension $d_k$, for each scale",
	Height: 88,
	Panels: []plot.Panel{{
		X:     overDimension,
		Y:     plot.Axis{Label: `$\mathrm{Var}(q\cdot k\,/\,\mathrm{scale})$`, Log: true},
		Share: 1,
		Points: []plot.Points{
			{Rows: byExponent, DefaultLaw: true, By: names.ParamExponent},
			{Rows: byRule, DefaultLaw: true, By: names.ParamRule},
		},
		Lines: []plot.Lines{{Curves: byExponent, By: names.ParamExponent}, {Curves: byRule, By: names.ParamRule}},
		Ends:  true,
	}},
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			"What dividing the score by $d_k^p$ leaves of its variance, on logarithmic axes.",
			figure.When(d.Law() != "", "The components have the law "+text(d.Law())+"."),
			figure.When(d.Lines(), "Theory is $d_k^{1-2p}$."),
			figure.When(d.Names(plot.RuleNames[names.RuleHalfRoot]), `In theory the rule $\sqrt{d_k/2}$ leaves 2.`),
		}
	},
	Sentence: func(doc *result.Document, text figure.Text) string {
		f := byExponent.With(names.ParamLaw, rows.DefaultLaw(doc))
		last := rows.Largest(rows.Estimates(doc, f), names.ParamDimension)
		at := f.With(names.ParamDimension, last)
		var parts []string
		for _, p := range []float64{0, 0.5, 1} {
			if e, ok := rows.One(doc, at.With(names.ParamExponent, p)); ok {
				parts = append(parts, fmt.Sprintf("%s for $p = %s$",
					figure.Measured(e), digits.Fraction(p)))
			}
		}
		if len(parts) == 0 {
			return ""
		}
		return fmt.Sprintf("At $d_k = %s$ the variance that is left is %s.",
			digits.Short(last), strings.Join(parts, "; "))
	},
}
