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
	Context  int64 `json:"context"`  // tokens, n, each of them a query and a key
	Model    int64 `json:"d_model"`  // components of a token, D
	Key      int64 `json:"d_k"`      // components of a query and a key
	Value    int64 `json:"d_v"`      // of a value
	Heads    int64 `json:"heads"`    // of queries, h
	KeyHeads int64 `json:"kv_heads"` // of keys and values, g, which neighbouring heads of queries share
	Bits     int64 `json:"-"`        // of a number as it is stored
	Causal   bool  `json:"causal"`   // a token sees itself and those before it
}

// MaxSize is the largest of each size of a layer, and limit bounds every count of it, so
// that whole numbers of 64 bits hold them all.
const (
	MaxSize  = 1 << 24
	maxCount = 1 << 62
)

// ErrSize says that a layer is too large to be counted exactly.
var ErrSize = errors.New("so large a layer has more than 2^62 operations or bytes, which is beyond exact counts")

// ShapeError says what is wrong with one size of a layer.
type ShapeError struct{ Param, Problem string }

func (e *ShapeError) Error() string { return e.Param + ": " + e.Problem }

// Check says what is wrong with a layer.
func (l Layer) Check() error {
	for _, s := range []struct {
		name string
		n    int64
	}{
		{names.ParamContext, l.Context}, {names.ParamModel, l.Model}, {names.ParamDimension, l.Key},
		{names.ParamValueDimension, l.Value}, {names.ParamHeads, l.Heads}, {names.ParamKeyHeads, l.KeyHeads},
	} {
		if s.n < 1 || s.n > MaxSize {
			return &ShapeError{s.name, fmt.Sprintf("%d is not in 1..%d", s.n, MaxSize)}
		}
	}
	if l.Bits < 1 || l.Bits > 8*MaxSize {
		return &ShapeError{names.ParamNumberBytes, fmt.Sprintf("%v is not in 0.125..%d", float64(l.Bits)/8, MaxSize)}
	}
	if l.Heads%l.KeyHeads != 0 {
		return &ShapeError{names.ParamKeyHeads,
			fmt.Sprintf("%d heads of queries cannot share %d of keys evenly", l.Heads, l.KeyHeads)}
	}
	if l.roughOperations() > maxCount || l.roughBytes() > maxCount {
		return ErrSize
	}
	return nil
}

// roughOperations returns those of the whole layer in float64, which does not overflow.
func (l Layer) roughOperations() float64 {
	heads, width := float64(l.Heads), float64(l.Key)+float64(l.Value)
	projections := float64(2 * float64(l.Context) * float64(l.Model) * (heads + float64(l.KeyHeads)) * width)
	return projections + float64(heads*float64(l.Pairs())*(float64(2*width)+scaleOperations+softmaxOperations))
}

// roughBytes returns the largest of its counts of bytes, likewise.
func (l Layer) roughBytes() float64 {
	n, model, heads, keyHeads := float64(l.Context), float64(l.Model), float64(l.Heads), float64(l.KeyHeads)
	width, side := float64(l.Key)+float64(l.Value), float64(l.tileSide())
	return float64(l.Bits) / 8 * max(model*(heads+keyHeads)*width, // weights
		heads*n*n, heads*(float64(side*side)+float64(2*n)), keyHeads*n*width, // scores, tiles of them, keys and values
		n*model, n*heads*float64(max(l.Key, l.Value))) // what projections and the blend make
}

// Doubled returns the layer with twice the tokens.
func (l Layer) Doubled() Layer {
	l.Context *= 2
	return l
}

// Pairs returns the number of pairs of a query and a key that it sees, in one head.
func (l Layer) Pairs() int64 {
	if l.Causal {
		return l.Context * (l.Context + 1) / 2
	}
	return l.Context * l.Context
}

// Crossing returns the least number of tokens with which scores and blend together take at
// least as many operations as the projections do. These are equal if a query has
// D(1 + g/h) pairs on average: of n tokens it has n, and with a causal mask (n + 1)/2.
func (l Layer) Crossing() int64 {
	pairs := l.Model * (l.Heads + l.KeyHeads) // h times as many
	if l.Causal {
		return divideUp(2*pairs, l.Heads) - 1
	}
	return divideUp(pairs, l.Heads)
}

// divideUp returns a/b, rounded up.
func divideUp(a, b int64) int64 { return (a + b - 1) / b }
