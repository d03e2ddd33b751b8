package kernel

import "mcsim/sim/base/stream"

// uniform samples the uniform distribution on [−√3, √3].
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
		sum += float32(float32(oddFloat(q)*uniformUnit) * float32(oddFloat(k)*uniformUnit))
	}
	return g, sum
}

// uniformDraws makes a draw from each word.
func uniformDraws(words []uint32, draws []float32) {
	for i, w := range words {
		draws[i] = oddFloat(w) * uniformUnit
	}
}

// oddFloat returns the signed odd integer w|1, a uniform variate on (−1, 1) in units of 2^−31. Odd
// integers are symmetric about 0.
func oddFloat(w uint32) float32 { return float32(int32(w | 1)) }
