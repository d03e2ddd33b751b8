package attention

import (
	"fmt"
	"math"

	"mcsim/sim/base/elementary"
)

// Input is what attention is computed of.
type Input struct {
	Q Tensor // batches × query heads × queries × d_k
	// K and V have the keys and values: batches × heads × keys × d_k, and × d_v. With
	// fewer heads than Q (grouped queries; one head: multi-query) each is shared by as
	// many neighbouring heads of Q.
	K, V  Tensor
	Scale float64 // by which scores are multiplied: 1/√d_k
	Mask  Mask
}

// Output is what Forward makes.
type Output struct {
	Scores  Tensor // QKᵀ, neither scaled nor masked: batches × query heads × queries × keys
	Weights Tensor // softmax(QKᵀ·scale + mask), of the same shape
	Allowed []int  // keys that a query may see, by batch, head and query
	Blend   Tensor // the weights times V: batches × query heads × queries × d_v
}

// Forward computes softmax(QKᵀ·scale + mask)V. Shapes that do not go together, numbers
// that are none, scores beyond float64 and a query that may see no key are errors. Sums
// run from the first index to the last and are rounded at each step, so that every
// machine gives the same bits.
func Forward(in Input) (Output, error) {
	if err := in.check(); err != nil {
		return Output{}, err
	}
	q, keys := in.Q, in.K.Rows
	out := Output{
		Scores:  NewTensor(q.Batches, q.Heads, q.Rows, keys),
		Weights: NewTensor(q.Batches, q.Heads, q.Rows, keys),
		Blend:   NewTensor(q.Batches, q.Heads, q.Rows, in.V.Columns),
		Allowed: make([]int, 0, q.Batches*q.Heads*q.Rows),
	}
	for b := range q.Batches {
		for h := range q.Heads {
			for i := range q.Rows {
				allowed, err := in.computeRow(&out, b, h, i)
				if err != nil {
					return Output{}, err
				}
				out.Allowed = append(out.Allowed, allowed)
			}
		}
	}
	return out, nil
}

// computeRow computes the scores, the weights and the blend of one query.
func (in *Input) computeRow(out *Output, b, h, i int) (allowed int, err error) {
	query, keyHead := in.Q.Row(b, h, i), in.KeyHead(h)
	scores, weights, blend := out.Scores.Row(b, h, i), out.Weights.Row(b, h, i), out.Blend.Row(b, h, i)
	for j := range scores {
		scores[j] = elementary.Dot(query, in.K.Row(b, keyHead, j))
		weights[j] = float64(scores[j] * in.Scale)
		if math.IsNaN(weights[j]) || math.IsInf(weights[j], 0) {
			return 0, fmt.Errorf("attention: the score of query %d and key %d, in batch %d and head %d, is "+
				"beyond float64", i, j, b, h)
		}
	}
	if allowed = in.Mask.Apply(weights, b, h, i); allowed == 0 {
		return 0, fmt.Errorf("attention: the mask lets query %d, in batch %d and head %d, see no key", i, b, h)
	}
	Softmax(weights)
	for j, w := range weights {
		if w != 0 {
			addScaled(blend, w, in.V.Row(b, keyHead, j))
		}
	}
	return allowed, nil
}

// Softmax turns logits into weights in their place. One of them must be finite, and none
// NaN or +Inf; one of -Inf has the weight 0.
func Softmax(logits []float64) {
	largest := Forbidden
	for _, x := range logits {
		largest = max(largest, x)
	}
	sum := 0.0
	for j, x := range logits {
		logits[j] = elementary.Exp(x - largest)
		sum += logits[j]
	}
	for j := range logits {
		logits[j] /= sum
	}
}

// KeyHead is the head of the keys and values that a head of the queries sees.
func (in *Input) KeyHead(h int) int { return h / (in.Q.Heads / in.K.Heads) }

// check says what is wrong with the input.
func (in *Input) check() error {
	for _, t := range []struct {
		name string
		Tensor
	}{{"Q", in.Q}, {"K", in.K}, {"V", in.V}} {
		if err := t.check(t.name, func(x float64) bool { return math.IsInf(x, 0) }); err != nil {
			return err
		}
	}
	q, k, v := in.Q, in.K, in.V
	switch {
	case k.Columns != q.Columns:
		return fmt.Errorf("attention: a query has %d components and a key %d; both need d_k", q.Columns, k.Columns)
	case v.Rows != k.Rows:
		return fmt.Errorf("attention: there are %d keys and %d values; each key needs one", k.Rows, v.Rows)
	case k.Batches != q.Batches || v.Batches != q.Batches:
		return fmt.Errorf("attention: Q, K and V have %d, %d and %d batches; they need the same number", q.Batches,
			k.Batches, v.Batches)
	case v.Heads != k.Heads:
		return fmt.Errorf("attention: K has %d heads and V %d; they need the same number", k.Heads, v.Heads)
	case q.Heads%k.Heads != 0:
		return fmt.Errorf("attention: %d heads of queries cannot share %d heads of keys evenly", q.Heads, k.Heads)
	case math.IsNaN(in.Scale) || math.IsInf(in.Scale, 0):
		return fmt.Errorf("attention: the scale is %v; it needs a finite number", in.Scale)
	}
	return in.Mask.check(q.Batches, q.Heads, q.Rows, k.Rows)
}

// addScaled adds c times x to y.
func addScaled(y []float64, c float64, x []float64) {
	for i, a := range x {
		y[i] += float64(c * a)
	}
}
