package chart

import (
	"math"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// temperature shows one d_k over the temperature, of which √d_k is one value.
var temperature = figure.Chart{
	Name:   "temperature",
	Title:  "Mean greatest weight against the temperature $T$",
	Height: 80,
	Fixed:  selection.OneDistribution(scaledBy(names.ParamTemperature), names.ParamTemperature, names.ParamDimension, names.ParamKeys),
	Panels: []plot.Panel{{
		X:      plot.Axis{Param: names.ParamTemperature, Label: "temperature $T$, by which the score is divided", Log: true},
		Y:      plot.Axis{Label: "greatest weight, on average", To: 1},
		Points: []plot.Points{{Rows: softmax(names.MaxWeight), Label: measuredSeries}},
		Lines:  []plot.Lines{{Curves: softmax(names.MaxWeight), Label: "theory"}},
		Guides: func(doc *result.Document, fixed result.Params) []plot.Level {
			return append(uniformWeights(doc, fixed), rootTemperature(doc, fixed)...)
		},
	}},
	Caption: "As $T$ goes to 0 one key has all the weight; as it grows all weights become uniform. Theory is by quadrature.",
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
