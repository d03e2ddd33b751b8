package softmax

import (
	"slices"

	"mcsim/sim/base/elementary"
)

// weigh writes the weights that softmax makes of a row of two scores or more, which fall,
// each multiplied by a factor, and what each weight leaves to all others; it returns
// R = (1 − Σα²)/(1 − 1/n). With e = exp(factor·(s − s₁)) and Z = Σe a weight is e/Z, and
// 1 − Σα² = Σα(1 − α). None of this is a difference of nearly equal numbers: what the
// first leaves is the sum of the others, and the others leave half at least.
func weigh(scores []float64, factor float64, weights, others []float64) (relativeTrace float64) {
	rest := 0.0
	for k := len(scores) - 1; k > 0; k-- { // the least first
		weights[k] = elementary.Exp(float64(factor * (scores[k] - scores[0])))
		rest += weights[k]
	}
	weights[0] = 1
	z, trace := 1+rest, 0.0
	for k, e := range slices.Backward(weights) {
		left := z - e
		if k == 0 {
			left = rest
		}
		weights[k], others[k] = e/z, left/z
		trace += float64(weights[k] * others[k])
	}
	return min(1, trace/(1-1/float64(len(scores))))
}

// fall sorts scores from the greatest to the least.
func fall(scores []float64) {
	slices.Sort(scores)
	slices.Reverse(scores)
}
