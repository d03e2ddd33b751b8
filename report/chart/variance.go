package chart

import (
	"cmp"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Rows of the variance of a score, and of what is left of it after dividing by a power of d_k.
var (
	scoreVariance = selection.Of(names.ExperimentVariance, names.ScoreVariance).
			Having(names.ParamDistribution, names.ParamDimension)
	byExponent     = selection.Of(names.ExperimentExponents, names.ScaledVariance, names.ParamExponent)
	byRule         = selection.Of(names.ExperimentExponents, names.ScaledVariance, names.ParamRule)
	slopes         = selection.Of(names.ExperimentExponents, names.VarianceSlope)
	measuredSlopes = slopes.Having(names.ParamDistribution, names.ParamExponent)
	flatExponent   = selection.Of(names.ExperimentExponents, names.FlatExponent, names.ParamDistribution)
)

// scaled answers the question of the whole report: of all powers of d_k, which
// one leaves a variance that does not depend on d_k?
var scaled = figure.Chart{
	Name:   "scaled",
	Height: 88,
	Fixed:  selection.OneDistribution(byExponent, names.ParamDimension),
	Panels: []plot.Panel{{
		X:      overDimension,
		Y:      plot.Axis{Label: `$\mathrm{Var}(q\cdot k\,/\,\mathrm{scale})$`, Log: true},
		Points: []plot.Points{{Rows: byExponent, By: names.ParamExponent}, {Rows: byRule, By: names.ParamRule}},
		Lines:  []plot.Lines{{Curves: byExponent, By: names.ParamExponent}, {Curves: byRule, By: names.ParamRule}},
	}},
}

// variance shows Var(q·k) over d_k, in a row for each distribution.
var variance = figure.Chart{
	Name:   "variance",
	Height: 96,
	Panels: []plot.Panel{{
		X:      plot.Axis{Label: `$\mathrm{Var}(q\cdot k)\,/\,d_k$`},
		Y:      plot.Axis{Param: names.ParamDistribution, Names: true},
		Points: []plot.Points{{Rows: scoreVariance, Label: "one $d_k$", Convert: selection.OverTheory}},
		Guides: plot.Levels(plot.Level{Value: 1, Label: "theory, 1"}),
		Spread: true,
	}},
}

// slope shows which exponent stops the growth of the variance: above over all exponents, and below for
// every distribution, since all exponents of a distribution are read from the same draws and have
// the same error.
var slope = figure.Chart{
	Name:   "slope",
	Height: 118,
	Panels: []plot.Panel{
		{
			Title:  "slope for each exponent",
			X:      overExponent,
			Y:      plot.Axis{Label: `slope of $\ln \mathrm{Var}$ on $\ln d_k$`},
			Share:  0.46,
			Points: []plot.Points{{Rows: measuredSlopes, Label: measuredSeries}},
			Lines:  []plot.Lines{{Curves: slopes, Label: "theory, $1 - 2p$"}},
			Guides: plot.Levels(plot.Level{Value: 0}),
		},
		{
			Title:  "exponent of slope 0, for each distribution",
			X:      plot.Axis{Label: "exponent $p$ that makes the variance flat"},
			Y:      plot.Axis{Param: names.ParamDistribution, Names: true},
			Share:  0.54,
			Points: []plot.Points{{Rows: flatExponent, Label: measuredSeries}},
			Guides: plot.Levels(plot.Level{Value: 0.5}),
		},
	},
}

// Rows and series of the chart on components that are not as assumed.
var (
	leftByRoot  = selection.Of(names.ExperimentMismatch, names.ScaledVariance).With(names.ParamExponent, 0.5)
	betweenKeys = selection.Of(names.ExperimentMismatch, names.KeyVariance)
)

const (
	wholeSeries   = "of all scores"
	visibleSeries = "between the keys of a query, which softmax sees"
)

// mismatch shows the variance that dividing by √d_k leaves if components are not as assumed, and
// how much of that softmax sees.
var mismatch = figure.Chart{
	Name:   "mismatch",
	Height: 112,
	Fixed:  selection.OneDistribution(leftByRoot, names.ParamDimension),
	Panels: []plot.Panel{{
		X:       plot.Axis{Label: `variance of $q\cdot k\,/\,\sqrt{d_k}$`},
		Y:       plot.Axis{Names: true},
		RowName: components,
		Order:   byAssumption,
		Points: []plot.Points{
			{Rows: leftByRoot, Label: wholeSeries, Colour: theme.NeutralColour(0)},
			{Rows: betweenKeys, Label: visibleSeries, Convert: selection.OverDimension, Colour: theme.NeutralColour(1)},
			{Rows: leftByRoot, Label: wholeSeries, Theory: true},
			{Rows: betweenKeys, Label: visibleSeries, Convert: selection.OverDimension, Theory: true},
		},
		Guides: plot.Levels(plot.Level{Value: 1, Label: "as assumed, 1"}),
	}},
}

// assumptions are parameters of the components of queries and keys, with their symbols: means,
// standard deviations and correlations.
var assumptions = []struct{ param, symbol string }{
	{names.ParamQueryMean, `\mu_q`}, {names.ParamKeyMean, `\mu_k`},
	{names.ParamQuerySD, `\sigma_q`}, {names.ParamKeySD, `\sigma_k`},
	{names.ParamQueryCorrelation, "r_q"}, {names.ParamKeyCorrelation, "r_k"},
}

// byAssumption orders rows: those that are as assumed, then those with other means, standard
// deviations and correlations; equal ones by d_k. A parameter that a row lacks counts as 0.
func byAssumption(a, b result.Estimate) int {
	compare := func(param string) int {
		x, _ := a.Params.Number(param)
		y, _ := b.Params.Number(param)
		return cmp.Compare(x, y)
	}
	for _, s := range slices.Backward(assumptions) {
		if c := compare(s.param); c != 0 {
			return c
		}
	}
	return compare(names.ParamDimension)
}

// components writes how the components of a row differ from what is assumed, and d_k.
func components(e result.Estimate) string {
	var parts []string
	for _, a := range assumptions {
		if x, ok := e.Params.Number(a.param); ok {
			parts = append(parts, "$"+a.symbol+" = "+digits.Fraction(x)+"$")
		}
	}
	if len(parts) == 0 {
		parts = []string{"as assumed"}
	}
	dimension, _ := e.Params.Number(names.ParamDimension)
	return strings.Join(append(parts, "$d_k = "+digits.Short(dimension)+"$"), ", ")
}
