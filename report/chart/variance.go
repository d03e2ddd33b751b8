package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Filters of estimates of the variance of a score, before and after the division by a power of d_k,
// and of the exponent that makes it flat.
var (
	scoreVariance = selection.NewFilter(names.ExperimentVariance, names.ScoreVariance).
			Require(names.ParamDistribution, names.ParamDimension)
	exponentFilter = selection.NewFilter(names.ExperimentExponents, names.ScaledVariance, names.ParamExponent)
	flatExponent   = selection.NewFilter(names.ExperimentExponents, names.FlatExponent, names.ParamDistribution)
)

// scaled shows the variance of scores that are divided by powers of d_k. Only one power gives a
// variance that does not depend on d_k.
var scaled = figure.Chart{
	Name: "scaled", Height: 88, Fixed: selection.FixMainDistribution(exponentFilter, names.ParamDimension),
	Panels: []plot.Panel{{
		X:      dimensionAxis,
		Y:      plot.Axis{Label: `$\mathrm{Var}(q\cdot k\,/\,\mathrm{scale})$`, Log: true},
		Points: []plot.PointsSpec{{Filter: exponentFilter, SeriesParam: names.ParamExponent}},
		Lines:  []plot.LinesSpec{{Curves: exponentFilter, SeriesParam: names.ParamExponent}},
	}},
}

// variance shows Var(q·k)/d_k over d_k: normal components with intervals, and a grey line for each
// other distribution.
var variance = figure.Chart{
	Name: "variance", Height: 96,
	Panels: []plot.Panel{{
		X: dimensionAxis,
		Y: plot.Axis{Label: `$\mathrm{Var}(q\cdot k)\,/\,d_k$`},
		Points: []plot.PointsSpec{
			{Filter: scoreVariance.Fix(names.ParamDistribution, names.DistributionNormal), Label: "normal",
				Convert: selection.DivideByTheory, JoinMarkers: true},
			{Filter: scoreVariance, SeriesParam: names.ParamDistribution, Convert: divideOthersByTheory,
				JoinMarkers: true, IsFaint: true, Name: nameFarthest},
		},
		Guides: plot.FixedGuides(plot.Guide{Value: 1}),
		Zones:  []plot.Zone{{Lo: 0.99, Hi: 1.01, Label: "gate: 1 % on either side of theory"}},
	}},
}

// divideOthersByTheory divides estimates by their theory, except for those of normal components.
func divideOthersByTheory(e result.Estimate) (_ result.Estimate, ok bool) {
	distribution, _ := e.Params.Text(names.ParamDistribution)
	converted, ok := selection.DivideByTheory(e)
	return converted, ok && distribution != names.DistributionNormal
}

// nameFarthest returns the distribution of the estimate that is farthest from theory, and "" for
// all other estimates.
func nameFarthest(doc *result.Document, e result.Estimate) string {
	distance := func(e result.Estimate) float64 { return math.Abs(float64(e.Value/e.Theory) - 1) }
	for _, other := range selection.Estimates(doc, scoreVariance) {
		if distance(other) > distance(e) {
			return ""
		}
	}
	distribution, _ := e.Params.Text(names.ParamDistribution)
	if distribution == names.DistributionBernoulliGaussian+"(0.1)" {
		return "nine components of ten are 0"
	}
	return label.EscapeLiteral(distribution)
}

// slope shows the exponent for which the variance does not depend on d_k, for each distribution.
var slope = figure.Chart{
	Name: "slope", Height: 70,
	Panels: []plot.Panel{{
		X:      plot.Axis{Label: "exponent of a flat variance less 1/2, in units of $10^{-4}$"},
		Y:      plot.Axis{Param: names.ParamDistribution, IsCategorical: true},
		Points: []plot.PointsSpec{{Filter: flatExponent, Label: measuredSeries, Convert: subtractHalf}},
		Guides: plot.FixedGuides(plot.Guide{Value: 0, Label: "one half"}),
	}},
}

// subtractHalf returns the distance of an exponent from 1/2 in units of 10^(−4).
func subtractHalf(e result.Estimate) (result.Estimate, bool) {
	const unit = 1e-4
	for _, v := range []*result.Number{&e.Value, &e.Lo, &e.Hi, &e.Theory} {
		*v = (*v - 0.5) / unit
	}
	e.SE /= unit
	return e, true
}

// Estimates of the chart mismatch.
var (
	varianceOverRoot = selection.NewFilter(names.ExperimentMismatch, names.ScaledVariance).Fix(names.ParamExponent, 0.5)
	betweenKeys      = selection.NewFilter(names.ExperimentMismatch, names.KeyVariance)
)

// mismatch shows the variance of q·k/√d_k for components with other means, variances or
// correlations than assumed, at one d_k. It also shows the part of this variance that is between
// the keys of a query.
var mismatch = figure.Chart{
	Name: "mismatch", Height: 70, Fixed: fixMismatchDimension,
	Panels: []plot.Panel{{
		X:                 plot.Axis{Label: `variance of $q\cdot k\,/\,\sqrt{d_k}$`},
		Y:                 plot.Axis{IsCategorical: true},
		CategoryOf:        componentsLabel,
		CompareCategories: compareAssumptions,
		Points: []plot.PointsSpec{
			mismatchPoints(varianceOverRoot, "of all scores", false),
			mismatchPoints(betweenKeys, "between the keys of a query, which softmax sees", true),
		},
		Guides: plot.FixedGuides(plot.Guide{Value: 1}),
	}},
}

// mismatchPoints declares the points of one variance, with their numbers next to them.
func mismatchPoints(f selection.Filter, seriesLabel string, isOfKeys bool) plot.PointsSpec {
	convert := func(e result.Estimate) (_ result.Estimate, ok bool) {
		if isOfKeys {
			e, ok = selection.DivideByDimension(e)
		}
		return e, (ok || !isOfKeys) && isSingleMismatch(e)
	}
	return plot.PointsSpec{
		Filter: f, Label: seriesLabel, Colour: theme.NeutralColour(0), Convert: convert,
		IsHollow: func(*result.Document, result.Estimate) bool { return !isOfKeys },
		Name: func(_ *result.Document, e result.Estimate) string {
			converted, _ := convert(e)
			text := digits.Concise(float64(converted.Value), float64(converted.SE))
			if strings.Contains(text, "·") {
				text = fmt.Sprintf("%.1e", float64(converted.Value)) // short, without superscripts
			}
			return text
		},
	}
}

// fixMismatchDimension fixes the distribution and the largest d_k.
func fixMismatchDimension(doc *result.Document) result.Params {
	fixed := selection.FixMainDistribution(varianceOverRoot, names.ParamDimension)(doc)
	estimates := selection.Estimates(doc, varianceOverRoot.FixAll(fixed))
	dimensions := selection.NumericValues(estimates, names.ParamDimension)
	if len(dimensions) > 0 {
		fixed[names.ParamDimension] = slices.Max(dimensions)
	}
	return fixed
}

// assumptions are the parameters of the components of queries and keys, with their names. An
// estimate has such a parameter only if it differs from the assumed value.
var assumptions = []struct{ param, name string }{
	{names.ParamQueryMean, "query mean"}, {names.ParamKeyMean, "key mean"},
	{names.ParamQuerySD, "query standard deviation"}, {names.ParamKeySD, "key standard deviation"},
	{names.ParamQueryCorrelation, "query correlation"}, {names.ParamKeyCorrelation, "key correlation"},
}

// isSingleMismatch reports whether an estimate differs from the assumptions in at most one of
// means, standard deviations and correlations. A correlation in the query alone changes nothing,
// and is not shown.
func isSingleMismatch(e result.Estimate) bool {
	kinds := map[int]int{}
	for i, a := range assumptions {
		if _, ok := e.Params.Number(a.param); ok {
			kinds[i/2]++
		}
	}
	return len(kinds) <= 1 && kinds[2] != 1
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

// componentsLabel returns a label with the assumptions from which an estimate differs.
func componentsLabel(e result.Estimate) string {
	var parts []string
	for _, a := range assumptions {
		if x, ok := e.Params.Number(a.param); ok {
			parts = append(parts, a.name+" "+digits.Fraction(x))
		}
	}
	if len(parts) == 0 {
		return "as assumed"
	}
	return strings.Join(parts, ", ")
}
