package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Rows of the sorted weights of a row, and lines of single rows.
var (
	ranked        = selection.Of(names.ExperimentRanks, names.RankedWeight)
	keyWeight     = selection.Of(names.ExperimentRanks, names.KeyWeight)
	partialScores = selection.Of(names.ExperimentRanks, names.PartialScore)

	ranksGrid     = selection.OneDistribution(ranked, names.ParamDimension, names.ParamKeys)
	eachDimension = &plot.Each{Rows: ranked, Param: names.ParamDimension}
)

// rankedWeights shows the sorted weights of a row under three scales, at three d_k: only
// √d_k gives the same picture at all of them.
var rankedWeights = figure.Chart{
	Name:    "ranked-weights",
	Height:  100,
	Columns: 3,
	Narrow:  3,
	Fixed:   ranksGrid,
	Each:    eachDimension,
	Panels:  panelsFor(rankPanel, unscaled, byRoot, byDimension),
}

// rankPanel shows the weights by rank under a scale.
func rankPanel(s scale) plot.Panel {
	rows := func(quantity string) selection.Filter {
		return selection.Of(names.ExperimentRanks, quantity).With(names.ParamExponent, s.exponent)
	}
	return plot.Panel{
		Title: s.title, X: plot.Axis{Param: names.ParamRank, Label: "rank of the key"}, Y: ofWeights,
		Points: []plot.Points{{
			Rows: rows(names.RankedWeight), By: names.ParamExponent, Values: []any{s.exponent}, Bars: true,
			Lower: rows(names.Quantile(names.RankedWeight, 0.05)),
			Upper: rows(names.Quantile(names.RankedWeight, 0.95)),
		}},
		Guides: uniformWeights,
	}
}

// sameRow shows the weights of one row as its vectors grow, under two scales side by side.
var sameRow = figure.Chart{
	Name:    "same-row",
	Height:  96,
	Columns: 2,
	Narrow:  2,
	Fixed:   ranksGrid,
	Each:    eachDimension,
	Panels:  panelsFor(rowPanel, unscaled, byRoot),
}

// rowPanel shows the weights of a row under a scale, key by key.
func rowPanel(s scale) plot.Panel {
	style, _ := theme.ExponentStyle(s.exponent)
	points := plot.Points{Rows: keyWeight, Label: s.title, Bars: true, Bare: true, Colour: style.Colour}
	points.Marks = func(doc *result.Document, only result.Params) (marks []plot.Mark) {
		line := keyWeight.Within(only).With(names.ParamExponent, s.exponent)
		for _, c := range selection.Curves(doc, line, names.ParamKey) {
			for i := range c.X {
				e := plot.RowOf(doc, c, i)
				marks = append(marks, plot.Mark{Row: e, Shown: e})
			}
		}
		return marks
	}
	return plot.Panel{
		Title: s.title, X: plot.Axis{Param: names.ParamKey, Label: "key"}, Y: ofWeights,
		Points: []plot.Points{points}, Guides: uniformWeights,
	}
}

// walks shows the scores of one row as sums of products: each key's sum walks away from 0, and only
// divided by √d its width stays.
var walks = figure.Chart{
	Name:    "walks",
	Height:  70,
	Columns: 3,
	Fixed:   ranksGrid,
	Panels: []plot.Panel{
		walkPanel(scale{"unscaled", 0}, "sum of the first $d$ products"),
		walkPanel(scale{`divided by $\sqrt{d}$`, 0.5}, `sum$\,/\,\sqrt{d}$`),
		walkPanel(scale{"divided by $d$", 1}, `sum$\,/\,d$`),
	},
}

// minComponents is the smallest number of components that is shown: sums of fewer are often one or
// two large products.
const minComponents = 8

// walkPanel shows the partial sums divided by d^p, between plus and minus d^(1/2−p).
func walkPanel(s scale, label string) plot.Panel {
	return plot.Panel{
		Title: s.title, X: plot.Axis{Param: names.ParamComponents, Label: "components so far, $d$", Log: true},
		Y: plot.Axis{Label: label},
		Lines: []plot.Lines{{
			Curves: partialScores, Exponent: s.exponent, MinX: minComponents,
			Label: "one key of the row", Around: `$\pm 2$ standard deviations`,
		}},
	}
}
