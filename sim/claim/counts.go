package claim

import (
	"mcsim/sim/attention/cost"
	"mcsim/sim/names"
)

// countFunctions are those that count: operations, products and numbers of one head.
var countFunctions = []function{
	{name: "score_products", args: layerOf[:2],
		of: counted(func(l cost.Layer) float64 { return products(l, names.PartScores) })},
	{name: "scale_products", args: layerOf[:2],
		of: counted(func(l cost.Layer) float64 { return float64(l.Operations(names.PartScale)) / float64(l.Pairs()) })},
	{name: "pair_products", args: layerOf,
		of: counted(func(l cost.Layer) float64 { return products(l, cost.Products...) })},
	{name: "stored_scores", args: layerOf[:1], of: counted(stored)},
	{name: "growth_of_pairs", args: layerOf, of: growth},
	{name: "products_of_matrices", args: layerOf, of: counted(func(l cost.Layer) (n float64) {
		for _, p := range cost.Products {
			if l.Operations(p) > 0 {
				n++
			}
		}
		return n
	})},
}

// layerOf are the arguments of counts.
var layerOf = []parameter{{name: names.ParamContext, lo: 1, hi: mostTokens, whole: true}, oneDimension,
	{name: names.ParamValueDimension, lo: 1, hi: mostDimension, whole: true}}

// layer is one head, behind its projections.
func layer(a Args) cost.Layer {
	d := max(int64(a.whole(names.ParamDimension)), 1)
	return cost.Layer{Context: int64(a.whole(names.ParamContext)), Model: d, Key: d,
		Value: max(int64(a.whole(names.ParamValueDimension)), 1), Heads: 1, KeyHeads: 1, Bits: 8}
}

// counted is a function of a layer.
func counted(of func(cost.Layer) float64) func(Args) []Interval {
	return func(a Args) []Interval { return []Interval{point(of(layer(a)))} }
}

// products are the products of parts in which each is added to a sum.
func products(l cost.Layer, parts ...string) float64 { return float64(l.Operations(parts...)) / 2 }

// stored is how many scores a head has.
func stored(l cost.Layer) float64 {
	for _, p := range l.Parts() {
		if p.Name == names.PartScores {
			return float64(p.Made)
		}
	}
	return 0
}

// growth is what scores, softmax and blends, and what is stored of them, grow by where the
// text is twice as long.
func growth(a Args) []Interval {
	l := layer(a)
	return []Interval{point(l.Growth(names.PartScores)), point(l.Growth(names.PartSoftmax)),
		point(l.Growth(names.PartBlend)), point(stored(l.Doubled()) / stored(l))}
}
