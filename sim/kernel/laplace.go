package kernel

import "math"

// laplace samples the Laplace distribution with the scale 1/√2: |x| = −ln u/√2 = (−2 ln u)/(2√2),
// which is at most 15.7.
func laplace(float64) laneSampler { return newGroupSampler(1, 1, laplaceDraws) }

// laplaceDraws takes the sign of a draw from the top bit of a word and the absolute value from the
// other bits.
func laplaceDraws(words []uint32, draws []float32) {
	for i, w := range words {
		draws[i] = open31(w &^ signBit)
	}
	minusTwoLogs(draws, unit31)
	for i, w := range words {
		draws[i] = math.Float32frombits(math.Float32bits(draws[i]*laplaceUnit) ^ w&signBit)
	}
}
