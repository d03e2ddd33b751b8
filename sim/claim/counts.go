package claim

import (
	"mcsim/sim/attention/cost"
	"mcsim/sim/names"
)

// countFunctions count operations, products and numbers of one head.
var countFunctions = []function{
	{name: "score_products", args: layerParameters[:2],
		compute: countLayer(func(l cost.Layer) float64 { return countProducts(l, names.PartScores) })},
	{name: "scale_products", args: layerParameters[:2],
		compute: countLayer(func(l cost.Layer) float64 {
			return float64(l.Operations(names.PartScale)) / float64(l.Pairs())
		})},
	{name: "pair_products", args: layerParameters,
		compute: countLayer(func(l cost.Layer) float64 { return countProducts(l, cost.Products...) })},
	{name: "stored_scores", args: layerParameters[:1], compute: countLayer(countStoredScores)},
	{name: "growth_of_pairs", args: layerParameters, compute: growth},
	{name: "products_of_matrices", args: layerParameters, compute: countLayer(func(l cost.Layer) (n float64) {
		for _, p := range cost.Products {
			if l.Operations(p) > 0 {
				n++
			}
		}
		return n
	})},
}

// layerParameters are the parameters of functions that count.
var layerParameters = []parameter{{name: names.ParamContext, lo: 1, hi: maxTokens, whole: true}, oneDimension,
	{name: names.ParamValueDimension, lo: 1, hi: maxDimension, whole: true}}

// newLayer returns one head without its projections.
func newLayer(a Args) cost.Layer {
	d := max(int64(a.whole(names.ParamDimension)), 1)
	return cost.Layer{Context: int64(a.whole(names.ParamContext)), Model: d, Key: d,
		Value: max(int64(a.whole(names.ParamValueDimension)), 1), Heads: 1, KeyHeads: 1, Bits: 8}
}

// countLayer makes a function of a number that of computes from a layer.
func countLayer(of func(cost.Layer) float64) func(Args) []Interval {
	return func(a Args) []Interval { return []Interval{point(of(newLayer(a)))} }
}

// countProducts returns the number of products in the parts, each of which is added to a sum.
func countProducts(l cost.Layer, parts ...string) float64 { return float64(l.Operations(parts...)) / 2 }

// countStoredScores returns the number of scores that a head stores.
func countStoredScores(l cost.Layer) float64 {
	for _, p := range l.Parts() {
		if p.Name == names.PartScores {
			return float64(p.Outputs)
		}
	}
	return 0
}

// growth returns the factors by which scores, softmax, blends and stored scores grow if the text
// is twice as long.
func growth(a Args) []Interval {
	l := newLayer(a)
	return []Interval{point(l.Growth(names.PartScores)), point(l.Growth(names.PartSoftmax)),
		point(l.Growth(names.PartBlend)), point(countStoredScores(l.Doubled()) / countStoredScores(l))}
}
