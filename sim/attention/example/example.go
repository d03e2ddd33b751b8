// Package example computes attention step by step with numbers that a reader can follow
// by hand. [All] gives the examples of a document: the same numbers, to the bit, on every
// machine and for every plan, since all sums are rounded at each step and exponentials come
// from sim/base/elementary.
//
// The sentence is "blue bird sings". Components have a meaning, so that a weight can be guessed:
// a key says what its word is, and a query what its word looks for.
package example

import (
	"slices"

	"mcsim/sim/attention"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// The three tokens, what the components of queries and keys stand for, and those of values.
var (
	tokens = []string{"blue", "bird", "sings"}
	parts  = []string{"thing", "quality", "action", "alive"}
	holds  = []string{"colour", "animal", "sound"}
)

// scale is 1/√d_k.
const scale = 0.5

var (
	queries = []float64{
		2, 0, 0, 0,
		0, 2, 1, 0,
		1, 0, 0, 2,
	}
	keys = []float64{
		0, 2, 0, 0,
		2, 0, 0, 1,
		0, 0, 2, 1,
	}
	values = []float64{
		1, 0, 0,
		0, 1, 0.5,
		0, 0.5, 1,
	}
)

// All computes the worked examples of a document: attention of the three tokens, and the same
// if each token sees only itself and those before it.
func All() []result.Example {
	in := input()
	out := forward(in)
	unscaled := input()
	unscaled.Scale = 1
	masked := input()
	masked.Mask.Causal = true
	return []result.Example{
		{ID: "three-tokens", Steps: []result.Step{
			matrix(names.StepQueries, in.Q, parts),
			matrix(names.StepKeys, in.K, parts),
			matrix(names.StepValues, in.V, holds),
			matrix(names.StepScores, out.Scores, tokens),
			matrix(names.StepUnscaled, forward(unscaled).Weights, tokens),
			matrix(names.StepLogits, scaled(out.Scores), tokens),
			matrix(names.StepWeights, out.Weights, tokens),
			matrix(names.StepBlend, out.Blend, holds),
		}},
		{ID: "causal", Steps: []result.Step{matrix(names.StepWeights, forward(masked).Weights, tokens)}},
	}
}

// input returns attention of the three tokens.
func input() attention.Input {
	tensor := func(data []float64, columns []string) attention.Tensor {
		return attention.Of(slices.Clone(data), 1, 1, len(tokens), len(columns))
	}
	return attention.Input{Q: tensor(queries, parts), K: tensor(keys, parts), V: tensor(values, holds), Scale: scale}
}

// forward returns attention of inputs that are known to go together.
func forward(in attention.Input) attention.Output {
	out, err := attention.Forward(in)
	if err != nil {
		panic("example: " + err.Error())
	}
	return out
}

// scaled returns scores times their scale.
func scaled(scores attention.Tensor) attention.Tensor {
	scores.Data = names.Map(scores.Data, func(s float64) float64 { return s * scale })
	return scores
}

// matrix returns a step with a row for each token.
func matrix(name string, tensor attention.Tensor, columns []string) result.Step {
	value := names.Map(tensor.Data, func(x float64) result.Number { return result.Number(x) })
	return result.Step{Name: name, Shape: []int{len(tokens), len(columns)}, Rows: tokens, Columns: columns,
		Value: value}
}
