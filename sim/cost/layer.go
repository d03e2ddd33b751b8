// Package cost counts what one layer of attention costs: floating-point operations of its
// forward pass, and bytes. Nothing is measured here; every count is a formula of the
// layer's shape, exact as the conventions below have it.
//
// A multiplication with the addition that follows it is two operations, so that a sum of m
// products is 2m, the first being added to 0. A comparison, a subtraction, an exponential
// and a division are one each. Biases, norms and positions are not counted. A mask takes
// no operations: what it forbids is not computed.
package cost

import (
	"errors"
	"fmt"

	"mcsim/sim/names"
)

// Layer is the shape of one layer of attention, and the text that it is given.
type Layer struct {
	Context  int64 // tokens, n, each of them a query and a key
	Model    int64 // components of a token, D
	Key      int64 // components of a query and a key, d_k
	Value    int64 // of a value, d_v
	Heads    int64 // of queries, h
	KeyHeads int64 // of keys and values, g, which neighbouring heads of queries share
	Bytes    int64 // of a number as it is stored
	Causal   bool  // a token sees itself and those before it
}

// Most is the largest of each size of a layer, and limit what no count of it may reach, so
// that whole numbers of 64 bits hold them all.
const (
	Most  = 1 << 24
	limit = 1 << 62
)

// ErrSize says that a layer is too large to be counted exactly.
var ErrSize = errors.New("so large a layer has more than 2^62 operations or bytes, which is beyond exact counts")

// Check says what is wrong with a layer, naming what a flag or a column calls it.
func (l Layer) Check() error {
	for _, s := range []struct {
		name string
		n    int64
	}{{names.ParamContext, l.Context}, {names.ParamModel, l.Model}, {names.ParamDimension, l.Key}, {names.ParamValueDimension, l.Value},
		{names.ParamHeads, l.Heads}, {names.ParamKeyHeads, l.KeyHeads}, {names.ParamNumberBytes, l.Bytes}} {
		if s.n < 1 || s.n > Most {
			return fmt.Errorf("%s: %d is not in 1..%d", s.name, s.n, Most)
		}
	}
	if l.Heads%l.KeyHeads != 0 {
		return fmt.Errorf("%s: %d heads of queries cannot share %d of keys evenly", names.ParamKeyHeads, l.Heads, l.KeyHeads)
	}
	if d := l.Doubled(); d.roughOperations() > limit || d.roughBytes() > limit {
		return ErrSize
	}
	return nil
}

// roughOperations are those of the whole layer without a mask, in float64, which does not
// overflow.
func (l Layer) roughOperations() float64 {
	n, heads, width := float64(l.Context), float64(l.Heads), float64(l.Key)+float64(l.Value)
	return 2*n*float64(l.Model)*(heads+float64(l.KeyHeads))*width + heads*n*n*(2*width+scaleOperations+softmaxOperations)
}

// roughBytes are more than those of all that is stored, likewise.
func (l Layer) roughBytes() float64 {
	n, width := float64(l.Context), float64(l.Heads)*(float64(l.Key)+float64(l.Value))
	return float64(l.Bytes) * ((float64(l.Model)+2*n)*2*width + n*float64(l.Model) + float64(l.Heads)*n*(n+2))
}

// Doubled is the layer with twice the tokens.
func (l Layer) Doubled() Layer {
	l.Context *= 2
	return l
}

// Pairs are the pairs of a query and a key that it sees, in one head.
func (l Layer) Pairs() int64 {
	if l.Causal {
		return l.Context * (l.Context + 1) / 2
	}
	return l.Context * l.Context
}

// Crossing is how many tokens a text has at which scores and blend together take as many
// operations as the projections do, D(1 + g/h); it need not be a whole number.
func (l Layer) Crossing() float64 {
	pairs := float64(l.Model) * (1 + float64(l.KeyHeads)/float64(l.Heads)) // that a query then has
	if l.Causal {
		return 2*pairs - 1 // of n tokens it has (n+1)/2 on average
	}
	return pairs
}
