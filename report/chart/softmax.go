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

// softmax selects rows of softmax in which each query has its own keys.
func softmax(quantity string) selection.Filter {
	return selection.Filter{
		Experiment: names.ExperimentSoftmax, Quantity: quantity, Lacks: []string{names.ParamSharedKeys},
	}
}

// freezing selects rows of logits that are drawn directly.
func freezing(quantity string) selection.Filter {
	return selection.Of(names.ExperimentFreezing, quantity)
}

// softmaxGrid fixes the distribution and the number of keys that have the most values of d_k.
var softmaxGrid = selection.OneDistribution(
	softmax(names.MaxWeight).Having(names.ParamDistribution, names.ParamExponent),
	names.ParamDimension, names.ParamKeys)

// heatOf returns the map of the quantities of an experiment.
func heatOf(quantity func(string) selection.Filter) *plot.Heat {
	return &plot.Heat{
		Concentration: quantity(names.Concentration),
		Collision:     quantity(names.Collision),
		Dead:          quantity(names.DeadShare),
	}
}

// softmaxMap shows where rows are concentrated and where they are dead, over d_k and the exponent.
var softmaxMap = figure.Chart{
	Name:   "softmax-map",
	Height: 88,
	Fixed:  softmaxGrid,
	Panels: []plot.Panel{{X: overDimension, Y: overExponent, Heat: heatOf(softmax)}},
}

// freezingMap shows the same over the number of keys and the standard deviation of logits that are
// drawn directly.
var freezingMap = figure.Chart{
	Name:   "keys-map",
	Height: 100,
	Panels: []plot.Panel{{
		X:    plot.Axis{Param: names.ParamKeys, Label: "number of keys $n$ among which softmax divides the weight"},
		Y:    plot.Axis{Param: names.ParamSigma, Label: `standard deviation $\sigma$ of a logit`},
		Heat: heatOf(freezing),
	}},
}

// gradients shows the gradient that reaches the keys through scores and softmax: its size, and its
// spread over rows.
var gradients = figure.Chart{
	Name:    "gradients",
	Height:  74,
	Columns: 3,
	Narrow:  1,
	Fixed:   softmaxGrid,
	Panels:  panelsFor(keyGradientPanel, unscaled, byRoot, byDimension),
}

// keyGradientPanel shows the gradient at the keys under one scale.
func keyGradientPanel(s scale) plot.Panel {
	return plot.Panel{
		Title: s.title, X: overDimension, Only: result.Params{names.ParamExponent: s.exponent},
		Y: plot.Axis{Label: `gradient at the keys, $\Vert \partial \alpha / \partial K \Vert$`, Log: true},
		Points: []plot.Points{
			{Rows: softmax(names.Quantile(names.KeyGradient, 0.5)), Marks: medianGradients, Label: "median row",
				Band: "5 % to 95 % of rows", Join: true},
			{Rows: softmax(names.KeyGradient), Label: "root mean square", Join: true},
		},
	}
}

// minGradient is the smallest gradient that a panel shows; smaller ones are at its edge.
const minGradient = 1e-6

// medianGradients returns the medians of the gradient with its 5 % and 95 % quantiles as limits.
func medianGradients(doc *result.Document, only result.Params) (marks []plot.Mark) {
	quantile := func(p float64) selection.Filter { return softmax(names.Quantile(names.KeyGradient, p)) }
	for _, median := range selection.Estimates(doc, quantile(0.5).Within(only)) {
		limit := func(p float64) result.Number {
			e, ok := selection.One(doc, quantile(p).Within(median.Params))
			if !ok {
				return result.Absent()
			}
			return max(e.Value, minGradient)
		}
		shown := median
		shown.Value = max(median.Value, minGradient)
		shown.Lo, shown.Hi = limit(0.05), limit(0.95)
		marks = append(marks, plot.Mark{Row: median, Shown: shown})
	}
	return marks
}

// labels shows how many rows are concentrated, and how many of these are dead.
var labels = figure.Chart{
	Name:    "labels",
	Height:  84,
	Columns: 2,
	Narrow:  2,
	Fixed:   softmaxGrid,
	Panels:  panelsFor(labelsPanel, unscaled, byRoot),
}

// labelsPanel shows the shares of concentrated and of dead rows under one scale.
func labelsPanel(s scale) plot.Panel {
	return plot.Panel{
		Title: s.title, X: overDimension, Y: plot.Axis{Label: "share of rows", To: 1},
		Only: result.Params{names.ParamExponent: s.exponent},
		Points: []plot.Points{
			{Rows: softmax(names.ConcentratedShare), Label: "concentrated: few keys have most of the weight",
				Colour: theme.DivergingColour(0.85), Join: true},
			{Rows: softmax(names.DeadShare), Label: "dead: hardly any gradient at the keys",
				Colour: theme.DivergingColour(1), Join: true},
		},
	}
}

// targets shows the gradient of a random key, and how well an average over rows tells its mean.
var targets = figure.Chart{
	Name:    "targets",
	Height:  78,
	Columns: 2,
	Fixed:   softmaxGrid,
	Panels: []plot.Panel{
		targetPanel("idle targets", names.IdleTargetShare,
			plot.Axis{Label: "share of rows with an idle target", To: 1}),
		targetPanel("signal over noise", names.TargetSignal,
			plot.Axis{Label: "mean over standard deviation", Log: true}),
	},
}

// targetPanel shows a quantity for three exponents: lines for all would be hard to tell apart.
func targetPanel(title, quantity string, y plot.Axis) plot.Panel {
	return plot.Panel{Title: title, X: overDimension, Y: y, Points: []plot.Points{
		{Rows: softmax(quantity), By: names.ParamExponent, Values: []any{0.0, 0.5, 1.0}, Join: true},
	}}
}

var overTemperature = plot.Axis{
	Param: names.ParamTemperature, Label: "temperature $T$, by which the score is divided", Log: true,
}

// temperature shows one d_k over the temperature, of which √d_k is one value.
var temperature = figure.Chart{
	Name:   "temperature",
	Height: 80,
	Fixed: selection.OneDistribution(softmax(names.MaxWeight).Having(names.ParamDistribution, names.ParamTemperature),
		names.ParamTemperature, names.ParamDimension, names.ParamKeys),
	Panels: []plot.Panel{{
		X:      overTemperature,
		Y:      plot.Axis{Label: "greatest weight, on average", To: 1},
		Points: []plot.Points{{Rows: softmax(names.MaxWeight), Label: measuredSeries}},
		Lines:  []plot.Lines{{Curves: softmax(names.MaxWeight), Label: "theory"}},
		Guides: func(doc *result.Document, fixed result.Params) []plot.Level {
			return append(uniformWeights(doc, fixed), rootTemperature(fixed)...)
		},
	}},
}

// rootTemperature is the line of the usual scale.
func rootTemperature(fixed result.Params) []plot.Level {
	d, ok := fixed.Number(names.ParamDimension)
	if !ok || d <= 0 {
		return nil
	}
	label := `the usual $T = \sqrt{d_k} = ` + digits.Short(math.Sqrt(d)) + "$"
	return []plot.Level{{Value: math.Sqrt(d), Label: label, Dash: plot.Dashed, Upright: true}}
}
