package chart

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

var (
	byExponent = rows.Filter{Experiment: "exponents", Quantity: "scaled_variance", Has: []string{"exponent"}}
	byRule     = rows.Filter{Experiment: "exponents", Quantity: "scaled_variance", Has: []string{"rule"}}
)

// scaled answers the question of the whole report: of all powers of d_k, which
// one leaves a variance that does not depend on d_k?
var scaled = figure.Chart{
	Name:   "scaled",
	Title:  "Variance of the scaled score against the dimension $d_k$, for each scale",
	Height: 88 * vg.Millimeter,
	Panels: []plot.Panel{{
		X:     overDimension,
		Y:     plot.Axis{Label: `$\mathrm{Var}(q\cdot k\,/\,\mathrm{scale})$`, Log: true},
		Share: 1,
		Points: []plot.Points{
			{Rows: byExponent, DefaultLaw: true, By: "exponent"},
			{Rows: byRule, DefaultLaw: true, By: "rule"},
		},
		Lines: []plot.Lines{{Curves: byExponent, By: "exponent"}, {Curves: byRule, By: "rule"}},
		Ends:  true,
	}},
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			"What dividing the score by $d_k^p$ leaves of its variance, on logarithmic axes. Markers are measured.",
			figure.When(d.Law() != "", "The components have the law "+text(d.Law())+"."),
			figure.When(d.Intervals() != "", d.Intervals()+figure.When(d.Hidden(55*vg.Millimeter), ", most of them smaller than the markers")+"."),
			d.Unbarred(),
			figure.When(d.Lines(), "Lines are the theory, $d_k^{1-2p}$."),
			figure.When(d.Names(plot.RuleNames["sqrt(d_k/2)"]), `In theory the rule $\sqrt{d_k/2}$ leaves 2.`),
		}
	},
	Sentence: func(doc *result.Document, text figure.Text) string {
		f := byExponent.With("law", rows.DefaultLaw(doc))
		dims := rows.Numbers(rows.Estimates(doc, f), "d_k")
		if len(dims) == 0 {
			return ""
		}
		at := f.With("d_k", dims[len(dims)-1])
		var parts []string
		for _, p := range []float64{0, 0.5, 1} {
			if e, ok := rows.One(doc, at.With("exponent", p)); ok {
				parts = append(parts, fmt.Sprintf("%s for $p = %s$",
					figure.Measured(e), digits.Fraction(p)))
			}
		}
		if len(parts) == 0 {
			return ""
		}
		return fmt.Sprintf("At $d_k = %s$ the variance that is left is %s.",
			digits.Short(dims[len(dims)-1]), strings.Join(parts, "; "))
	},
}
