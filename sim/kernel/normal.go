package kernel

import (
	"math"

	"mcsim/sim/base/stream"
)

const signBit = 1 << 31

// normal is the standard normal distribution by Box and Muller (1958): with u, v
// uniform, √(−2 ln u)·(cos 2πv, sin 2πv) are two independent normal variates.
func normal(float64) lane {
	return lane{score: normalScore, fill: grouped(2, 2, normalDraws).fill}
}

// normalScore leaves out the quadrant, which changes no product (see the package comment).
func normalScore(g stream.Lane, d int) (stream.Lane, float32) {
	var sum float32
	var radius, angle uint32
	for range d {
		g, radius = g.Next()
		g, angle = g.Next()
		e, f := split(open31(radius>>1), unit31)
		r := sqrt(e + float32(f*logPolynomial(f)))
		s, c := sinCos(angle)
		sum += float32(float32(r*c) * float32(r*s)) // in any quadrant
	}
	return g, sum
}

// normalDraws makes two draws of two words.
func normalDraws(words []uint32, to []float32) { boxMuller(words, 2, 1, to) }

// boxMuller makes two normal variates times scale of the first two words of every stride.
// The radii wait in the second half of the draws, which are written over no sooner than read.
func boxMuller(words []uint32, stride int, scale float32, to []float32) {
	radii := to[len(to)/2:]
	for i := range radii {
		radii[i] = open31(words[i*stride] >> 1)
	}
	minusTwoLogs(radii, unit31)
	for i, x := range radii {
		angle := words[i*stride+1]
		r := math.Float32frombits(math.Float32bits(sqrt(x)*scale) ^ angle<<30&signBit)
		s, c := sinCos(angle)
		quarter := int(angle & 1)
		to[2*i+quarter], to[2*i+1-quarter] = r*c, r*s
	}
}
