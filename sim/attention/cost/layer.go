// Package cost counts the floating-point operations and the bytes of the forward pass of one
// attention layer. Nothing is measured: every count is a formula of the layer's shape, and exact by
// these conventions.
//
// A multiplication and the addition of its product are two operations, so that a sum of m products
// has 2m operations; the first product is added to 0. A comparison, a subtraction, an exponential
// and a division are one operation each. Biases, norms and positions are not counted. A mask has no
// operations: scores that it forbids are not computed.
package cost

import (
	"errors"
	"fmt"

	"mcsim/sim/names"
)

// Layer is the shape of one attention layer together with the number of tokens.
type Layer struct {
	Context  int64 `json:"context"`  // number of tokens n; each is a query and a key
	Model    int64 `json:"d_model"`  // components D of a token
	Key      int64 `json:"d_k"`      // components of a query and of a key
	Value    int64 `json:"d_v"`      // components of a value
	Heads    int64 `json:"heads"`    // number h of query heads
	KeyHeads int64 `json:"kv_heads"` // number g of heads of keys and values, shared by neighbouring query heads
	Bits     int64 `json:"-"`        // bits of a stored number
	Causal   bool  `json:"causal"`   // tokens attend only to themselves and to earlier tokens
}

// MaxSize is the largest value of each size in a Layer, such as the number of tokens or heads.
// maxCount is the largest count of operations or bytes; counts fit in 64 bits.
const (
	MaxSize  = 1 << 24
	maxCount = 1 << 62
)

// ErrSize is returned for a layer that is too large to be counted exactly.
var ErrSize = errors.New("so large a layer has more than 2^62 operations or bytes, which is beyond exact counts")

// ShapeError is an error about one size of a layer.
type ShapeError struct{ Param, Problem string }

func (e *ShapeError) Error() string { return e.Param + ": " + e.Problem }

// Check returns a ShapeError if a size is not valid, and ErrSize if a count would exceed 2^62.
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
	if l.approximateOperations() > maxCount || l.approximateBytes() > maxCount {
		return ErrSize
	}
	return nil
}

// approximateOperations returns the operations of the whole layer in float64, which does not
// overflow.
func (l Layer) approximateOperations() float64 {
	heads, width := float64(l.Heads), float64(l.Key)+float64(l.Value)
	projections := float64(2 * float64(l.Context) * float64(l.Model) * (heads + float64(l.KeyHeads)) * width)
	return projections + float64(heads*float64(l.Pairs())*(float64(2*width)+scaleOperations+softmaxOperations))
}

// approximateBytes returns the largest count of bytes in float64, which does not overflow.
func (l Layer) approximateBytes() float64 {
	n, model, heads, keyHeads := float64(l.Context), float64(l.Model), float64(l.Heads), float64(l.KeyHeads)
	width, side := float64(l.Key)+float64(l.Value), float64(l.tileSide())
	return float64(l.Bits) / 8 * max(
		model*(heads+keyHeads)*width,                  // weights
		heads*n*n,                                     // scores
		heads*(float64(side*side)+float64(2*n)),       // tiles of scores; maximum and sum of each row
		keyHeads*n*width,                              // keys and values
		n*model, n*heads*float64(max(l.Key, l.Value)), // outputs of projections and of the blend
	)
}

// Doubled returns the layer for twice as many tokens.
func (l Layer) Doubled() Layer {
	l.Context *= 2
	return l
}

// Pairs returns the number of scores of one head: pairs of a query and a key to which it attends.
func (l Layer) Pairs() int64 {
	if l.Causal {
		return l.Context * (l.Context + 1) / 2
	}
	return l.Context * l.Context
}

// Crossing returns the smallest number n of tokens for which scores and blend together have at
// least as many operations as the projections. The numbers of operations are equal if a query
// attends on average to D(1 + g/h) keys. It attends to n keys, or to (n + 1)/2 on average with a
// causal mask.
func (l Layer) Crossing() int64 {
	numerator := l.Model * (l.Heads + l.KeyHeads) // D(h + g)
	if l.Causal {
		return divideUp(2*numerator, l.Heads) - 1
	}
	return divideUp(numerator, l.Heads)
}

// divideUp returns a/b, rounded up.
func divideUp(a, b int64) int64 { return (a + b - 1) / b }
