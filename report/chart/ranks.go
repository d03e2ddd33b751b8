package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Filters of estimates of the sorted weights of a row, and of curves of single rows.
var (
	ranked        = selection.NewFilter(names.ExperimentRanks, names.RankedWeight)
	keyWeight     = selection.NewFilter(names.ExperimentRanks, names.KeyWeight)
	partialScores = selection.NewFilter(names.ExperimentRanks, names.PartialScore)

	ranksGrid      = selection.FixMainDistribution(ranked, names.ParamDimension, names.ParamKeys)
	dimensionFacet = &plot.Facet{Filter: ranked, Param: names.ParamDimension}
)

// rankedWeights shows the sorted weights of a row under three scales and at three d_k. The weights
// are the same at all three d_k only if the scores are divided by √d_k.
var rankedWeights = figure.Chart{
	Name: "ranked-weights", Height: 100, Columns: 3, NarrowColumns: 3, Fixed: ranksGrid,
	Facet:  dimensionFacet,
	Panels: names.Map([]scale{unscaled, scaledByRoot, scaledByDimension}, rankPanel),
}

// rankPanel shows the mean weight of each rank under a scale, with error bars from the 5 % quantile
// to the 95 % quantile.
func rankPanel(s scale) plot.Panel {
	filter := func(quantity string) selection.Filter {
		return selection.NewFilter(names.ExperimentRanks, quantity).Fix(names.ParamExponent, s.exponent)
	}
	style, _ := theme.ExponentStyle(s.exponent)
	return plot.Panel{
		Title: s.title, X: plot.Axis{Param: names.ParamRank, Label: "rank of the key"}, Y: weightAxis,
		Points: []plot.PointsSpec{{
			Filter: filter(names.RankedWeight), Label: s.title, Colour: style.Colour, DrawBars: true,
			Lower: filter(names.Quantile(names.RankedWeight, 0.05)),
			Upper: filter(names.Quantile(names.RankedWeight, 0.95)),
		}},
		Guides: uniformGuide,
	}
}

// sameRow shows the weights of one row under two scales and at three d_k. The vectors at a larger
// d_k begin with the components of the vectors at a smaller d_k.
var sameRow = figure.Chart{
	Name: "same-row", Height: 96, Columns: 2, NarrowColumns: 2, Fixed: ranksGrid, Facet: dimensionFacet,
	Panels: names.Map([]scale{unscaled, scaledByRoot}, rowPanel),
}

// rowPanel shows the weights of a row under a scale, key by key.
func rowPanel(s scale) plot.Panel {
	style, _ := theme.ExponentStyle(s.exponent)
	points := plot.PointsSpec{Filter: keyWeight, Label: s.title, DrawBars: true, HasNoErrors: true,
		Colour: style.Colour}
	points.MakeMarks = func(doc *result.Document, fixed result.Params) (marks []plot.Mark) {
		f := keyWeight.FixAll(fixed).Fix(names.ParamExponent, s.exponent)
		for _, c := range selection.Curves(doc, f, names.ParamKey) {
			for i := range c.X {
				e := plot.CurveEstimate(doc, c, i)
				marks = append(marks, plot.Mark{Estimate: e, Converted: e})
			}
		}
		return marks
	}
	return plot.Panel{
		Title: s.title, X: plot.Axis{Param: names.ParamKey, Label: "key"}, Y: weightAxis,
		Points: []plot.PointsSpec{points}, Guides: uniformGuide,
	}
}

// walks shows the partial sums of the scores of one row over the number d of summed products. The
// variance of the sums is the same at all d only if they are divided by √d.
var walks = figure.Chart{
	Name: "walks", Height: 70, Columns: 3, Fixed: ranksGrid,
	Panels: []plot.Panel{
		walkPanel(scale{"unscaled", 0}, "sum of the first $d$ products"),
		walkPanel(scale{`divided by $\sqrt{d}$`, 0.5}, `sum$\,/\,\sqrt{d}$`),
		walkPanel(scale{"divided by $d$", 1}, `sum$\,/\,d$`),
	},
}

// minComponents is the smallest number of components that walks shows. Sums of fewer components are
// omitted, since one or two large products often dominate them.
const minComponents = 8

// walkPanel shows the partial sums divided by d^p, and a band of ±2·d^(1/2−p), which are two
// standard deviations. p is the exponent of the scale.
func walkPanel(s scale, label string) plot.Panel {
	return plot.Panel{
		Title: s.title, X: plot.Axis{Param: names.ParamComponents, Label: "components so far, $d$", Log: true},
		Y: plot.Axis{Label: label},
		Lines: []plot.LinesSpec{{
			Curves: partialScores, Exponent: s.exponent, MinX: minComponents,
			BandLabel: `$\pm 2$ standard deviations`,
		}},
	}
}
