package kernel

import (
	"math"

	"mcsim/sim/law"
	"mcsim/sim/stream"
)

// bernoulliGaussian is 0 but for a share p of the draws, which are normal of
// variance 1/p. A group of four words holds a normal pair, scaled by 1/√p
// through its radius, and for each of the two a word that keeps it where it
// is below p·2³².
func bernoulliGaussian(p float64) lane {
	limit, scale := bernoulliParams(p)
	draw := func(g stream.Lane) (after stream.Lane, q, k float32) {
		var radius, angle, keepQ, keepK uint32
		g, radius = next(g)
		g, angle = next(g)
		g, keepQ = next(g)
		g, keepK = next(g)
		q, k = boxMuller(radius, angle, scale)
		return g, keep(q, keepQ, limit), keep(k, keepK, limit)
	}
	return lane{
		score: func(g stream.Lane, d int) (stream.Lane, float32) {
			var sum float32
			for range d {
				var radius, angle, keepQ, keepK uint32
				g, radius = next(g)
				g, angle = next(g)
				g, keepQ = next(g)
				g, keepK = next(g)
				if max(keepQ, keepK) <= limit {
					q, k := boxMuller(radius, angle, scale)
					sum += float32(q * k)
				}
			}
			return g, sum
		},
		fill: fillPairs(draw),
	}
}

// bernoulliParams returns the greatest word that keeps a draw, and 1/√p.
func bernoulliParams(p float64) (limit uint32, scale float32) {
	return uint32(math.Ceil(p*(1<<32)) - 1), float32(1 / math.Sqrt(p))
}

// bernoulliWords are the parameters of bernoulliGaussian as the assembly reads them.
func bernoulliWords(l law.Law) [2]uint32 {
	limit, scale := bernoulliParams(l.Param())
	return [2]uint32{limit, math.Float32bits(scale)}
}

// keep is x where the word is at most limit, else 0.
func keep(x float32, word, limit uint32) float32 {
	if word <= limit {
		return x
	}
	return 0
}
