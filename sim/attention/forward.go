package attention

import (
	"fmt"
	"math"

	"mcsim/sim/base/elementary"
)

// Input holds the arguments of Forward.
type Input struct {
	Q Tensor // batches × query heads × queries × d_k
	// K is batches × heads × keys × d_k, and V is batches × heads × keys × d_v. They may have fewer
	// heads than Q (grouped-query attention). Each of their heads is then used by the same number
	// of neighbouring heads of Q.
	K, V  Tensor
	Scale float64 // factor of the scores, usually 1/√d_k
	Mask  Mask
}

// Output holds the results of Forward.
type Output struct {
	Scores  Tensor // QKᵀ without scale and mask: batches × query heads × queries × keys
	Weights Tensor // softmax(QKᵀ·scale + mask), of the same shape
	Allowed []int  // number of keys that each query may attend to, by batch, head and query
	Blend   Tensor // weights times V: batches × query heads × queries × d_v
}

// Forward computes softmax(QKᵀ·scale + mask)V. It returns an error if shapes do not match, a number
// is NaN or infinite, a score exceeds the range of float64, or the mask forbids all keys of a
// query. Sums run from the first index to the last and are rounded at each step, so that every
// machine gives the same bits.
func Forward(input Input) (Output, error) {
	if err := input.check(); err != nil {
		return Output{}, err
	}
	q, keys := input.Q, input.K.Rows
	output := Output{
		Scores:  NewTensor(q.Batches, q.Heads, q.Rows, keys),
		Weights: NewTensor(q.Batches, q.Heads, q.Rows, keys),
		Blend:   NewTensor(q.Batches, q.Heads, q.Rows, input.V.Columns),
		Allowed: make([]int, 0, q.Batches*q.Heads*q.Rows),
	}
	for b := range q.Batches {
		for h := range q.Heads {
			for i := range q.Rows {
				allowed, err := input.computeRow(&output, b, h, i)
				if err != nil {
					return Output{}, err
				}
				output.Allowed = append(output.Allowed, allowed)
			}
		}
	}
	return output, nil
}

// computeRow computes the scores, the weights and the blend of one query, and returns the number of
// keys that the query may attend to.
func (input *Input) computeRow(output *Output, b, h, i int) (allowed int, err error) {
	query, keyHead := input.Q.Row(b, h, i), input.KeyHead(h)
	scores, weights, blend := output.Scores.Row(b, h, i), output.Weights.Row(b, h, i), output.Blend.Row(b, h, i)
	for j := range scores {
		scores[j] = elementary.Dot(query, input.K.Row(b, keyHead, j))
		weights[j] = float64(scores[j] * input.Scale)
		if math.IsNaN(weights[j]) || math.IsInf(weights[j], 0) {
			return 0, fmt.Errorf("attention: the score of query %d and key %d, in batch %d and head %d, is "+
				"beyond float64", i, j, b, h)
		}
	}
	allowed = input.Mask.Apply(weights, b, h, i)
	if allowed == 0 {
		return 0, fmt.Errorf("attention: the mask lets query %d, in batch %d and head %d, see no key", i, b, h)
	}
	Softmax(weights)
	for j, w := range weights {
		if w != 0 {
			addScaled(blend, w, input.V.Row(b, keyHead, j))
		}
	}
	return allowed, nil
}

// Softmax replaces logits by their weights. At least one logit must be finite, and no logit may be
// NaN or +Inf. A logit of -Inf has the weight 0.
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

// KeyHead returns the index of the head of K and V that head h of Q uses.
func (input *Input) KeyHead(h int) int { return h / (input.Q.Heads / input.K.Heads) }

func (input *Input) check() error {
	for _, t := range []struct {
		name string
		Tensor
	}{{"Q", input.Q}, {"K", input.K}, {"V", input.V}} {
		isInfinite := func(x float64) bool { return math.IsInf(x, 0) }
		if err := t.check(t.name, isInfinite); err != nil {
			return err
		}
	}
	q, k, v := input.Q, input.K, input.V
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
	case math.IsNaN(input.Scale) || math.IsInf(input.Scale, 0):
		return fmt.Errorf("attention: the scale is %v; it needs a finite number", input.Scale)
	}
	return input.Mask.check(q.Batches, q.Heads, q.Rows, k.Rows)
}

// addScaled adds c·x to y.
func addScaled(y []float64, c float64, x []float64) {
	for i, a := range x {
		y[i] += float64(c * a)
	}
}
