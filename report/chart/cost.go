package chart

import (
	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// overTokens is the axis of the length of a text.
var overTokens = plot.Axis{Param: names.ParamContext, Label: "tokens of the text, $n$", Log: true}

// counted names lines that count a part of an attention layer.
func counted(quantity, part string) selection.Filter {
	return selection.Of(names.ExperimentCost, quantity).With(names.ParamPart, part)
}

// counts are lines of what parts of a layer take, each under its label.
func counts(quantity string, parts ...[2]string) []plot.Lines {
	return names.Each(parts, func(p [2]string) plot.Lines {
		return plot.Lines{Curves: counted(quantity, p[0]), Label: p[1]}
	})
}

// cost shows what the parts of one layer of attention take, over the length of a text.
var cost = figure.Chart{
	Name:   "cost",
	Title:  "Operations and bytes of one attention layer against the number of tokens $n$",
	Height: 132,
	Fixed:  smallestModel,
	Panels: []plot.Panel{
		{
			Title: "operations", X: overTokens, Y: plot.Axis{Label: "floating-point operations", Log: true},
			Lines: counts(names.AttentionOperations, [2]string{names.PartProducts, "scores and output"},
				[2]string{names.PartProjections, names.PartProjections}, [2]string{names.PartSoftmax, names.PartSoftmax}),
			Guides: crossing,
		},
		{
			Title: "memory", X: overTokens, Y: plot.Axis{Label: "bytes", Log: true},
			Lines: counts(names.AttentionBytes, [2]string{names.PartScoreMatrix, "all scores"},
				[2]string{names.PartCache, "keys and values"}, [2]string{names.PartScoreTiles, "tiles of scores"}),
		},
	},
	Drawn: "Counted by formulas for one layer; nothing is measured.",
	Caption: "The products of all $n^2$ pairs of tokens, without a mask, and the projections. A causal mask leaves half of the pairs, and the lines cross at about twice as many tokens. " +
		"Panel b has the memory for all scores at once, for tiles of scores, and for the keys and values that a model keeps while it writes. A number takes 2 bytes.",
}

// smallestModel is the first of the models whose layers are counted.
func smallestModel(doc *result.Document) result.Params {
	for _, c := range selection.Curves(doc, counted(names.AttentionOperations, names.PartProducts), names.ParamContext) {
		return result.Params{names.ParamPublished: c.Params[names.ParamPublished]}
	}
	return nil
}

// crossing is where scores and blend take as many operations as the projections.
func crossing(doc *result.Document, fixed result.Params) []plot.Level {
	cs := selection.Curves(doc, counted(names.AttentionCrossing, names.PartProducts).Within(fixed), names.ParamContext)
	if len(cs) == 0 || len(cs[0].X) == 0 || !(cs[0].X[0] > 0) || !cs[0].X[0].Present() {
		return nil
	}
	at := float64(cs[0].X[0])
	label := "scores cost what projections do: $n = " + digits.Short(at) + "$"
	return []plot.Level{{At: at, Label: label, Dash: plot.Dashed, Upright: true}}
}
