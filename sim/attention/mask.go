package attention

import (
	"fmt"
	"math"
)

// Forbidden is the number in a mask for a query that must not attend to a key.
var Forbidden = math.Inf(-1)

// Mask is added to the scaled scores before softmax. The zero Mask adds nothing.
type Mask struct {
	// Causal forbids later keys: query i attends to keys 0 to i, even if there are more keys than
	// queries, as in PyTorch.
	Causal bool
	// Bias has a number for each pair of a query and a key: Forbidden, or a bias, such as one that
	// depends on the distance. It has a row for each query and a column for each key. A single
	// batch or head is used for all batches or heads. Without data nothing is added.
	Bias Tensor
}

// check returns an error if the mask does not fit the given sizes.
func (m Mask) check(batches, heads, queries, keys int) error {
	if m.Bias.Data == nil {
		return nil
	}
	b := m.Bias
	fitsBatches := b.Batches == 1 || b.Batches == batches
	fitsHeads := b.Heads == 1 || b.Heads == heads
	if !fitsBatches || !fitsHeads || b.Rows != queries || b.Columns != keys {
		return fmt.Errorf("attention: the mask has the shape %s; it needs %d × %d × %d × %d, or 1 for batches "+
			"and heads that share it", b.Shape(), batches, heads, queries, keys)
	}
	isPlusInfinite := func(x float64) bool { return math.IsInf(x, 1) }
	if err := b.check("the mask", isPlusInfinite); err != nil {
		return fmt.Errorf("%w; it may have finite numbers and -Inf", err)
	}
	return nil
}

// Apply adds the mask to the scaled scores of query i of head h in batch b, and returns the number
// of keys that remain allowed.
func (m Mask) Apply(logits []float64, b, h, i int) (allowed int) {
	if m.Bias.Data != nil {
		for j, x := range m.Bias.Row(b%m.Bias.Batches, h%m.Bias.Heads, i) {
			logits[j] += x
		}
	}
	for j := range logits {
		if m.Causal && j > i {
			logits[j] = Forbidden
		}
		if logits[j] != Forbidden {
			allowed++
		}
	}
	return allowed
}
