package chart

import (
	"fmt"
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
	Fixed:  rows.TemperatureGrid,
	Panels: []plot.Panel{{
		X: plot.Axis{Param: names.ParamTemperature, Label: "temperature $T$, by which the score is divided", Log: true, Limits: true},
		Y: plot.Axis{Label: "each from 0 to 1"},
		// In this order what grows where rows are saturated is warm, and what grows where
		// they are too soft is cool.
		Points: []plot.Points{
			{Rows: rows.Softmax(names.Quantile(names.GradientSurvival, 0.5)), Label: survivalLabel + ", median row", Join: true},
			{Rows: rows.Softmax(names.MaxWeight), Label: weightSeries},
			{Rows: rows.Softmax(names.EntropyRatio), Label: entropySeries},
		},
		Lines: []plot.Lines{
			{Curves: rows.Softmax(names.MaxWeight), Label: weightSeries},
			{Curves: rows.Softmax(names.EntropyRatio), Label: entropySeries},
		},
		Upright: rootTemperature,
	}},
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			"The largest weight of a row and its entropy $H$ over that of uniform weights, on average, and $R$ in the median row.",
			figure.When(outermost(d), "Beyond the breaks of the axis stand the limits: $T$ to 0, where one key has all the weight, and without bound, where all weights are equal."),
			figure.When(d.Lines(), "Lines are the theory of the means, by quadrature; that of the median joins its markers."),
			dimension(d) + rowsOf(d, text),
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		fixed := rows.TemperatureGrid(doc)
		root, ok := rootTemperature(doc, fixed)
		if !ok {
			return ""
		}
		at := func(q string) (result.Estimate, bool) {
			return rows.One(doc, rows.Softmax(q).Within(fixed).With(names.ParamTemperature, root.At))
		}
		weight, okWeight := at(names.MaxWeight)
		median, okMedian := at(names.Quantile(names.GradientSurvival, 0.5))
		if !okWeight || !okMedian {
			return ""
		}
		return fmt.Sprintf(`At the usual $T = \sqrt{d_k} = %s$ the largest weight is %s on average, and the median row keeps $R$ of %s.`,
			digits.Short(root.At), figure.Measured(weight), figure.Measured(median))
	},
}

// rootTemperature is the line of the usual scale.
func rootTemperature(_ *result.Document, fixed result.Params) (plot.Level, bool) {
	d, ok := fixed.Number(names.ParamDimension)
	return plot.Level{At: math.Sqrt(d), Label: `the usual $T = \sqrt{d_k} = ` + digits.Short(math.Sqrt(d)) + "$"}, ok && d > 0
}

// outermost reports whether a limit of the axis has a marker.
func outermost(d figure.Drawn) bool {
	return d.Points(func(pt plot.Point) bool { return pt.X == d[0].LimitsAt[0] || pt.X == d[0].LimitsAt[1] })
}

// dimension says which d_k all rows have.
func dimension(d figure.Drawn) string {
	dim, ok := d.First(names.ParamDimension).Number(names.ParamDimension)
	return figure.When(ok, fmt.Sprintf(" Here $d_k = %s$.", digits.Short(dim)))
}
