package kernel

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
)

// bernoulliGaussian is 0 but for a share p of the draws, which are normal of
// variance 1/p. A group of four words holds a normal pair, scaled by 1/√p
// through its radius, and for each of the two a word that keeps it where it
// is below p·2³².
func bernoulliGaussian(p float64) lane {
	limit, scale := bernoulliParams(p)
	return lane{
		score: func(g stream.Lane, d int) (stream.Lane, float32) { return bernoulliScore(g, d, limit, scale) },
		fill: grouped(4, 2, func(words []uint32, to []float32) {
			boxMuller(words, 4, scale, to)
			for i := range to {
				if words[i/2*4+2+i%2] > limit {
					to[i] = 0
				}
			}
		}).fill,
	}
}

// bernoulliScore makes the product of a pair only where both are kept; in any quadrant it is
// the same.
func bernoulliScore(g stream.Lane, d int, limit uint32, scale float32) (stream.Lane, float32) {
	var sum float32
	var radius, angle, keepQ, keepK uint32
	for range d {
		g, radius = g.Next()
		g, angle = g.Next()
		g, keepQ = g.Next()
		g, keepK = g.Next()
		if max(keepQ, keepK) <= limit {
			e, f := split(open31(radius>>1), unit31)
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

// bernoulliWords are the parameters of bernoulliGaussian as the assembly reads them.
func bernoulliWords(l distribution.Distribution) [2]uint32 {
	limit, scale := bernoulliParams(l.Param())
	return [2]uint32{limit, math.Float32bits(scale)}
}
