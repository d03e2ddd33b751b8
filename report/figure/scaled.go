package figure

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

var (
	byExponent = rows.Filter{Experiment: "exponents", Quantity: "scaled_variance", Has: []string{"exponent"}}
	byRule     = rows.Filter{Experiment: "exponents", Quantity: "scaled_variance", Has: []string{"rule"}}
)

// scaled answers the question of the whole report: of all powers of d_k, which
// one leaves a variance that does not depend on d_k?
var scaled = Chart{
	Name:   "scaled",
	Title:  "Variance of the scaled score against the dimension $d_k$, for each scale",
	Height: 88 * vg.Millimeter,
	Panels: []Panel{{
		X:     Axis{Param: "d_k", Label: "dimension of query and key, $d_k$", Log: true},
		Y:     Axis{Label: `$\mathrm{Var}(q\cdot k\,/\,\mathrm{scale})$`, Log: true},
		Share: 1,
		Points: []Points{
			{Rows: byExponent, Lead: true, By: "exponent"},
			{Rows: byRule, Lead: true, By: "rule"},
		},
		Lines: []Lines{{Curves: byExponent, By: "exponent"}, {Curves: byRule, By: "rule"}},
		Ends:  true,
	}},
	Caption: func(d drawn, text Text) []string {
		return []string{
			"What dividing the score by $d_k^p$ leaves of its variance, on logarithmic axes. Markers are measured.",
			when(d.law() != "", "The components have the law "+text(d.law())+"."),
			when(d.intervals() != "", d.intervals()+when(d.hidden(55*vg.Millimeter), ", most of them smaller than the markers")+"."),
			d.bare(),
			when(d.lines(), "Lines are the theory, $d_k^{1-2p}$."),
			when(d.names(ruleNames["sqrt(d_k/2)"]), `In theory the rule $\sqrt{d_k/2}$ leaves 2.`),
		}
	},
	Sentence: func(doc *result.Document, text Text) string {
		f := byExponent.With("law", rows.LeadLaw(doc))
		dims := rows.Numbers(rows.Estimates(doc, f), "d_k")
		if len(dims) == 0 {
			return ""
		}
		at := f.With("d_k", dims[len(dims)-1])
		var parts []string
		for _, p := range []float64{0, 0.5, 1} {
			if e, ok := rows.One(doc, at.With("exponent", p)); ok {
				parts = append(parts, fmt.Sprintf("%s for $p = %s$",
					measured(e), digits.Fraction(p)))
			}
		}
		if len(parts) == 0 {
			return ""
		}
		return fmt.Sprintf("At $d_k = %s$ the variance that is left is %s.",
			digits.Short(dims[len(dims)-1]), strings.Join(parts, "; "))
	},
}
