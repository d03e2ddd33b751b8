package chart

import (
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
		Guides: plot.At(plot.Level{At: 1, Label: "variance 1"}),
	}},
	Caption: "The variance of the logit under each rule, on logarithmic axes that all panels share. Whether a rule is flat is read off the slope of its line from $d_k = 2$ on, and the interval of that slope. Under additive rules the theory is a limit of many components.",
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
