package attention

import (
	"math"
	"slices"

	"mcsim/sim/elementary"
)

// Softmax returns the weights exp(s_i)/Σ exp(s_j) of scores, by exp(s − max s),
// which cannot overflow.
func Softmax(scores []float64) []float64 {
	weights, most, sum := make([]float64, len(scores)), slices.Max(scores), 0.0
	for i, s := range scores {
		weights[i] = elementary.Exp(s - most)
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
	return weights
}

// Entropy is −Σα ln α of weights, in nats; a weight of 0 adds nothing.
func Entropy(weights []float64) float64 {
	sum := 0.0
	for _, a := range weights {
		if a > 0 {
			sum -= float64(a * elementary.Log(a))
		}
	}
	return sum
}

// Jacobian is the matrix ∂α_i/∂s_j = α_i(δ_ij − α_j) of weights.
func Jacobian(weights []float64) [][]float64 {
	rows := make([][]float64, len(weights))
	for i, a := range weights {
		rows[i] = make([]float64, len(weights))
		for j, b := range weights {
			rows[i][j] = -float64(a * b)
		}
		rows[i][i] = float64(a * (1 - a))
	}
	return rows
}

// Frobenius is the root of the sum of squares of a matrix.
func Frobenius(matrix [][]float64) float64 {
	sum := 0.0
	for _, row := range matrix {
		for _, x := range row {
			sum += float64(x * x)
		}
	}
	return math.Sqrt(sum)
}
