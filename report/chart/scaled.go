package chart

import (
	"fmt"
	"slices"
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
			figure.When(d.Law() != "", "Drawn with "+text(d.Law())+" components; other laws are left out."),
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
		return flatness(doc, f) + fmt.Sprintf("At $d_k = %s$ the variance that is left is %s.",
			digits.Short(last), strings.Join(parts, "; "))
	},
}

// flatness says which power of d_k leaves one variance at every d_k, where the gates on
// scores pass and the rows of the powers 0, 1/2 and 1 do not contradict theory.
func flatness(doc *result.Document, f rows.Filter) string {
	judged := 0
	for _, g := range doc.Gates {
		if g.Quantity != names.ScoreVariance && g.Quantity != names.VarianceSlope {
			continue
		}
		if judged++; g.Verdict != result.Pass {
			return ""
		}
	}
	for _, p := range []float64{0, 0.5, 1} {
		es := rows.Estimates(doc, f.With(names.ParamExponent, p))
		if len(es) < 2 || slices.ContainsFunc(es, func(e result.Estimate) bool { return !e.Theory.Present() || rows.Strays(e) }) {
			return ""
		}
	}
	if judged == 0 || doc.Budget.Verdict != result.Pass {
		return ""
	}
	return `Divided by $\sqrt{d_k}$ the variance of a score stays at 1 at every $d_k$; undivided it grows, and divided by $d_k$ it shrinks. `
}
