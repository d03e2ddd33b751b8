package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

const weightSeries, entropySeries = weightLabel, `$\mathrm{E}\,H / \ln n$`

// temperature shows one d_k over the temperature, of which √d_k is one value.
var temperature = Chart{
	Name:   "temperature",
	Title:  "Mean largest weight, mean entropy ratio and median gradient survival $R$ against the temperature $T$",
	Height: 84 * vg.Millimeter,
	Fixed:  rows.TemperatureGrid,
	Panels: []Panel{{
		X: Axis{Param: "temperature", Label: "temperature $T$, by which the score is divided", Log: true, Limits: true},
		Y: Axis{Label: "weight, entropy ratio, $R$"},
		Points: []Points{
			{Rows: rows.Softmax("max_weight"), Label: weightSeries},
			{Rows: rows.Softmax("entropy_ratio"), Label: entropySeries},
			{Rows: rows.Softmax("gradient_survival_q50"), Label: survivalLabel},
		},
		Lines: []Lines{
			{Rows: rows.Softmax("max_weight"), Label: weightSeries},
			{Rows: rows.Softmax("entropy_ratio"), Label: entropySeries},
		},
		Upright: rootTemperature,
	}},
	Caption: func(d drawn, text Text) []string {
		return []string{
			"The largest weight of a row and its entropy $H$ over that of uniform weights, on average, and $R$ in the median row.",
			when(d.outermost(), "Set apart at the ends stand the limits: $T$ to 0, where one weight is all, and without bound, where all are equal."),
			when(d.lines(), "Lines join the theory of the means, by quadrature, at the same temperatures."),
			d.intervals() + when(d.hidden(55*vg.Millimeter), ", most of them smaller than the markers") + ".",
			d.bare() + d.dimension() + d.rowsOf(text),
		}
	},
	Sentence: func(doc *result.Document, _ Text) string {
		fixed := rows.TemperatureGrid(doc)
		root, ok := rootTemperature(doc, fixed)
		if !ok {
			return ""
		}
		at := func(q string) (result.Estimate, bool) {
			return rows.One(doc, rows.Softmax(q).Within(fixed).With("temperature", root.At))
		}
		weight, okWeight := at("max_weight")
		median, okMedian := at("gradient_survival_q50")
		if !okWeight || !okMedian {
			return ""
		}
		return fmt.Sprintf(`At the usual $T = \sqrt{d_k} = %s$ the largest weight is %s on average, and the median row keeps $R$ of %s.`,
			digits.Short(root.At), measured(weight), measured(median))
	},
}

// rootTemperature is the line of the usual scale.
func rootTemperature(_ *result.Document, fixed result.Params) (Level, bool) {
	d, ok := fixed.Number("d_k")
	return Level{At: math.Sqrt(d), Label: `$T = \sqrt{d_k}$`}, ok && d > 0
}

// outermost reports whether a limit of the axis has a marker.
func (d drawn) outermost() bool {
	return d.points(func(pt point) bool { return pt.x == d[0].limits[0] || pt.x == d[0].limits[1] })
}

// dimension says which d_k all rows have.
func (d drawn) dimension() string {
	for _, p := range d {
		for _, e := range p.rows {
			if dim, ok := e.Params.Number("d_k"); ok {
				return fmt.Sprintf(" Here $d_k = %s$.", digits.Short(dim))
			}
		}
	}
	return ""
}
