package softmax

import (
	"slices"

	"mcsim/sim/base/elementary"
)

// sortedSoftmax computes the softmax of factor·scores. The n ≥ 2 scores s must be in descending
// order. It writes the weights α to weights and 1 − α of each key to others, and returns
// R = (1 − Σα²)/(1 − 1/n).
//
// With e = exp(factor·(s − s₁)) and Z = Σe, a weight is e/Z, and 1 − Σα² = Σα(1 − α). No term is a
// difference of nearly equal numbers: 1 − α of the first key is computed as the sum of the other
// weights, and 1 − α of any other key is at least 1/2.
func sortedSoftmax(scores []float64, factor float64, weights, others []float64) (relativeTrace float64) {
	sumOthers := 0.0
	for k := len(scores) - 1; k > 0; k-- { // the smallest first
		weights[k] = elementary.Exp(float64(factor * (scores[k] - scores[0])))
		sumOthers += weights[k]
	}
	weights[0] = 1
	z, trace := 1+sumOthers, 0.0
	for k, e := range slices.Backward(weights) {
		remainder := z - e
		if k == 0 {
			remainder = sumOthers
		}
		weights[k], others[k] = e/z, remainder/z
		trace += float64(weights[k] * others[k])
	}
	return min(1, trace/(1-1/float64(len(scores))))
}
