package example

import (
	"math"

	"mcsim/sim/attention"
	"mcsim/sim/elementary"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// The three tokens, the components of queries and keys, and those of values.
var (
	tokens     = []string{"dog", "bites", "man"}
	components = []string{"1", "2", "3", "4"}
)

// dk is the number of components of a query or a key, dv of a value.
const dk, dv = 4, 4

// outside is what scores are multiplied by: 1/√d_k.
const outside = 0.5

// queries and keys give QKᵀ/√4 = printedLogits in decimal arithmetic.
var (
	queries = []float64{
		1.5, 0.5, 1.5, 0.5,
		1.5, 1, 0.5, 0.5,
		0.5, -1.5, -0.5, 0.5,
	}
	keys = []float64{
		0.5, 0.2, 1, 0.3,
		0.68, 0.96, -0.1, 0.5,
		0.2, -1.24, -0.22, 0.5,
	}
	values = []float64{
		0.9, 0.1, -0.3, 0.5,
		0.2, 0.8, 0.1, -0.4,
		0.4, -0.2, 0.7, 0.3,
	}
)

// What the source prints: the logits, their weights, and the blend of the first token.
var (
	printedLogits  = []string{"1.25", "0.80", "-0.20", "0.80", "1.09", "-0.40", "-0.20", "-0.40", "1.16"}
	printedAlpha   = []string{"0.44", "0.35", "0.21", "0.38", "0.41", "0.21", "0.19", "0.15", "0.66"}
	printedOutcome = []string{"0.550", "0.282", "0.050", "0.143"}
)

// input is attention of the three tokens, in so many heads side by side.
func input(heads int, scale float64) attention.Input {
	of := func(data []float64, columns int) attention.Tensor { // a row has the components of head 0, then those of head 1
		t := attention.NewTensor(1, heads, len(tokens), columns/heads)
		for h := range heads {
			for i := range tokens {
				copy(t.Row(0, h, i), data[i*columns+h*t.Columns:])
			}
		}
		return t
	}
	return attention.Input{Q: of(queries, dk), K: of(keys, dk), V: of(values, dv), Scale: scale}
}

// threeTokens takes the source's logits all the way to the blend.
func threeTokens() result.Example {
	in := input(1, outside)
	out := forward(in)
	given := matrix(names.StepValues, values, tokens, components)
	given.Source = names.SourceSeries
	logits := scaled(out.Scores.Data, outside)
	return of("three-tokens",
		matrix(names.StepQueries, queries, tokens, components),
		matrix(names.StepKeys, keys, tokens, components),
		given,
		matrix(names.StepScores, out.Scores.Data, tokens, tokens),
		against(matrix(names.StepLogits, logits, tokens, tokens), names.SourceSeries, printedLogits, nil),
		against(matrix(names.StepWeights, out.Weights.Data, tokens, tokens), names.SourceSeries, printedAlpha, weightBounds(printedLogits)),
		against(matrix(names.StepBlend, out.Blend.Data, tokens, components), names.SourceSeries, onlyFirst(printedOutcome), blendBounds(printedLogits[:len(tokens)])),
		measures(out.Weights, out.Allowed, tokens))
}

// onlyFirst are the printed numbers of the first token, of a matrix with a row for each.
func onlyFirst(row []string) []string {
	return append(row[:len(row):len(row)], make([]string, (len(tokens)-1)*len(row))...)
}

// dogLogits are the logits of the first token.
func dogLogits() []float64 {
	return scaled(forward(input(1, outside)).Scores.Row(0, 0, 0), outside)
}

// oneRow shows softmax of the first token's logits: exponentials, their sum, weights.
func oneRow() result.Example {
	logits := dogLogits()
	exponentials, sum := make([]float64, len(logits)), 0.0
	for j, s := range logits {
		exponentials[j] = elementary.Exp(s)
		sum += exponentials[j]
	}
	weights := names.Each(exponentials, func(e float64) float64 { return e / sum })
	row := tokens[:1]
	return of("one-row",
		matrix(names.StepLogits, logits, row, tokens),
		matrix("exponentials", exponentials, row, tokens),
		matrix(names.StepSum, []float64{sum}, row, []string{names.StepSum}),
		matrix(names.StepWeights, weights, row, tokens))
}

// scaledTwice divides the scores by √d_k again, and holds the printed weights against that.
func scaledTwice() result.Example {
	out := forward(input(1, outside*outside))
	return of("scaled-twice",
		matrix(names.StepLogits, scaled(out.Scores.Data, outside*outside), tokens, tokens),
		against(matrix(names.StepWeights, out.Weights.Data, tokens, tokens), names.SourceSeries, printedAlpha, nil))
}

// printedWeights blends the values by the weights that are printed for the first token.
func printedWeights() result.Example {
	weights := make([]float64, len(tokens))
	for j := range weights {
		weights[j], _ = read(printedAlpha[j])
	}
	given := matrix(names.StepWeights, weights, tokens[:1], tokens)
	given.Source = names.SourceSeries
	return of("printed-weights", given,
		against(matrix(names.StepBlend, blend(weights), tokens[:1], components), names.SourceSeries, printedOutcome, nil))
}

// blend is the sum of the values, each times its weight.
func blend(weights []float64) []float64 {
	out := make([]float64, dv)
	for j, w := range weights {
		for c := range out {
			out[c] += float64(w * values[j*dv+c])
		}
	}
	return out
}

// The logits of a row of which one key has all the weight, since e^(−1000) is 0 in
// float64, and of one of equal weights.
var (
	oneHot = []float64{0, 1000, 0}
	equal  = []float64{0, 0, 0}
)

// rowBlend blends the values by the weights of one row of logits.
func rowBlend(id string, logits []float64) result.Example {
	weights := append([]float64(nil), logits...)
	attention.Softmax(weights)
	row := []string{"row"}
	return of(id,
		matrix(names.StepLogits, logits, row, tokens),
		matrix(names.StepWeights, weights, row, tokens),
		matrix(names.StepBlend, blend(weights), row, components))
}

// shift is what shifted adds to each logit, and commonMean to each component of a key.
const shift, common = 5.0, 1.0

// shifted adds the same to all logits of the first token.
func shifted() result.Example {
	logits := dogLogits()
	for j := range logits {
		logits[j] += shift
	}
	weights := append([]float64(nil), logits...)
	attention.Softmax(weights)
	return of("shifted", matrix(names.StepLogits, logits, tokens[:1], tokens), matrix(names.StepWeights, weights, tokens[:1], tokens))
}

// commonMean adds one vector to all keys.
func commonMean() result.Example {
	moved := names.Each(keys, func(k float64) float64 { return k + common })
	in := input(1, outside)
	in.K.Data = moved
	out := forward(in)
	return of("common-mean",
		matrix(names.StepKeys, moved, tokens, components),
		matrix(names.StepLogits, scaled(out.Scores.Data, outside), tokens, tokens),
		matrix(names.StepWeights, out.Weights.Data, tokens, tokens))
}

// causal lets each token see itself and those before it.
func causal() result.Example {
	in := input(1, outside)
	in.Mask.Causal = true
	out := forward(in)
	return of("causal",
		matrix(names.StepWeights, out.Weights.Data, tokens, tokens),
		matrix(names.StepBlend, out.Blend.Data, tokens, components),
		measures(out.Weights, out.Allowed, tokens))
}

// heads is into how many heads the components are divided.
const heads = 2

// head is one of two heads, which divides by the root of its own number of components.
func head(id string, h int) result.Example {
	in := input(heads, 1/math.Sqrt(dk/heads))
	out := forward(in)
	one := func(name string, t attention.Tensor, columns []string) result.Step {
		size := t.Rows * t.Columns
		return matrix(name, t.Data[h*size:(h+1)*size], tokens, columns)
	}
	part := components[h*dk/heads : (h+1)*dk/heads]
	logits := one(names.StepLogits, out.Scores, tokens)
	for i := range logits.Value {
		logits.Value[i] *= result.Number(in.Scale)
	}
	return of(id,
		one(names.StepQueries, in.Q, part), one(names.StepKeys, in.K, part), one(names.StepValues, in.V, part),
		one(names.StepScores, out.Scores, tokens), logits,
		one(names.StepWeights, out.Weights, tokens), one(names.StepBlend, out.Blend, part))
}
