package kernel

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
)

// bernoulliGaussian draws normal numbers of variance 1/p with probability p, and otherwise 0. The
// first two of a group of four words give two normal variates with a radius scaled by 1/√p. Each of
// the other two words keeps one of the variates if the word is below p·2³², and makes it 0
// otherwise.
func bernoulliGaussian(p float64) laneSampler {
	limit, scale := bernoulliParams(p)
	return laneSampler{
		score: func(g stream.Lane, d int) (stream.Lane, float32) { return bernoulliScore(g, d, limit, scale) },
		fill: newGroupSampler(4, 2, func(words []uint32, draws []float32) {
			boxMuller(words, 4, scale, draws)
			for i := range draws {
				if words[i/2*4+2+i%2] > limit {
					draws[i] = 0
				}
			}
		}).fill,
	}
}

// bernoulliScore computes the product of two variates only if both are kept. It ignores the
// quadrant, which does not change a product (see the package comment).
func bernoulliScore(g stream.Lane, d int, limit uint32, scale float32) (stream.Lane, float32) {
	var sum float32
	var radius, angle, keepQ, keepK uint32
	for range d {
		g, radius = g.Next()
		g, angle = g.Next()
		g, keepQ = g.Next()
		g, keepK = g.Next()
		if max(keepQ, keepK) <= limit {
			e, f := splitLog(open31(radius>>1), unit31)
			r := sqrt(e+float32(f*logPolynomial(f))) * scale
			s, c := sinCos(angle)
			sum += float32(float32(r*c) * float32(r*s))
		}
	}
	return g, sum
}

// bernoulliParams returns the greatest word that keeps a draw, and 1/√p.
func bernoulliParams(p float64) (limit uint32, scale float32) {
	return uint32(math.Ceil(p*(1<<32)) - 1), float32(1 / math.Sqrt(p))
}

// packBernoulliParams returns the parameters that the assembly of bernoulliGaussian takes.
func packBernoulliParams(dist distribution.Distribution) [2]uint32 {
	limit, scale := bernoulliParams(dist.Param())
	return [2]uint32{limit, math.Float32bits(scale)}
}
