package kernel

import (
	"math"

	"mcsim/sim/stream"
)

// laplace of scale 1/√2: the size is −ln u/√2 = (−2 ln u)/(2√2), at most 15.7.
func laplace(float64) lane { return single(laplaceDraw) }

// laplaceDraw draws one variate from a word.
func laplaceDraw(g stream.Lane) (stream.Lane, float32) {
	g, w := next(g)
	return g, laplaceOf(w)
}

// laplaceOf takes the sign from the top bit of a word and the size from the others.
func laplaceOf(w uint32) float32 {
	size := minusTwoLog(open31(w&^signBit), unit31) * laplaceUnit
	return math.Float32frombits(math.Float32bits(size) ^ w&signBit)
}
