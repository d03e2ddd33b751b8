package example

import (
	"math"

	"mcsim/sim/attention"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// jacobianOf is the Jacobian of the weights of the first token by its logits, which are
// multiplied by a factor beforehand.
func jacobianOf(id string, factor float64) result.Example {
	logits := scaled(dogLogits(), factor)
	weights := append([]float64(nil), logits...)
	attention.Softmax(weights)
	var entries, sums []float64
	for i, a := range weights {
		sum := 0.0
		for j, b := range weights {
			x := float64(-a * b)
			if i == j {
				x = float64(a * rest(weights, i))
			}
			entries = append(entries, x)
			sum += x
		}
		sums = append(sums, sum)
	}
	row := tokens[:1]
	return of(id,
		matrix(names.StepLogits, logits, row, tokens),
		matrix(names.StepWeights, weights, row, tokens),
		matrix("jacobian", entries, tokens, tokens),
		matrix("row_sums", sums, tokens, []string{names.StepSum}),
		measures(attention.Of(weights, 1, 1, 1, len(weights)), []int{len(weights)}, row))
}

// rest is 1 − α_i, as the sum of all other weights: near saturation the difference would
// have lost its digits.
func rest(weights []float64, i int) (sum float64) {
	for j, w := range weights {
		if j != i {
			sum += w
		}
	}
	return sum
}

// descent is the gradient of the first component of the first token's blend by its logits
// and by its query, where queries are multiplied by inside and scores by scale; and by how
// much the logits change if the query moves against its gradient, as far as that is long,
// or by one in each component.
func descent(id string, scale, inside float64) result.Example {
	in := input(1, scale)
	in.Q.Data = scaled(queries, inside)
	out := forward(in)
	loss := attention.NewTensor(1, 1, len(tokens), dv)
	loss.Data[0] = 1
	g := attention.Backward(in, out, loss)
	byQuery := g.Q.Row(0, 0, 0)
	signs := make([]float64, dk)
	for c, x := range byQuery {
		signs[c] = math.Copysign(1, x)
	}
	row := tokens[:1]
	return of(id,
		matrix(names.StepQueries, in.Q.Row(0, 0, 0), row, components),
		matrix(names.StepLogits, scaled(out.Scores.Row(0, 0, 0), scale), row, tokens),
		matrix(names.StepWeights, out.Weights.Row(0, 0, 0), row, tokens),
		matrix("logit_gradient", g.Scores.Row(0, 0, 0), row, tokens),
		matrix("query_gradient", byQuery, row, components),
		matrix("logit_change_by_gradient", change(byQuery, scale), row, tokens),
		matrix("logit_change_by_sign", change(signs, scale), row, tokens))
}

// change is that of the logits if the query moves by the opposite of a vector.
func change(by []float64, scale float64) []float64 {
	logits := make([]float64, len(tokens))
	for j := range logits {
		for c, x := range by {
			logits[j] -= float64(x * keys[j*dk+c])
		}
		logits[j] = float64(logits[j] * scale)
	}
	return logits
}
