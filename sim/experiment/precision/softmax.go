package precision

import (
	"math"

	"mcsim/sim/base/elementary"
)

// SoftmaxFloat32 computes the softmax weights of the logits in float32. It computes the
// exponentials of the differences from the largest logit, their sum in the order of the logits, and
// the quotients. It returns false if the weights do not exist: if a logit is NaN, if the largest
// logit is +∞, or if all logits are −∞.
func SoftmaxFloat32(logits, weights []float32) bool {
	maxLogit := logits[0]
	for _, s := range logits {
		maxLogit = max(maxLogit, s) // NaN if any is NaN
	}
	if math.IsNaN(float64(maxLogit)) || math.IsInf(float64(maxLogit), 0) {
		return false
	}
	var sum float32
	for i, s := range logits {
		weights[i] = expFloat32(s - maxLogit)
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
	return true
}

// expFloat32 returns e^x for x ≤ 0, computed in float64 and rounded.
func expFloat32(x float32) float32 {
	const minLogit = -200 // e^minLogit is 0 in float32
	if x < minLogit {
		return 0
	}
	return float32(elementary.Exp(float64(x)))
}

// SoftmaxFloat64 computes the softmax weights of the logits in float64.
func SoftmaxFloat64(logits, weights []float64) {
	maxLogit, sum := logits[0], 0.0
	for _, s := range logits {
		maxLogit = max(maxLogit, s)
	}
	for i, s := range logits {
		weights[i] = elementary.Exp(s - maxLogit)
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
}

// TotalVariation returns the total variation distance ½Σ|a − b| of two distributions: the
// probability that must be moved to turn one into the other.
func TotalVariation(a []float32, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += math.Abs(float64(x) - b[i])
	}
	return min(1, sum/2)
}
