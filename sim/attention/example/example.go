// Package example computes attention step by step with numbers that a reader can follow by hand.
// [NewExamples] returns the examples of a document of results. Their bits are the same on every
// machine, since all sums are rounded at each step and exponentials come from sim/base/elementary.
//
// The sentence is "blue bird sings". Each component has a meaning, so that a reader can guess the
// weights: the key of a word describes the word, and its query describes the words that it looks
// for.
package example

import (
	"slices"

	"mcsim/sim/attention"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// The three tokens, and the meanings of the components of queries, keys and values.
var (
	tokens          = []string{"blue", "bird", "sings"}
	queryComponents = []string{"thing", "quality", "action", "alive"} // also of keys
	valueComponents = []string{"colour", "animal", "sound"}
)

// scale is 1/√d_k for the four components of a key.
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

// NewExamples computes the worked examples of a document of results: the attention of the three
// tokens without a mask, and the weights with a causal mask.
func NewExamples() []result.Example {
	input := newInput()
	output := forward(input)
	unscaled := newInput()
	unscaled.Scale = 1
	masked := newInput()
	masked.Mask.Causal = true
	return []result.Example{
		{ID: "three-tokens", Steps: []result.Step{
			newStep(names.StepQueries, input.Q, queryComponents),
			newStep(names.StepKeys, input.K, queryComponents),
			newStep(names.StepValues, input.V, valueComponents),
			newStep(names.StepScores, output.Scores, tokens),
			newStep(names.StepUnscaled, forward(unscaled).Weights, tokens),
			newStep(names.StepLogits, multiplyByScale(output.Scores), tokens),
			newStep(names.StepWeights, output.Weights, tokens),
			newStep(names.StepBlend, output.Blend, valueComponents),
		}},
		{ID: "causal", Steps: []result.Step{newStep(names.StepWeights, forward(masked).Weights, tokens)}},
	}
}

// newInput returns the input of attention for the three tokens. Its tensors have copies of the
// numbers.
func newInput() attention.Input {
	tensor := func(data []float64, columns []string) attention.Tensor {
		return attention.NewTensorFrom(slices.Clone(data), 1, 1, len(tokens), len(columns))
	}
	return attention.Input{Q: tensor(queries, queryComponents), K: tensor(keys, queryComponents),
		V: tensor(values, valueComponents), Scale: scale}
}

// forward returns attention.Forward of an input that is known to be valid.
func forward(input attention.Input) attention.Output {
	output, err := attention.Forward(input)
	if err != nil {
		panic("example: " + err.Error())
	}
	return output
}

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
