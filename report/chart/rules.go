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

// formats are the number formats that precisionWeights shows, in the order of their styles. The
// saturating format e4m3 has the label of e4m3, since the two differ only if a score overflows.
var formats = []struct{ format, label string }{
	{names.FormatFloat16, names.FormatFloat16},
	{names.FormatE4M3Saturating, names.FormatE4M3},
	{names.FormatE5M2, names.FormatE5M2},
	{names.FormatBFloat16, names.FormatBFloat16},
	{names.FormatFloat32, names.FormatFloat32},
}

// medianVariation selects estimates of the median, over rows, of the total variation of the
// weights.
var medianVariation = selection.NewFilter(names.ExperimentPrecision, names.Quantile(names.TotalVariation, 0.5))

// precisionWeights shows how much the weights of a row change if scores are rounded to number
// formats.
var precisionWeights = figure.Chart{
	Name: "precision-weights", Height: 92, Columns: 2,
	Fixed: selection.FixMainDistribution(medianVariation, names.ParamDimension, names.ParamKeys),
	Panels: []plot.Panel{
		variationPanel("stored in the format, added in float32", names.ArithmeticPractice),
		variationPanel("stored and added in the format", names.ArithmeticWorst),
	},
}

// minVariation is the smallest total variation that the chart shows.
const minVariation = 1e-5

func cutVariation(e result.Estimate) (result.Estimate, bool) { return e, e.Value >= minVariation }

// variationPanel shows the total variation of the median row over d_k in each format.
func variationPanel(title, arithmetic string) plot.Panel {
	p := plot.Panel{
		Title: title,
		X:     dimensionAxis,
		Y:     plot.Axis{Label: "share of weight that moves", Log: true},
		Zones: []plot.Zone{{Lo: names.MaxVariation, Hi: math.Inf(1),
			Label: "fail: more than " + digits.Percent(names.MaxVariation) + " of the weight moves"},
			{Lo: math.Inf(-1), Hi: names.MaxVariation, Label: "pass", IsPlain: true}},
	}
	for _, f := range formats {
		filter := medianVariation.FixAll(result.Params{
			names.ParamFormat: f.format, names.ParamPlacement: names.PlacementAfter, names.ParamArithmetic: arithmetic,
		})
		p.Points = append(p.Points, plot.PointsSpec{Filter: filter, Label: f.label, JoinMarkers: true,
			Convert: cutVariation})
	}
	return p
}

var cosineDistance = selection.NewFilter(names.ExperimentOutputError, names.CosineDistance, names.ParamFormat,
	names.ParamOperand)

// outputError shows how far the output is from float64 in formats with scales, for each operand.
var outputError = figure.Chart{
	Name: "output-error", Height: 140,
	Fixed: selection.FixMainDistribution(cosineDistance, names.ParamFormat, names.ParamDimension, names.ParamKeys,
		names.ParamSigma),
	Panels: []plot.Panel{{
		X:      plot.Axis{Label: "1 − cosine of the output with the one in float64", Log: true},
		Y:      plot.Axis{Param: names.ParamFormat, IsCategorical: true},
		Points: []plot.PointsSpec{{Filter: cosineDistance, SeriesParam: names.ParamOperand}},
	}},
}
