package theory

import (
	"math"

	"mcsim/sim/names"
)

// SafeBand are the standard deviations of n ≥ 2 independent normal logits between which a row
// is safe: from where the greatest weight is on average [names.TooSoftBelow] times that of
// equal weights, to where the mean of R falls below a half. Both to 1e-6.
func SafeBand(keys int) (lo, hi float64) {
	lo = crossing(func(sigma float64) bool {
		return float64(SoftmaxOf(keys, sigma).MaxWeight*float64(keys)) >= names.TooSoftBelow
	})
	hi = crossing(func(sigma float64) bool { return SoftmaxOf(keys, sigma).GradientSurvival() < 0.5 })
	return lo, hi
}

// crossing is where a condition that holds for all large numbers begins to, by bisection of
// the logarithm.
func crossing(holds func(float64) bool) float64 {
	lo, hi := 1e-4, 1e4
	for hi/lo > 1+1e-6 {
		if middle := math.Sqrt(lo * hi); holds(middle) {
			hi = middle
		} else {
			lo = middle
		}
	}
	return hi
}
