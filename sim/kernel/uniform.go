package kernel

import "mcsim/sim/base/stream"

// uniform on [−√3, √3]: the odd integers w|1 lie symmetrically about 0.
func uniform(float64) lane {
	return lane{score: uniformScore, fill: grouped(1, 1, uniformDraws).fill}
}

// uniformScore draws q_i and k_i in turn and sums their products.
func uniformScore(g stream.Lane, d int) (stream.Lane, float32) {
	var sum float32
	var q, k uint32
	for range d {
		g, q = g.Next()
		g, k = g.Next()
		sum += float32(float32(odd(q)*uniformUnit) * float32(odd(k)*uniformUnit))
	}
	return g, sum
}

// uniformDraws makes a draw of each word.
func uniformDraws(words []uint32, to []float32) {
	for i, w := range words {
		to[i] = odd(w) * uniformUnit
	}
}

// odd is the odd integer w|1, signed: symmetric about 0 in units of 2^−31.
func odd(w uint32) float32 { return float32(int32(w | 1)) }
