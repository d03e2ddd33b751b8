// Package example computes attention step by step with numbers that a reader can follow
// by hand, and recomputes the numbers that texts about attention print. [All] gives the
// examples of a document: the same numbers, to the bit, on every machine and for every
// plan, since all sums are rounded at each step and exponentials come from sim/elementary.
//
// The tokens, their logits and their values are those of [names.SourceSeries]. It prints no queries
// and keys; those of tokens.go are this program's own, chosen so that QKᵀ/√4 is exactly
// what the source prints.
package example

import (
	"mcsim/sim/attention"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// All computes the worked examples of a document.
func All() []result.Example {
	examples := []result.Example{
		threeTokens(), oneRow(), scaledTwice(), printedWeights(),
		rowBlend("one-hot", oneHot), rowBlend("uniform", equal),
		jacobianOf("gradient", 1), jacobianOf("gradient-of-tenfold-scores", 10),
		shifted(), commonMean(), causal(), head("head-1", 0), head("head-2", 1),
		descent("scale-outside", outside, 1), descent("scale-inside", 1, outside),
	}
	for _, r := range printedRows {
		examples = append(examples, r.example())
	}
	return examples
}

// of is an example.
func of(id string, steps ...result.Step) result.Example {
	return result.Example{ID: id, Steps: steps}
}

// matrix is a step of numbers that lie row by row.
func matrix(name string, data []float64, rows, columns []string) result.Step {
	value := names.Each(data, func(x float64) result.Number { return result.Number(x) })
	return result.Step{Name: name, Shape: []int{len(rows), len(columns)}, Rows: rows, Columns: columns, Value: value}
}

// scaled are numbers times a factor.
func scaled(data []float64, by float64) []float64 {
	return names.Each(data, func(x float64) float64 { return x * by })
}

// forward is attention of inputs that are known to go together.
func forward(in attention.Input) attention.Output {
	out, err := attention.Forward(in)
	if err != nil {
		panic("example: " + err.Error())
	}
	return out
}

// measures are how sharp each row of weights is.
func measures(weights attention.Tensor, allowed []int, rows []string) result.Step {
	var data []float64
	for i := range weights.Rows {
		m := attention.Measure(weights.Row(0, 0, i), allowed[i])
		data = append(data, m.MaxWeight, m.Entropy, m.EntropyRatio, m.Survival)
	}
	return matrix("measures", data, rows, []string{names.MaxWeight, names.Entropy, names.EntropyRatio, names.GradientSurvival})
}
