package chart

import (
	"math"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

const weightSeries, entropySeries = "largest weight of a row, on average", `entropy of the weights over $\ln n$, on average`

// temperature shows one d_k over the temperature, of which √d_k is one value.
var temperature = figure.Chart{
	Name:   "temperature",
	Title:  "Mean largest weight, mean entropy ratio and median gradient survival $R$ against the temperature $T$",
	Height: 84,
	Fixed:  rows.OneDistribution(scaledBy(names.ParamTemperature), names.ParamTemperature, names.ParamDimension, names.ParamKeys),
	Panels: []plot.Panel{{
		X: plot.Axis{Param: names.ParamTemperature, Label: "temperature $T$, by which the score is divided", Log: true},
		Y: plot.Axis{Label: "each from 0 to 1"},
		// In this order what grows where rows are saturated is warm, and what grows where
		// they are too soft is cool.
		Points: []plot.Points{
			{Rows: softmax(names.Quantile(names.GradientSurvival, 0.5)), Label: survivalLabel + ", median row", Join: true},
			{Rows: softmax(names.MaxWeight), Label: weightSeries},
			{Rows: softmax(names.EntropyRatio), Label: entropySeries},
		},
		Lines: []plot.Lines{
			{Curves: softmax(names.MaxWeight), Label: weightSeries},
			{Curves: softmax(names.EntropyRatio), Label: entropySeries},
		},
		Guides: rootTemperature,
	}},
	Caption: "The largest weight of a row and its entropy $H$ over that of uniform weights, on average, and $R$ in the median row. As $T$ goes to 0 one key has all the weight, and as it grows without bound all weights become equal. " +
		"Lines are the theory of the means, by quadrature; that of the median joins its markers.",
}

// rootTemperature is the line of the usual scale.
func rootTemperature(_ *result.Document, fixed result.Params) []plot.Level {
	d, ok := fixed.Number(names.ParamDimension)
	if !ok || d <= 0 {
		return nil
	}
	root := math.Sqrt(d)
	return []plot.Level{{At: root, Label: `the usual $T = \sqrt{d_k} = ` + digits.Short(root) + "$", Dash: plot.Dashed, Upright: true}}
}
