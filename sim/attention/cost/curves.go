package cost

import (
	"slices"

	"mcsim/sim/attention/models"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// countedModels are the models whose layers are counted in a document of results: a small model, a
// large one, and a larger one in which eight query heads share a head of keys and values.
var countedModels = []string{"GPT-2 small", "Llama-2 7B", "Llama-2 70B"}

// StoredBytes is the size of a number in the curves: half precision.
const StoredBytes = 2

// NewLayer returns a layer of a released model for context tokens, without a mask.
func NewLayer(m models.Model, context int64) Layer {
	return Layer{Context: context, Model: int64(m.Model), Key: int64(m.Key), Value: int64(m.Key),
		Heads: int64(m.Heads), KeyHeads: int64(m.KeyHeads), Bits: 8 * StoredBytes}
}

// contextLengths returns the numbers of tokens of the curves: 2⁹ to 2¹⁷.
func contextLengths() (numbers []int64) {
	for n := int64(512); n <= 131072; n *= 2 {
		numbers = append(numbers, n)
	}
	return numbers
}

// Curves returns the counts of countedModels as curves over the number of tokens: the operations
// and bytes of their parts, and the factor by which operations grow if the number of tokens
// doubles. A curve of a single point has the crossing (see Layer.Crossing).
func Curves() (curves []result.Curve) {
	for _, m := range models.All() {
		if slices.Contains(countedModels, m.Name) {
			curves = append(curves, newCurves(m)...)
		}
	}
	return curves
}

// IsCostCurve reports whether c is one of the curves that Curves returns.
func IsCostCurve(c result.Curve) bool { return c.Experiment == names.ExperimentCost }

// operationCounts has the parts whose operations are counted, and their steps.
var operationCounts = []struct {
	part  string
	steps []string // nil means all steps
}{
	{names.PartProjections, Projections}, {names.PartProducts, Products},
	{names.PartScores, []string{names.PartScores}}, {names.PartScale, []string{names.PartScale}},
	{names.PartSoftmax, []string{names.PartSoftmax}}, {names.PartBlend, []string{names.PartBlend}},
	{names.PartWhole, nil},
}

// byteCounts has the parts whose bytes are counted.
var byteCounts = []struct {
	part  string
	bytes func(Layer) int64
}{
	{names.PartScoreMatrix, Layer.ScoreBytes}, {names.PartScoreTiles, Layer.TileBytes},
	{names.PartCache, Layer.CacheBytes}, {names.PartWeights, Layer.WeightBytes},
}

// newCurves returns the curves of one model.
func newCurves(m models.Model) (curves []result.Curve) {
	addCurve := func(quantity, part string, contexts []int64, count func(Layer) float64) {
		c := result.Curve{Experiment: names.ExperimentCost, Quantity: quantity, Axis: names.ParamContext,
			Kind: names.TheoryExact, Params: result.Params{names.ParamPublished: m.Name, names.ParamPart: part,
				names.ParamModel: float64(m.Model), names.ParamDimension: float64(m.Key),
				names.ParamHeads: float64(m.Heads), names.ParamKeyHeads: float64(m.KeyHeads)}}
		for _, n := range contexts {
			c.X, c.Y = append(c.X, result.Number(n)), append(c.Y, result.Number(count(NewLayer(m, n))))
		}
		curves = append(curves, c)
	}
	for _, p := range operationCounts {
		addCurve(names.AttentionOperations, p.part, contextLengths(),
			func(l Layer) float64 { return float64(l.Operations(p.steps...)) })
		addCurve("attention_growth", p.part, contextLengths(), func(l Layer) float64 { return l.Growth(p.steps...) })
	}
	for _, b := range byteCounts {
		addCurve(names.AttentionBytes, b.part, contextLengths(), func(l Layer) float64 { return float64(b.bytes(l)) })
	}
	// The crossing of these models is an integer, so that scores and blend have exactly as many
	// operations as the projections.
	crossing := []int64{NewLayer(m, 1).Crossing()}
	addCurve(names.AttentionCrossing, names.PartProducts, crossing,
		func(l Layer) float64 { return float64(l.Operations(Products...)) })
	return curves
}
