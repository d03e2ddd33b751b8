package cost

import (
	"slices"

	"mcsim/sim/names"
)

// Part is one step of the layer.
type Part struct {
	Name       string  `json:"part"`
	Operations int64   `json:"operations"`
	Share      float64 `json:"share"`        // of the operations of the layer
	Growth     float64 `json:"growth"`       // by what the operations grow where the tokens double
	Weights    int64   `json:"weight_bytes"` // of the weights that it multiplies with
	Made       int64   `json:"made_bytes"`   // of what it makes; 0 where that takes the place of what it is given
}

// perPair is what scale and softmax take of each score: the one multiplies; the other
// compares for the maximum, subtracts it, exponentiates, adds up and divides.
const (
	scaleOperations   = 1
	softmaxOperations = 5
)

// step is a part that is not yet counted: how many numbers its weights have, the operations
// for each token or for each pair, and how many numbers it makes.
type step struct {
	name          string
	weights, each int64
	pairs         bool
	makes         int64
}

// steps are those of the layer in their order.
func (l Layer) steps() []step {
	n := l.Context
	project := func(name string, from, to int64) step { return step{name, from * to, 2 * from * to, false, n * to} }
	pair := func(name string, each, makes int64) step { return step{name, 0, l.Heads * each, true, makes} }
	return []step{
		project(names.PartQueries, l.Model, l.Heads*l.Key),
		project(names.PartKeys, l.Model, l.KeyHeads*l.Key),
		project(names.PartValues, l.Model, l.KeyHeads*l.Value),
		pair(names.PartScores, 2*l.Key, l.scores()),
		pair(names.PartScale, scaleOperations, 0),
		pair(names.PartSoftmax, softmaxOperations, 0),
		pair(names.PartBlend, 2*l.Value, n*l.Heads*l.Value),
		project(names.PartOutput, l.Heads*l.Value, l.Model),
	}
}

// times is how often a step of such a layer is done: for each token, or for each pair.
func (l Layer) times(s step) int64 {
	if s.pairs {
		return l.Pairs()
	}
	return l.Context
}

// scores is how many entries the whole score matrix has, of all heads. A causal mask
// leaves the half above the diagonal empty, which usually is stored all the same.
func (l Layer) scores() int64 { return l.Heads * l.Context * l.Context }

// Parts are the steps of the layer in their order, counted.
func (l Layer) Parts() []Part {
	var out []Part
	all := float64(l.Operations())
	for _, s := range l.steps() {
		operations := s.each * l.times(s)
		out = append(out, Part{Name: s.name, Operations: operations, Share: float64(operations) / all, Growth: l.Growth(s.name),
			Weights: l.bytes(s.weights), Made: l.bytes(s.makes)})
	}
	return out
}

// bytes are those of so many numbers, rounded up to whole ones.
func (l Layer) bytes(numbers int64) int64 {
	return numbers/8*l.Bits + roundedUp(numbers%8*l.Bits, 8)
}

// Operations are those of the named parts together, or of all.
func (l Layer) Operations(parts ...string) (sum int64) {
	for _, s := range l.among(parts) {
		sum += s.each * l.times(s)
	}
	return sum
}

// among are the named steps, or all.
func (l Layer) among(parts []string) []step {
	return slices.DeleteFunc(l.steps(), func(s step) bool { return len(parts) > 0 && !slices.Contains(parts, s.name) })
}

// Groups of parts that are told together.
var (
	Projections = []string{names.PartQueries, names.PartKeys, names.PartValues, names.PartOutput}
	Products    = []string{names.PartScores, names.PartBlend}
)

// Growth is by what the operations of the named parts together, or of all, grow where the
// tokens double. That of the whole layer is near 2 for short texts, and near 4 for long ones.
// Where the layer is at the limit, the operations of twice the tokens leave 64 bits, so
// they are added up in float64.
func (l Layer) Growth(parts ...string) float64 {
	twice, operations := l.Doubled(), 0.0
	for _, s := range l.among(parts) {
		operations += float64(float64(s.each) * float64(twice.times(s)))
	}
	return operations / float64(l.Operations(parts...))
}

// WeightBytes are those of all weights.
func (l Layer) WeightBytes() (sum int64) {
	for _, p := range l.Parts() {
		sum += p.Weights
	}
	return sum
}

// ScoreBytes are those of the whole score matrix, of all heads.
func (l Layer) ScoreBytes() int64 { return l.bytes(l.scores()) }

// CacheBytes are those of the keys and values, which a model that writes a text token by
// token keeps.
func (l Layer) CacheBytes() int64 { return l.bytes(l.Context * l.KeyHeads * (l.Key + l.Value)) }

// TileSide is how many queries, and how many keys, a tile of the score matrix has.
const TileSide = 128

// tileSide is that of a text that may be shorter.
func (l Layer) tileSide() int64 { return min(l.Context, TileSide) }

// TileBytes are those that take the place of the score matrix where it is computed tile by
// tile: one tile of each head, and for each query of each head the maximum and the sum so
// far.
func (l Layer) TileBytes() int64 {
	side := l.tileSide()
	return l.bytes(l.Heads * (side*side + 2*l.Context))
}

// Count is a layer with all that is counted of it. It is what JSON has.
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

// Count counts all of it.
func (l Layer) Count() *Count {
	return &Count{Layer: l, Bytes: float64(l.Bits) / 8,
		Operations: l.Operations(), Growth: l.Growth(), Crossing: l.Crossing(),
		Weights: l.WeightBytes(), Scores: l.ScoreBytes(), Tiles: l.TileBytes(), Cache: l.CacheBytes(), Parts: l.Parts()}
}
