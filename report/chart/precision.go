package chart

import (
	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// shownFormats are the formats that figures show, those first that both figures have, so
// that they look alike in them: that e4m3fn has NaN beyond its greatest
// number makes no difference where nothing overflows.
var shownFormats = []struct{ format, label string }{
	{names.FormatFloat16, names.FormatFloat16},
	{names.FormatE4M3Saturating, names.FormatE4M3},
	{names.FormatE5M2, names.FormatE5M2},
	{names.FormatBFloat16, names.FormatBFloat16},
	{names.FormatFloat32, names.FormatFloat32},
}

// medianVariation are the rows of the total variation of the median row.
var (
	medianVariation = selection.Of(names.ExperimentPrecision, names.Quantile(names.TotalVariation, 0.5))
	precisionGrid   = selection.OneDistribution(medianVariation, names.ParamDimension, names.ParamKeys)
)

// variationPanel is the total variation of the median row over d_k in each format.
func variationPanel(title, arithmetic string) plot.Panel {
	p := plot.Panel{
		Title:  title,
		X:      overDimension,
		Y:      plot.Axis{Label: "share of weight that moves", Log: true},
		Guides: plot.At(plot.Level{At: names.MostVariation, Label: digits.Short(names.MostVariation) + ", above which a format fails"}),
	}
	for _, f := range shownFormats {
		at := result.Params{names.ParamFormat: f.format, names.ParamPlacement: names.PlacementAfter, names.ParamArithmetic: arithmetic}
		p.Points = append(p.Points, plot.Points{Rows: medianVariation.Within(at), Label: f.label, Join: true})
	}
	return p
}

// precisionWeights shows how far formats move the weights.
var precisionWeights = figure.Chart{
	Name:    "precision-weights",
	Title:   "How much of a row's weight moves to other keys if queries, keys and scores are stored in formats of few digits, against the dimension $d_k$",
	Height:  92,
	Columns: 2,
	Fixed:   precisionGrid,
	Panels: []plot.Panel{
		variationPanel("stored in the format, added in float32", names.ArithmeticPractice),
		variationPanel("stored and added in the format", names.ArithmeticWorst),
	},
	Drawn: "Median row.",
	Caption: "The total variation between the weights in a format and those in float64: the share of weight that moves to other keys. Queries, keys and scores are stored in the format; the score is multiplied by $1/\\sqrt{d_k}$ and stored again; " +
		"the softmax is computed in float32. Where sums are in the format too, every product and every sum is rounded to it, one component after the other: that is the worst case, and no matrix unit does it. " +
		"The line of e4m3fn is that of e4m3fn-saturating; e4m3fn-nan differs only where scores overflow.",
}
