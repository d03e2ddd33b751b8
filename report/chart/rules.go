package chart

import (
	"cmp"
	"strings"

	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// measuredSeries is what measured points are called that have no parameter of their own.
const measuredSeries = "measured"

var ruleSlope = selection.Of(names.ExperimentRules, names.LogitVarianceSlope, names.ParamRule)

// ruleSlopes shows how the variance of the logit grows with d_k under each rule.
var ruleSlopes = figure.Chart{
	Name:   "rules",
	Title:  `Slope of the log variance of the logit on log $d_k$, for each rule that makes a logit of query and key`,
	Height: 110,
	Fixed:  selection.OneDistribution(ruleSlope, names.ParamRule, names.ParamKeys),
	Panels: []plot.Panel{{
		X:     plot.Axis{Label: `slope of $\ln \mathrm{Var}$ of the logit on $\ln d_k$`},
		Y:     plot.Axis{Param: names.ParamRule, Names: true},
		Order: bySlope,
		Points: []plot.Points{
			{Rows: ruleSlope, Label: measuredSeries},
			{Rows: ruleSlope, Label: measuredSeries, Theory: true, In: exact},
		},
		Guides: plot.At(plot.Level{At: 0, Label: "the same variance at every $d_k$"}),
	}},
	Caption: "At slope 0 the variance of the logit does not depend on $d_k$. Above 0, attention becomes sharper as $d_k$ grows; below 0, softer. Theory for additive scores holds only for many components and is not shown.",
}

// exact leaves out the theory of additive rules, which is a limit.
func exact(e result.Estimate) (result.Estimate, bool) {
	rule, _ := e.Params.Text(names.ParamRule)
	return e, !strings.HasPrefix(rule, names.RuleAdditive)
}

// bySlope puts the greater slope first.
func bySlope(a, b result.Estimate) int { return cmp.Compare(b.Value, a.Value) }
