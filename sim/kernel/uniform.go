package kernel

import "mcsim/sim/base/stream"

// uniform is the uniform distribution on [−√3, √3]. The odd integers w|1 are symmetric about 0.
func uniform(float64) laneSampler {
	return laneSampler{score: uniformScore, fill: newGroupSampler(1, 1, uniformDraws).fill}
}

// uniformScore samples q_i and k_i in turn and sums their products.
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

// uniformDraws makes a draw from each word.
func uniformDraws(words []uint32, draws []float32) {
	for i, w := range words {
		draws[i] = odd(w) * uniformUnit
	}
}

// odd returns the odd integer w|1, signed, which is symmetric about 0 in units of 2^−31.
func odd(w uint32) float32 { return float32(int32(w | 1)) }
