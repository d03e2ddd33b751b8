package kernel

import "math"

// laplace of scale 1/√2: the size is −ln u/√2 = (−2 ln u)/(2√2), at most 15.7.
func laplace(float64) lane { return grouped(1, 1, laplaceDraws) }

// laplaceDraws takes the sign from the top bit of a word and the size from the others.
func laplaceDraws(words []uint32, to []float32) {
	for i, w := range words {
		to[i] = open31(w &^ signBit)
	}
	minusTwoLogs(to, unit31)
	for i, w := range words {
		to[i] = math.Float32frombits(math.Float32bits(to[i]*laplaceUnit) ^ w&signBit)
	}
}
