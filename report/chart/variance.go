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

// Filters of estimates of the variance of a score, before and after the division by a power of d_k,
// and of slopes of the variance on d_k.
var (
	scoreVariance = selection.NewFilter(names.ExperimentVariance, names.ScoreVariance).
			Require(names.ParamDistribution, names.ParamDimension)
	exponentFilter = selection.NewFilter(names.ExperimentExponents, names.ScaledVariance, names.ParamExponent)
	slopes         = selection.NewFilter(names.ExperimentExponents, names.VarianceSlope)
	measuredSlopes = slopes.Require(names.ParamDistribution, names.ParamExponent)
	flatExponent   = selection.NewFilter(names.ExperimentExponents, names.FlatExponent, names.ParamDistribution)
)

// scaled shows the variance of scores that are divided by powers of d_k. Only one power gives a
// variance that does not depend on d_k.
var scaled = figure.Chart{
	Name:         "scaled",
	DirectLabels: true,
	Height:       88,
	Fixed:        selection.FixMainDistribution(exponentFilter, names.ParamDimension),
	Panels: []plot.Panel{{
		X:      dimensionAxis,
		Y:      plot.Axis{Label: `$\mathrm{Var}(q\cdot k\,/\,\mathrm{scale})$`, Log: true},
		Points: []plot.PointsSpec{{Filter: exponentFilter, SeriesParam: names.ParamExponent}},
		Lines:  []plot.LinesSpec{{Curves: exponentFilter, SeriesParam: names.ParamExponent}},
	}},
}

// variance shows Var(q·k)/d_k at all d_k for each distribution.
var variance = figure.Chart{
	Name:         "variance",
	DirectLabels: true,
	Height:       96,
	Panels: []plot.Panel{{
		X: plot.Axis{Label: `$\mathrm{Var}(q\cdot k)\,/\,d_k$`},
		Y: plot.Axis{Param: names.ParamDistribution, IsCategorical: true},
		Points: []plot.PointsSpec{{Filter: scoreVariance, Label: "one $d_k$",
			Convert: selection.DivideByTheory}},
		Guides:        plot.FixedGuides(plot.Guide{Value: 1, Label: "theory, 1"}),
		SpreadMarkers: true,
	}},
}

// slope shows which exponent makes the variance independent of d_k. The upper panel shows the slope
// for each exponent. All slopes of a distribution are measured on the same samples, and have the
// same error. Therefore, the lower panel shows only the exponent of slope 0 for each distribution.
var slope = figure.Chart{
	Name:         "slope",
	DirectLabels: true,
	Height:       118,
	Panels: []plot.Panel{
		{
			Title:  "slope for each exponent",
			X:      exponentAxis,
			Y:      plot.Axis{Label: `slope of $\ln \mathrm{Var}$ on $\ln d_k$`},
			Height: 0.46,
			Points: []plot.PointsSpec{{Filter: measuredSlopes, Label: measuredSeries}},
			Lines:  []plot.LinesSpec{{Curves: slopes, Label: "theory, $1 - 2p$"}},
			Guides: plot.FixedGuides(plot.Guide{Value: 0}),
		},
		{
			Title:  "exponent of slope 0, for each distribution",
			X:      plot.Axis{Label: "exponent $p$ that makes the variance flat"},
			Y:      plot.Axis{Param: names.ParamDistribution, IsCategorical: true},
			Height: 0.54,
			Points: []plot.PointsSpec{{Filter: flatExponent, Label: measuredSeries}},
			Guides: plot.FixedGuides(plot.Guide{Value: 0.5}),
		},
	},
}

// Estimates of the chart mismatch.
var (
	varianceOverRoot = selection.NewFilter(names.ExperimentMismatch, names.ScaledVariance).Fix(names.ParamExponent, 0.5)
	betweenKeys      = selection.NewFilter(names.ExperimentMismatch, names.KeyVariance)
)

const (
	allScoresSeries   = "of all scores"
	betweenKeysSeries = "between the keys of a query, which softmax sees"
)

// mismatch shows the variance of q·k/√d_k for components with other means, variances or
// correlations than assumed. It also shows the part of this variance that is between the keys of a
// query.
var mismatch = figure.Chart{
	Name:         "mismatch",
	DirectLabels: true,
	Height:       112,
	Fixed:        selection.FixMainDistribution(varianceOverRoot, names.ParamDimension),
	Panels: []plot.Panel{{
		X:                 plot.Axis{Label: `variance of $q\cdot k\,/\,\sqrt{d_k}$`},
		Y:                 plot.Axis{IsCategorical: true},
		CategoryOf:        componentsLabel,
		CompareCategories: compareAssumptions,
		Points: []plot.PointsSpec{
			{Filter: varianceOverRoot, Label: allScoresSeries, Colour: theme.NeutralColour(0)},
			{Filter: betweenKeys, Label: betweenKeysSeries, Convert: selection.DivideByDimension,
				Colour: theme.NeutralColour(1)},
			{Filter: varianceOverRoot, Label: allScoresSeries, IsTheory: true},
			{Filter: betweenKeys, Label: betweenKeysSeries, Convert: selection.DivideByDimension, IsTheory: true},
		},
		Guides: plot.FixedGuides(plot.Guide{Value: 1, Label: "as assumed, 1"}),
	}},
}

// assumptions are the parameters of the components of queries and keys, with their symbols: means,
// standard deviations and correlations. An estimate has such a parameter only if it differs from
// the assumed value.
var assumptions = []struct{ param, symbol string }{
	{names.ParamQueryMean, `\mu_q`}, {names.ParamKeyMean, `\mu_k`},
	{names.ParamQuerySD, `\sigma_q`}, {names.ParamKeySD, `\sigma_k`},
	{names.ParamQueryCorrelation, "r_q"}, {names.ParamKeyCorrelation, "r_k"},
}

// compareAssumptions compares estimates by the last of the assumptions, then by the one before, and
// so on, and finally by d_k. A missing parameter counts as 0, so that the components that are as
// assumed come first.
func compareAssumptions(a, b result.Estimate) int {
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

// componentsLabel returns a label with the assumptions from which an estimate differs, and with
// d_k.
func componentsLabel(e result.Estimate) string {
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
