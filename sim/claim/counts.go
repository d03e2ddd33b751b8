package claim

import (
	"mcsim/sim/attention/cost"
	"mcsim/sim/names"
)

// countFunctions count the operations, products and numbers of one head.
var countFunctions = []function{
	{name: "score_products", parameters: layerParameters[:2],
		compute: countLayer(func(l cost.Layer) float64 { return countProducts(l, names.PartScores) })},
	{name: "scale_products", parameters: layerParameters[:2],
		compute: countLayer(func(l cost.Layer) float64 {
			return float64(l.Operations(names.PartScale)) / float64(l.Pairs())
		})},
	{name: "pair_products", parameters: layerParameters,
		compute: countLayer(func(l cost.Layer) float64 { return countProducts(l, cost.Products...) })},
	{name: "stored_scores", parameters: layerParameters[:1], compute: countLayer(countStoredScores)},
	{name: "growth_of_pairs", parameters: layerParameters, compute: growthFactors},
	{name: "products_of_matrices", parameters: layerParameters, compute: countLayer(func(l cost.Layer) (n float64) {
		for _, p := range cost.Products {
			if l.Operations(p) > 0 {
				n++
			}
		}
		return n
	})},
}

// layerParameters are the parameters of functions that count.
var layerParameters = []parameter{{name: names.ParamContext, minValue: 1, maxValue: maxTokens, isInteger: true},
	dimensionParameter,
	{name: names.ParamValueDimension, minValue: 1, maxValue: maxDimension, isInteger: true}}

// newLayer returns one head without its projections.
func newLayer(a Args) cost.Layer {
	d := max(int64(a.integer(names.ParamDimension)), 1)
	return cost.Layer{Context: int64(a.integer(names.ParamContext)), Model: d, Key: d,
		Value: max(int64(a.integer(names.ParamValueDimension)), 1), Heads: 1, KeyHeads: 1, Bits: 8}
}

// countLayer returns a function that builds a layer from the arguments and returns count of it.
func countLayer(count func(cost.Layer) float64) func(Args) []Interval {
	return func(a Args) []Interval { return []Interval{point(count(newLayer(a)))} }
}

// countProducts returns the number of multiply-adds of the parts.
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

// growthFactors returns the factors by which the costs of scores, softmax and blends, and the
// stored scores, grow when the number of tokens doubles.
func growthFactors(a Args) []Interval {
	l := newLayer(a)
	return []Interval{point(l.Growth(names.PartScores)), point(l.Growth(names.PartSoftmax)),
		point(l.Growth(names.PartBlend)), point(countStoredScores(l.Doubled()) / countStoredScores(l))}
}
