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
	tokens          = []string{"blue", "bird", "sings"}
	queryComponents = []string{"thing", "quality", "action", "alive"}
	valueComponents = []string{"colour", "animal", "sound"}
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

// NewExamples computes the worked examples of a document: attention of the three tokens, and the same
// if each token sees only itself and those before it.
func NewExamples() []result.Example {
	in := newInput()
	out := forward(in)
	unscaled := newInput()
	unscaled.Scale = 1
	masked := newInput()
	masked.Mask.Causal = true
	return []result.Example{
		{ID: "three-tokens", Steps: []result.Step{
			newStep(names.StepQueries, in.Q, queryComponents),
			newStep(names.StepKeys, in.K, queryComponents),
			newStep(names.StepValues, in.V, valueComponents),
			newStep(names.StepScores, out.Scores, tokens),
			newStep(names.StepUnscaled, forward(unscaled).Weights, tokens),
			newStep(names.StepLogits, multiplyByScale(out.Scores), tokens),
			newStep(names.StepWeights, out.Weights, tokens),
			newStep(names.StepBlend, out.Blend, valueComponents),
		}},
		{ID: "causal", Steps: []result.Step{newStep(names.StepWeights, forward(masked).Weights, tokens)}},
	}
}

// newInput returns attention of the three tokens.
func newInput() attention.Input {
	tensor := func(data []float64, columns []string) attention.Tensor {
		return attention.NewTensorFrom(slices.Clone(data), 1, 1, len(tokens), len(columns))
	}
	return attention.Input{Q: tensor(queries, queryComponents), K: tensor(keys, queryComponents), V: tensor(values, valueComponents), Scale: scale}
}

// forward returns attention of inputs that are known to go together.
func forward(in attention.Input) attention.Output {
	out, err := attention.Forward(in)
	if err != nil {
		panic("example: " + err.Error())
	}
	return out
}

// multiplyByScale returns scores times their scale.
func multiplyByScale(scores attention.Tensor) attention.Tensor {
	scores.Data = names.Map(scores.Data, func(s float64) float64 { return s * scale })
	return scores
}

// newStep returns a step with a row for each token.
func newStep(name string, tensor attention.Tensor, columns []string) result.Step {
	value := names.Map(tensor.Data, func(x float64) result.Number { return result.Number(x) })
	return result.Step{Name: name, Shape: []int{len(tokens), len(columns)}, Rows: tokens, Columns: columns,
		Value: value}
}
