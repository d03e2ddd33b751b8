package precision

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Softmax writes the weights of logits, all in float32: each less the greatest, its
// exponential, the sum of these in their order, and the quotients. It is false where there
// are no weights: where a logit is not a number, the greatest is infinite, or all are −∞.
func Softmax(logits, weights []float32) bool {
	greatest := logits[0]
	for _, s := range logits {
		greatest = max(greatest, s) // of which NaN is the greatest
	}
	if math.IsNaN(float64(greatest)) || math.IsInf(float64(greatest), 0) {
		return false
	}
	var sum float32
	for i, s := range logits {
		weights[i] = exp(s - greatest)
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
	return true
}

// exp is e^x in float32 for x ≤ 0: that of float64, rounded.
func exp(x float32) float32 {
	const minLogit = -200 // e^minLogit is 0 in float32
	if x < minLogit {
		return 0
	}
	return float32(elementary.Exp(float64(x)))
}

// Exact writes the weights of logits in float64.
func Exact(logits, weights []float64) {
	greatest, sum := logits[0], 0.0
	for _, s := range logits {
		greatest = max(greatest, s)
	}
	for i, s := range logits {
		weights[i] = elementary.Exp(s - greatest)
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
}

// TotalVariation is ½Σ|a − b|: how much of the weight must be moved from one key to
// another to make one distribution of the other.
func TotalVariation(a []float32, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += math.Abs(float64(x) - b[i])
	}
	return min(1, sum/2)
}
