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

// Series of the chart on components that are not as assumed.
const wholeSeries, seenSeries = "of all scores", "between the keys of a query, which softmax sees"

// mismatch shows what dividing by √d_k leaves where components are not as assumed, and
// how much of that softmax sees.
var mismatch = figure.Chart{
	Name:   "mismatch",
	Title:  `Variance that dividing by $\sqrt{d_k}$ leaves where the components of queries and keys are not as assumed`,
	Height: 112,
	Fixed:  selection.OneDistribution(leftByRoot, names.ParamDimension),
	Panels: []plot.Panel{{
		X:      plot.Axis{Label: `variance of $q\cdot k\,/\,\sqrt{d_k}$`},
		Y:      plot.Axis{Names: true},
		Called: components,
		Order:  byKind,
		Points: []plot.Points{
			{Rows: leftByRoot, Label: wholeSeries, Colour: theme.Neutral(0)},
			{Rows: betweenKeys, Label: seenSeries, In: selection.OverDimension, Colour: theme.Neutral(1)},
			{Rows: leftByRoot, Label: wholeSeries, Theory: true},
			{Rows: betweenKeys, Label: seenSeries, In: selection.OverDimension, Theory: true},
		},
		Guides: plot.At(plot.Level{At: 1, Label: "as assumed, 1"}),
	}},
	Caption: `Means $\mu_q$ and $\mu_k$ that are not 0, standard deviations $\sigma_q$ and $\sigma_k$ that are not 1, correlations $r_q$ and $r_k$ between the components of one vector. ` +
		`What all keys of a query have in common adds to the variance over all scores, but not to the differences within a row, so softmax ignores it.`,
}

// leftByRoot are the rows of what dividing by √d_k leaves, betweenKeys of what softmax sees.
var (
	leftByRoot  = selection.Of(names.ExperimentMismatch, names.ScaledVariance).With(names.ParamExponent, 0.5)
	betweenKeys = selection.Of(names.ExperimentMismatch, names.KeyVariance)
)

// assumptions are what the components of queries and keys may have, with its sign: means,
// standard deviations and correlations.
var assumptions = []struct{ param, sign string }{
	{names.ParamQueryMean, `\mu_q`}, {names.ParamKeyMean, `\mu_k`},
	{names.ParamQuerySD, `\sigma_q`}, {names.ParamKeySD, `\sigma_k`},
	{names.ParamQueryCorrelation, "r_q"}, {names.ParamKeyCorrelation, "r_k"},
}

// byKind puts what is as assumed first, then means, standard deviations and correlations
// that are not, and of equals the smaller d_k. What a row lacks is as if it were 0.
func byKind(a, b result.Estimate) int {
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
			parts = append(parts, "$"+a.sign+" = "+digits.Fraction(x)+"$")
		}
	}
	if len(parts) == 0 {
		parts = []string{"as assumed"}
	}
	dimension, _ := e.Params.Number(names.ParamDimension)
	return strings.Join(append(parts, "$d_k = "+digits.Short(dimension)+"$"), ", ")
}
