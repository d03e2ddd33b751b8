package cost

import (
	"slices"

	"mcsim/sim/names"
)

// Part has the counts of one step of the layer.
type Part struct {
	Name       string  `json:"part"`
	Operations int64   `json:"operations"`
	Proportion float64 `json:"share"`        // proportion of the layer's operations
	Growth     float64 `json:"growth"`       // factor by which the operations grow if the tokens double
	Weights    int64   `json:"weight_bytes"` // bytes of the weights of the step
	Outputs    int64   `json:"made_bytes"`   // bytes of the output; 0 if the output replaces the input
}

// The operations of scale and softmax for each score. The scale is one multiplication. Softmax does
// five operations: the comparison for the maximum, its subtraction, the exponential, the addition
// to the sum, and the division.
const (
	scaleOperations   = 1
	softmaxOperations = 5
)

// step is a part of the computation of a layer.
type step struct {
	name       string
	weights    int64 // number of weights
	operations int64 // operations for each token, or for each pair if isPerPair is set
	isPerPair  bool
	outputs    int64 // numbers of the output; 0 if the output replaces the input
}

// steps returns the steps of the layer in their order.
func (l Layer) steps() []step {
	n := l.Context
	newProjection := func(name string, inputs, outputs int64) step {
		return step{name: name, weights: inputs * outputs, operations: 2 * inputs * outputs, outputs: n * outputs}
	}
	newPairStep := func(name string, operations, outputs int64) step {
		return step{name: name, operations: l.Heads * operations, isPerPair: true, outputs: outputs}
	}
	return []step{
		newProjection(names.PartQueries, l.Model, l.Heads*l.Key),
		newProjection(names.PartKeys, l.Model, l.KeyHeads*l.Key),
		newProjection(names.PartValues, l.Model, l.KeyHeads*l.Value),
		newPairStep(names.PartScores, 2*l.Key, l.scoreCount()),
		newPairStep(names.PartScale, scaleOperations, 0),
		newPairStep(names.PartSoftmax, softmaxOperations, 0),
		newPairStep(names.PartBlend, 2*l.Value, n*l.Heads*l.Value),
		newProjection(names.PartOutput, l.Heads*l.Value, l.Model),
	}
}

// repetitions returns the number of tokens or of pairs for which a step is done.
func (l Layer) repetitions(s step) int64 {
	if s.isPerPair {
		return l.Pairs()
	}
	return l.Context
}

// scoreCount returns the number of elements of the score matrices of all heads. With a causal mask
// the half above the diagonal is not used, but it is usually stored.
func (l Layer) scoreCount() int64 { return l.Heads * l.Context * l.Context }

// Parts returns the counts of all steps in their order.
func (l Layer) Parts() []Part {
	var parts []Part
	total := float64(l.Operations())
	for _, s := range l.steps() {
		operations := s.operations * l.repetitions(s)
		parts = append(parts, Part{Name: s.name, Operations: operations, Proportion: float64(operations) / total,
			Growth: l.Growth(s.name), Weights: l.bytes(s.weights), Outputs: l.bytes(s.outputs)})
	}
	return parts
}

// bytes returns the bytes of that many numbers, rounded up.
func (l Layer) bytes(numbers int64) int64 {
	return numbers/8*l.Bits + divideUp(numbers%8*l.Bits, 8)
}

// Operations returns the operations of the named parts together, or of all parts if none is named.
func (l Layer) Operations(parts ...string) (sum int64) {
	for _, s := range l.selectSteps(parts) {
		sum += s.operations * l.repetitions(s)
	}
	return sum
}

// selectSteps returns the named steps, or all steps if none is named.
func (l Layer) selectSteps(parts []string) []step {
	return slices.DeleteFunc(l.steps(), func(s step) bool { return len(parts) > 0 && !slices.Contains(parts, s.name) })
}

// Groups of parts that are reported together.
var (
	Projections = []string{names.PartQueries, names.PartKeys, names.PartValues, names.PartOutput}
	Products    = []string{names.PartScores, names.PartBlend}
)

// Growth returns the factor by which the operations of the named parts together, or of all parts,
// grow if the number of tokens doubles. For the whole layer it is near 2 for short texts and near 4
// for long texts. The operations of the doubled layer are summed in float64, because they may
// exceed 64 bits.
func (l Layer) Growth(parts ...string) float64 {
	twice, operations := l.Doubled(), 0.0
	for _, s := range l.selectSteps(parts) {
		operations += float64(float64(s.operations) * float64(twice.repetitions(s)))
	}
	return operations / float64(l.Operations(parts...))
}

// WeightBytes returns the size of all weights.
func (l Layer) WeightBytes() (sum int64) {
	for _, p := range l.Parts() {
		sum += p.Weights
	}
	return sum
}

// ScoreBytes returns the size of the score matrices of all heads.
func (l Layer) ScoreBytes() int64 { return l.bytes(l.scoreCount()) }

// CacheBytes returns the size of the keys and values. A model that generates text token by token
// stores them.
func (l Layer) CacheBytes() int64 { return l.bytes(l.Context * l.KeyHeads * (l.Key + l.Value)) }

// TileSide is the number of queries, and of keys, of a tile of the score matrix.
const TileSide = 128

// tileSide returns the side of a tile; a text may be shorter than TileSide.
func (l Layer) tileSide() int64 { return min(l.Context, TileSide) }

// TileBytes returns the memory for scores if they are computed tile by tile: one tile for each
// head, and the current maximum and sum for each query of each head.
func (l Layer) TileBytes() int64 {
	side := l.tileSide()
	return l.bytes(l.Heads * (side*side + 2*l.Context))
}

// Count has a layer and all of its counts, for a JSON document.
type Count struct {
	Layer
	Bytes      float64 `json:"bytes_per_number"`
	Operations int64   `json:"operations"`
	Growth     float64 `json:"growth"`
	Crossing   int64   `json:"crossing"`
	Weights    int64   `json:"weight_bytes"`
	Scores     int64   `json:"score_matrix_bytes"`
	Tiles      int64   `json:"score_tile_bytes"`
	Cache      int64   `json:"kv_bytes"`
	Parts      []Part  `json:"parts"`
}

// Count returns all counts of the layer.
func (l Layer) Count() *Count {
	return &Count{Layer: l, Bytes: float64(l.Bits) / 8,
		Operations: l.Operations(), Growth: l.Growth(), Crossing: l.Crossing(),
		Weights: l.WeightBytes(), Scores: l.ScoreBytes(), Tiles: l.TileBytes(), Cache: l.CacheBytes(), Parts: l.Parts()}
}
