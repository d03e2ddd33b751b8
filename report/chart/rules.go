package chart

import (
	"fmt"
	"slices"
	"strings"

	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

const measuredSeries, theorySeries = "measured", "theory"

// ruleVariance shows the variance of the logit under each rule, a panel for
// each, so that those that agree do not hide each other.
var ruleVariance = figure.Chart{
	Name:    "rules",
	Title:   `Variance of the logit against the dimension $d_k$, for each rule that makes a logit of query and key`,
	Height:  150,
	Columns: 4,
	Fixed:   rows.RuleGrid,
	Each:    &plot.Each{Rows: rows.Rule(names.LogitVariance), Param: names.ParamRule},
	Panels: []plot.Panel{{
		X:      overDimension,
		Y:      plot.Axis{Label: "variance of the logit", Log: true},
		Points: []plot.Points{{Rows: rows.Rule(names.LogitVariance), Label: measuredSeries}},
		Lines:  []plot.Lines{{Curves: rows.Rule(names.LogitVariance), Label: theorySeries, Law: true}},
		Level:  &plot.Level{At: 1},
	}},
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			"The variance of the logit under each rule, on logarithmic axes that all panels share; the thin line is 1.",
			figure.When(d.Lines(), "Lines are the theory"+inTheLimit(d, text)+"."),
			d.Bars(30), rowsOf(d, text),
		}
	},
	Sentence: func(doc *result.Document, text figure.Text) string {
		var flat, not []string
		for _, e := range rows.Estimates(doc, rows.Rule(names.Flat).Within(rows.RuleGrid(doc))) {
			name, _ := e.Params.Text(names.ParamRule)
			shown := text(name)
			if set, ok := plot.RuleNames[name]; ok {
				shown = set
			}
			if slope, ok := rows.One(doc, rows.Rule(names.LogitVarianceSlope).Within(rows.RuleGrid(doc)).With(names.ParamRule, name)); !ok || rows.Strays(slope) {
				continue // its verdict rests on nothing, or on what contradicts theory
			}
			if e.Value == 1 {
				flat = append(flat, shown)
			} else {
				slope, _ := rows.One(doc, rows.Rule(names.LogitVarianceSlope).Within(rows.RuleGrid(doc)).With(names.ParamRule, name))
				not = append(not, fmt.Sprintf("%s (slope %s)", shown, figure.Measured(slope)))
			}
		}
		var parts []string
		if len(flat) > 0 {
			parts = append(parts, fmt.Sprintf("the variance does not depend on $d_k$ under %s", strings.Join(flat, ", ")))
		}
		if len(not) > 0 {
			parts = append(parts, fmt.Sprintf("it does under %s", strings.Join(not, ", ")))
		}
		if len(parts) == 0 {
			return ""
		}
		if !slopesPass(doc) {
			return "By slopes that their gates do not bear out, within the tolerance, " + strings.Join(parts, "; ") + "."
		}
		return "Within the tolerance, " + strings.Join(parts, "; ") + "."
	},
}

// slopesPass reports whether there are gates on the slopes of rules, and all pass.
func slopesPass(doc *result.Document) bool {
	judged := false
	for _, g := range doc.Gates {
		if g.Quantity == names.LogitVarianceSlope {
			if g.Verdict != result.Pass {
				return false
			}
			judged = true
		}
	}
	return judged
}

// inTheLimit says under which rules theory is a limit.
func inTheLimit(d figure.Drawn, text figure.Text) string {
	var under []string
	for _, p := range d {
		for _, e := range p.Shown {
			if name, ok := e.Params.Text(names.ParamRule); ok && e.TheoryKind == names.TheoryLimit && !slices.Contains(under, name) {
				under = append(under, name)
			}
		}
	}
	if len(under) == 0 {
		return ""
	}
	for i, name := range under {
		under[i] = text(name)
	}
	return ", which under " + strings.Join(under, ", ") + " is a limit of many components"
}
