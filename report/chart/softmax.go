package chart

import (
	"math"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// softmaxFilter selects estimates of the experiment softmax for rows that do not share their keys.
func softmaxFilter(quantity string) selection.Filter {
	return selection.Filter{
		Experiment: names.ExperimentSoftmax, Quantity: quantity, Excluded: []string{names.ParamSharedKeys},
	}
}

// freezingFilter selects estimates of the experiment freezing, which samples logits directly.
func freezingFilter(quantity string) selection.Filter {
	return selection.NewFilter(names.ExperimentFreezing, quantity)
}

// softmaxGrid fixes the distribution, and the number of keys that was measured at the most d_k.
var softmaxGrid = selection.FixMainDistribution(
	softmaxFilter(names.MaxWeight).Require(names.ParamDistribution, names.ParamExponent),
	names.ParamDimension, names.ParamKeys)

// newHeat returns the heat map of an experiment. selectQuantity returns the filter that selects the
// experiment's estimates of a quantity.
func newHeat(selectQuantity func(string) selection.Filter) *plot.HeatSpec {
	return &plot.HeatSpec{
		Concentration:  selectQuantity(names.Concentration),
		Collision:      selectQuantity(names.Collision),
		DeadProportion: selectQuantity(names.DeadShare),
	}
}

// softmaxMap shows concentration and dead rows over d_k and the exponent.
var softmaxMap = figure.Chart{
	Name: "softmax-map", Height: 88, Fixed: softmaxGrid,
	Panels: []plot.Panel{{X: dimensionAxis, Y: exponentAxis, Heat: newHeat(softmaxFilter)}},
}

// freezingMap shows concentration and dead rows over the number of keys and the standard deviation
// of the logits.
var freezingMap = figure.Chart{
	Name: "keys-map", Height: 100,
	Panels: []plot.Panel{{
		X:    plot.Axis{Param: names.ParamKeys, Label: "number of keys $n$ among which softmax divides the weight"},
		Y:    plot.Axis{Param: names.ParamSigma, Label: `standard deviation $\sigma$ of a logit`},
		Heat: newHeat(freezingFilter),
	}},
}

// gradients shows the norm of the gradient at the keys: the root mean square over rows, and
// quantiles over rows.
var gradients = figure.Chart{
	Name: "gradients", Height: 74, Columns: 3, Fixed: softmaxGrid,
	Panels: names.Map([]scale{unscaled, scaledByRoot, scaledByDimension}, keyGradientPanel),
}

func keyGradientPanel(s scale) plot.Panel {
	return plot.Panel{
		Title: s.title, X: dimensionAxis, Fixed: result.Params{names.ParamExponent: s.exponent},
		Y: plot.Axis{Label: `gradient at the keys, $\Vert \partial \alpha / \partial K \Vert$`, Log: true},
		Points: []plot.PointsSpec{
			{Filter: softmaxFilter(names.Quantile(names.KeyGradient, 0.5)), MakeMarks: medianGradients,
				Label: "median", BandLabel: "5 % to 95 % of rows", JoinMarkers: true},
			{Filter: softmaxFilter(names.KeyGradient), Label: "RMS", JoinMarkers: true},
		},
	}
}

// minGradient is the smallest gradient that a panel shows. It replaces smaller gradients, which are
// thus drawn at the edge of the panel.
const minGradient = 1e-6

// medianGradients returns the medians of the gradient. Their error bars go from the 5 % quantile to
// the 95 % quantile.
func medianGradients(doc *result.Document, fixed result.Params) (marks []plot.Mark) {
	quantile := func(p float64) selection.Filter { return softmaxFilter(names.Quantile(names.KeyGradient, p)) }
	for _, median := range selection.Estimates(doc, quantile(0.5).FixAll(fixed)) {
		limit := func(p float64) result.Number {
			e, ok := selection.FindEstimate(doc, quantile(p).FixAll(median.Params))
			if !ok {
				return result.Absent()
			}
			return max(e.Value, minGradient)
		}
		shown := median
		shown.Value = max(median.Value, minGradient)
		shown.Lo, shown.Hi = limit(0.05), limit(0.95)
		marks = append(marks, plot.Mark{Estimate: median, Converted: shown})
	}
	return marks
}

// labels shows the proportions of concentrated and of dead rows.
var labels = figure.Chart{
	Name: "labels", Height: 84, Columns: 2, NarrowColumns: 2, Fixed: softmaxGrid,
	Panels: names.Map([]scale{unscaled, scaledByRoot}, labelsPanel),
}

func labelsPanel(s scale) plot.Panel {
	return plot.Panel{
		Title: s.title, X: dimensionAxis, Y: plot.Axis{Label: "share of rows", MinUpperEnd: 1},
		Fixed: result.Params{names.ParamExponent: s.exponent},
		Points: []plot.PointsSpec{
			{Filter: softmaxFilter(names.ConcentratedShare), Label: names.LabelConcentrated,
				Colour: theme.NeutralColour(0), JoinMarkers: true},
			{Filter: softmaxFilter(names.DeadShare), Label: names.LabelDead,
				Colour: theme.NeutralColour(3), JoinMarkers: true},
		},
	}
}

// targets shows the proportion of rows with an idle target, and the signal of the gradient at a
// target: its mean divided by its standard deviation.
var targets = figure.Chart{
	Name: "targets", Height: 78, Columns: 2, Fixed: softmaxGrid,
	Panels: []plot.Panel{
		targetPanel("idle targets", names.IdleTargetShare,
			plot.Axis{Label: "share of rows with an idle target", MinUpperEnd: 1}),
		targetPanel("signal over noise", names.TargetSignal,
			plot.Axis{Label: "mean over standard deviation", Log: true}),
	},
}

// targetPanel shows a quantity for three exponents. Lines for all exponents would be hard to
// distinguish.
func targetPanel(title, quantity string, y plot.Axis) plot.Panel {
	return plot.Panel{Title: title, X: dimensionAxis, Y: y, Points: []plot.PointsSpec{
		{Filter: softmaxFilter(quantity), SeriesParam: names.ParamExponent, ShownValues: []any{0.0, 0.5, 1.0},
			JoinMarkers: true},
	}}
}

var temperatureAxis = plot.Axis{
	Param: names.ParamTemperature, Label: "temperature $T$, by which the score is divided", Log: true,
}

// temperature shows the mean of the largest weight over the temperature at one d_k.
var temperature = figure.Chart{
	Name: "temperature", Height: 80,
	Fixed: selection.FixMainDistribution(
		softmaxFilter(names.MaxWeight).Require(names.ParamDistribution, names.ParamTemperature),
		names.ParamTemperature, names.ParamDimension, names.ParamKeys),
	Panels: []plot.Panel{{
		X:      temperatureAxis,
		Y:      plot.Axis{Label: "mean of the largest weight", MinUpperEnd: 1},
		Points: []plot.PointsSpec{{Filter: softmaxFilter(names.MaxWeight), Label: measuredSeries}},
		Lines:  []plot.LinesSpec{{Curves: softmaxFilter(names.MaxWeight), Label: "theory"}},
		Guides: func(doc *result.Document, fixed result.Params) []plot.Guide {
			return append(uniformGuide(doc, fixed), rootTemperatureGuide(fixed)...)
		},
	}},
}

// rootTemperatureGuide returns the guide line at the temperature √d_k.
func rootTemperatureGuide(fixed result.Params) []plot.Guide {
	d, ok := fixed.Number(names.ParamDimension)
	if !ok || d <= 0 {
		return nil
	}
	label := `the usual $T = \sqrt{d_k} = ` + digits.Short(math.Sqrt(d)) + "$"
	return []plot.Guide{{Value: math.Sqrt(d), Label: label, Dash: plot.Dashed, IsVertical: true}}
}
