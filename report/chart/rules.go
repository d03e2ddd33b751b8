package chart

import (
	"cmp"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

var ruleSlope = selection.Of(names.ExperimentRules, names.LogitVarianceSlope, names.ParamRule)

// ruleSlopes shows how the variance of the logit grows with d_k under each rule.
var ruleSlopes = figure.Chart{
	Name:   "rules",
	Height: 110,
	Fixed:  selection.OneDistribution(ruleSlope, names.ParamRule, names.ParamKeys),
	Panels: []plot.Panel{{
		X:     plot.Axis{Label: `slope of $\ln \mathrm{Var}$ of the logit on $\ln d_k$`},
		Y:     plot.Axis{Param: names.ParamRule, Names: true},
		Order: func(a, b result.Estimate) int { return cmp.Compare(b.Value, a.Value) },
		Points: []plot.Points{
			{Rows: ruleSlope, Label: measuredSeries},
			{Rows: ruleSlope, Label: measuredSeries, Theory: true, Convert: exact},
		},
		Guides: plot.Levels(plot.Level{Value: 0, Label: "the same variance at every $d_k$"}),
	}},
}

// exact drops the theory of additive rules, which is a limit.
func exact(e result.Estimate) (result.Estimate, bool) {
	rule, _ := e.Params.Text(names.ParamRule)
	return e, !strings.HasPrefix(rule, names.RuleAdditive)
}

// formats are the number formats that figures show, in the order of their styles. That e4m3fn has
// NaN beyond its largest number makes no difference unless a score overflows.
var formats = []struct{ format, label string }{
	{names.FormatFloat16, names.FormatFloat16},
	{names.FormatE4M3Saturating, names.FormatE4M3},
	{names.FormatE5M2, names.FormatE5M2},
	{names.FormatBFloat16, names.FormatBFloat16},
	{names.FormatFloat32, names.FormatFloat32},
}

// medianVariation are the rows of the total variation of the median row.
var medianVariation = selection.Of(names.ExperimentPrecision, names.Quantile(names.TotalVariation, 0.5))

// precisionWeights shows how far formats move the weights.
var precisionWeights = figure.Chart{
	Name:    "precision-weights",
	Height:  92,
	Columns: 2,
	Fixed:   selection.OneDistribution(medianVariation, names.ParamDimension, names.ParamKeys),
	Panels: []plot.Panel{
		variationPanel("stored in the format, added in float32", names.ArithmeticPractice),
		variationPanel("stored and added in the format", names.ArithmeticWorst),
	},
}

// variationPanel shows the total variation of the median row over d_k in each format.
func variationPanel(title, arithmetic string) plot.Panel {
	limit := digits.Short(names.MaxVariation) + ", above which a format fails"
	p := plot.Panel{
		Title:  title,
		X:      overDimension,
		Y:      plot.Axis{Label: "share of weight that moves", Log: true},
		Guides: plot.Levels(plot.Level{Value: names.MaxVariation, Label: limit}),
	}
	for _, f := range formats {
		rows := medianVariation.Within(result.Params{
			names.ParamFormat: f.format, names.ParamPlacement: names.PlacementAfter, names.ParamArithmetic: arithmetic,
		})
		p.Points = append(p.Points, plot.Points{Rows: rows, Label: f.label, Join: true})
	}
	return p
}
