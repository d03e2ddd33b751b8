package chart

import (
	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
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
	medianVariation = rows.Of(names.ExperimentPrecision, names.Quantile(names.TotalVariation, 0.5))
	precisionGrid   = rows.OneDistribution(medianVariation, names.ParamDimension, names.ParamKeys)
)

// variationPanel is the total variation of the median row over d_k in each format.
func variationPanel(title, arithmetic string) plot.Panel {
	p := plot.Panel{
		Title:  title,
		X:      overDimension,
		Y:      plot.Axis{Label: "part of the weight at another key, median row", Log: true},
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
		variationPanel("(a) stored in the format, added in float32", names.ArithmeticPractice),
		variationPanel("(b) stored and added in the format", names.ArithmeticWorst),
	},
	Caption: "The total variation between the weights in a format and those in float64, in the median row: the part of the weight that stands at another key. The scores are stored, multiplied by $1/\\sqrt{d_k}$ and stored again; " +
		"the softmax is computed in float32. In (b) products and sums are rounded to the format one component after the other, from the first to the last, which is the worst case, and what no matrix unit does; " +
		"the scale is rounded to the format, too. The line of e4m3fn is that of e4m3fn-saturating; that of e4m3fn-nan differs only where scores overflow.",
}

// headroomPanel is how many times as large scores may be, over d_k.
func headroomPanel(title, placement string) plot.Panel {
	p := plot.Panel{
		Title:  title,
		X:      overDimension,
		Y:      plot.Axis{Label: "factor until scores overflow", Log: true},
		Guides: plot.At(plot.Level{At: 1, Label: "one score in a million overflows"}),
	}
	for _, f := range shownFormats {
		if f.format == names.FormatFloat32 || f.format == names.FormatBFloat16 {
			continue // their greatest number is 3.4·10³⁸
		}
		p.Lines = append(p.Lines, plot.Lines{
			Curves: rows.Of(names.ExperimentPrecision, names.Headroom).With(names.ParamFormat, f.format).With(names.ParamPlacement, placement),
			Label:  f.label,
		})
	}
	return p
}

// precisionHeadroom shows how far scores are from overflowing, by their exact tails.
var precisionHeadroom = figure.Chart{
	Name:    "precision-headroom",
	Title:   "How many times as large the scores may be before one in a million overflows its format, against the dimension $d_k$, with the scale after and before the product",
	Height:  84,
	Columns: 2,
	Fixed:   precisionGrid,
	Panels: []plot.Panel{
		headroomPanel("(a) the product is scaled", names.PlacementAfter),
		headroomPanel("(b) the query is scaled", names.PlacementBefore),
	},
	Caption: "Lines are theory, the exact tail of the score of $d_k$ components of variance 1, by quadrature: the factor by which such scores would have to be multiplied for one in a million of those that are stored to overflow. " +
		"A factor on query and key together counts as one. Scaling query and key by $d_k^{-1/4}$ each gives the lines of (b). What it costs to scale the query first is not in this figure: " +
		"its components become small where $d_k$ is large, and lose digits where they are below the least normal number of their format. The lines of float16 and e5m2 nearly coincide. " +
		"A format that reaches as far as float32 has its line above 10³⁶, and none here.",
}
