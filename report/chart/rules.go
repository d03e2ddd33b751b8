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

// measuredSeries is what measured points are called that have no parameter of their own.
const measuredSeries = "measured"

// ruleVariance shows the variance of the logit under each rule, a panel for
// each, so that those that agree do not hide each other; those that are flat first.
var ruleVariance = figure.Chart{
	Name:    "rules",
	Title:   `Variance of the logit against the dimension $d_k$, for each rule that makes a logit of query and key`,
	Height:  150,
	Columns: 5,
	Fixed:   rows.RuleGrid,
	Each:    &plot.Each{Rows: rows.Rule(names.LogitVariance), Param: names.ParamRule, Group: ruleGroup},
	Panels: []plot.Panel{{
		X:      overDimension,
		Y:      plot.Axis{Label: "variance of the logit", Log: true},
		Points: []plot.Points{{Rows: rows.Rule(names.LogitVariance), Label: measuredSeries}},
		Lines:  []plot.Lines{{Curves: rows.Rule(names.LogitVariance), Label: "theory", Law: true}},
		Level:  &plot.Level{At: 1, Label: "variance 1"},
	}},
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			"The variance of the logit under each rule, on logarithmic axes that all panels share.",
			"Whether a rule is flat is read off the slope of its line from $d_k = 2$ on, and the interval of that slope.",
			inTheLimit(d, text), rowsOf(d, text),
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		counts := map[verdict]int{}
		all := 0
		for _, name := range rows.Names(rows.Estimates(doc, rows.Rule(names.LogitVariance).Within(rows.RuleGrid(doc))), names.ParamRule) {
			counts[verdictOf(doc, name)]++
			all++
		}
		if counts[flat]+counts[sloping] == 0 {
			return ""
		}
		return fmt.Sprintf("%she variance of the logit does not depend on $d_k$ under %d of %d rules, and does under %d.",
			map[bool]string{true: "Within the tolerance, t", false: "By slopes that their gates do not bear out, and within the tolerance, t"}[slopesPass(doc)], counts[flat], all, counts[sloping])
	},
}

// verdict is what the rows say of a rule.
type verdict int

const (
	flat verdict = iota
	sloping
	undecided
)

// verdictOf reads whether the variance under a rule is flat: not where the slope is
// missing or contradicts its theory, on which the verdict rests.
func verdictOf(doc *result.Document, name string) verdict {
	of := func(quantity string) (result.Estimate, bool) {
		return rows.One(doc, rows.Rule(quantity).Within(rows.RuleGrid(doc)).With(names.ParamRule, name))
	}
	judged, ok := of(names.Flat)
	slope, measured := of(names.LogitVarianceSlope)
	switch {
	case !ok || !measured || rows.Strays(slope):
		return undecided
	case judged.Value == 1:
		return flat
	}
	return sloping
}

// ruleGroup puts a rule with those of the same verdict.
func ruleGroup(doc *result.Document, value any) (rank int, heading string) {
	name, _ := value.(string)
	v := verdictOf(doc, name)
	return int(v), map[verdict]string{
		flat:      "Measured to be flat in $d_k$, within the tolerance:",
		sloping:   "Measured to change with $d_k$:",
		undecided: "Not decided:",
	}[v]
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
	return "Under " + strings.Join(under, ", ") + " the theory is a limit of many components."
}
