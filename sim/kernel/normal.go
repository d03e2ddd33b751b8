package kernel

import (
	"math"

	"mcsim/sim/base/stream"
)

const signBit = 1 << 31

// normal samples the standard normal distribution by the method of Box and Muller (1958): for
// independent uniform u and v, √(−2 ln u)·(cos 2πv, sin 2πv) are two independent normal variates.
func normal(float64) laneSampler {
	return laneSampler{score: normalScore, fill: newGroupSampler(2, 2, normalDraws).fill}
}

// normalScore ignores the quadrant, which does not change a product (see the package comment).
func normalScore(g stream.Lane, d int) (stream.Lane, float32) {
	var sum float32
	var radius, angle uint32
	for range d {
		g, radius = g.Next()
		g, angle = g.Next()
		e, f := splitLog(open31(radius>>1), unit31)
		r := sqrt(e + float32(f*logPolynomial(f)))
		s, c := sinCos(angle)
		sum += float32(float32(r*c) * float32(r*s)) // in any quadrant
	}
	return g, sum
}

// normalDraws makes two draws from two words.
func normalDraws(words []uint32, draws []float32) { boxMuller(words, 2, 1, draws) }

// boxMuller makes two normal variates, multiplied by scale, from the first two of every stride
// words. It stores the radii in the second half of draws, where they are overwritten only after
// they are read.
func boxMuller(words []uint32, stride int, scale float32, draws []float32) {
	radii := draws[len(draws)/2:]
	for i := range radii {
		radii[i] = open31(words[i*stride] >> 1)
	}
	minusTwoLogs(radii, unit31)
	for i, x := range radii {
		angle := words[i*stride+1]
		r := math.Float32frombits(math.Float32bits(sqrt(x)*scale) ^ angle<<30&signBit)
		s, c := sinCos(angle)
		quadrant := int(angle & 1)
		draws[2*i+quadrant], draws[2*i+1-quadrant] = r*c, r*s
	}
}
