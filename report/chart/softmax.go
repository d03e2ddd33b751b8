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
var softmaxGrid = selection.OneDistribution(softmax(names.MaxWeight).Having(names.ParamDistribution, names.ParamExponent),
	names.ParamDimension, names.ParamKeys)

// heatOf returns the map of the quantities of an experiment.
func heatOf(quantity func(string) selection.Filter) *plot.Heat {
	return &plot.Heat{
		Concentration: quantity(names.Concentration),
		Collision:     quantity(names.Collision),
		Dead:          quantity(names.DeadShare),
	}
}

// mapCaption explains the letters and the colours of a map of settings.
const mapCaption = `Letters are labels: concentrated (C) if $\sum\alpha^2$ is on average above its mean for normal
	logits with $\sigma=\sqrt{2\,\ln n}$, dead (X) if more than half of the rows are, spread (S) otherwise. The colour
	shows the same sum, from uniform weights (deep blue) to one key (deep red). It steps at the limit.`

// softmaxMap shows where rows are concentrated and where they are dead, over d_k and the exponent.
var softmaxMap = figure.Chart{
	Name:    "softmax-map",
	Title:   `Where weights are spread, concentrated or dead, over the dimension $d_k$ and the exponent $p$`,
	Height:  88,
	Fixed:   softmaxGrid,
	Panels:  []plot.Panel{{X: overDimension, Y: overExponent, Heat: heatOf(softmax)}},
	Drawn:   "Fields are sets of rows.",
	Caption: caption(mapCaption),
}

// freezingMap shows the same over the number of keys and the standard deviation of logits that are
// drawn directly.
var freezingMap = figure.Chart{
	Name: "keys-map",
	Title: caption(`Where weights are spread, concentrated or dead, over the number of keys $n$ and the standard
		deviation $\sigma$ of a logit`),
	Height: 100,
	Panels: []plot.Panel{{
		X:    plot.Axis{Param: names.ParamKeys, Label: "number of keys $n$ among which softmax divides the weight"},
		Y:    plot.Axis{Param: names.ParamSigma, Label: `standard deviation $\sigma$ of a logit`},
		Heat: heatOf(freezing),
	}},
	Drawn:   "Logits are drawn directly, as normal numbers.",
	Caption: caption(mapCaption + ` In the limit of many keys the largest weight stops vanishing there.`),
}

// gradients shows the gradient that reaches the keys through scores and softmax: its size, and its
// spread over rows.
var gradients = figure.Chart{
	Name: "gradients",
	Title: caption(`Gradient $\Vert \partial \alpha / \partial K \Vert$ that reaches the keys against the dimension
		$d_k$, for three scales`),
	Height:  74,
	Columns: 3,
	Narrow:  1,
	Fixed:   softmaxGrid,
	Panels:  panelsFor(keyGradientPanel, unscaled, byRoot, byDimension),
	Drawn:   "Medians.",
	Caption: caption(`The Frobenius norm of the derivative of the weights with respect to all keys, through scale and
		softmax. Gradients below $10^{-6}$ stand at the lower edge.`),
}

// keyGradientPanel shows the gradient at the keys under one scale.
func keyGradientPanel(s scale) plot.Panel {
	return plot.Panel{
		Title: s.title, X: overDimension, Only: result.Params{names.ParamExponent: s.exponent},
		Y: plot.Axis{Label: `gradient at the keys, $\Vert \partial \alpha / \partial K \Vert$`, Log: true},
		Points: []plot.Points{
			{Rows: softmax(names.Quantile(names.KeyGradient, 0.5)), From: medianGradients, Label: "median row",
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
	Title:   "Shares of concentrated and of dead rows against the dimension $d_k$",
	Height:  84,
	Columns: 2,
	Narrow:  2,
	Fixed:   softmaxGrid,
	Panels:  panelsFor(labelsPanel, unscaled, byRoot),
	Drawn:   "Shares of all rows.",
	Caption: caption(`A row is concentrated if its $\sum\alpha^2$ is above the mean for normal logits with
		$\sigma=\sqrt{2\,\ln n}$. It is dead if, besides, the gradient at its keys is below $2^{-8}$ of that of uniform
		weights and $\sigma=1$.`),
}

// labelsPanel shows the shares of concentrated and of dead rows under one scale.
func labelsPanel(s scale) plot.Panel {
	return plot.Panel{
		Title: s.title, X: overDimension, Y: plot.Axis{Label: "share of rows", To: 1},
		Only: result.Params{names.ParamExponent: s.exponent},
		Points: []plot.Points{
			{Rows: softmax(names.ConcentratedShare), Label: "concentrated: few keys have most of the weight",
				Colour: theme.Departed(0.85), Join: true},
			{Rows: softmax(names.DeadShare), Label: "dead: hardly any gradient at the keys",
				Colour: theme.Departed(1), Join: true},
		},
	}
}

// targets shows the gradient of a random key, and how well an average over rows tells its mean.
var targets = figure.Chart{
	Name: "targets",
	Title: caption(`Gradient of a random key, and its signal over noise, against the dimension $d_k$, for each exponent
		$p$`),
	Height:  78,
	Columns: 2,
	Fixed:   softmaxGrid,
	Panels: []plot.Panel{
		targetPanel("idle targets", names.IdleTargetShare,
			plot.Axis{Label: "share of rows with an idle target", To: 1}),
		targetPanel("signal over noise", names.TargetSignal,
			plot.Axis{Label: "mean over standard deviation", Log: true}),
	},
	Drawn: "Shares and ratios of all rows.",
	Caption: caption(`The target is one key that is chosen before the draw; its gradient is the derivative of its weight
		with respect to the key. Panel a: it is idle below $2^{-8}$ of what uniform weights with logits of standard
		deviation 1 give. Panel b: the ratio for one row; for $N$ rows it is $\sqrt{N}$ times as large.`),
}

// targetPanel shows a quantity for three exponents: lines for all would be hard to tell apart.
func targetPanel(title, quantity string, y plot.Axis) plot.Panel {
	return plot.Panel{Title: title, X: overDimension, Y: y, Points: []plot.Points{
		{Rows: softmax(quantity), By: names.ParamExponent, Of: []any{0.0, 0.5, 1.0}, Join: true},
	}}
}

var overTemperature = plot.Axis{
	Param: names.ParamTemperature, Label: "temperature $T$, by which the score is divided", Log: true,
}

// temperature shows one d_k over the temperature, of which √d_k is one value.
var temperature = figure.Chart{
	Name:   "temperature",
	Title:  "Mean greatest weight against the temperature $T$",
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
	Caption: caption(`As $T$ goes to 0 one key has all the weight; as it grows all weights become uniform. Theory is by
		quadrature.`),
}

// rootTemperature is the line of the usual scale.
func rootTemperature(fixed result.Params) []plot.Level {
	d, ok := fixed.Number(names.ParamDimension)
	if !ok || d <= 0 {
		return nil
	}
	label := `the usual $T = \sqrt{d_k} = ` + digits.Short(math.Sqrt(d)) + "$"
	return []plot.Level{{At: math.Sqrt(d), Label: label, Dash: plot.Dashed, Upright: true}}
}
