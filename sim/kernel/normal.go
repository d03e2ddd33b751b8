package kernel

import (
	"math"

	"mcsim/sim/stream"
)

const signBit = 1 << 31

// normal is the standard normal law by Box and Muller (1958): with u, v
// uniform, √(−2 ln u)·(cos 2πv, sin 2πv) are two independent normal variates.
func normal(float64) lane {
	return lane{score: normalScore, fill: fillPairs(normalPair)}
}

// normalScore leaves out the quadrant, which changes no product (see the package comment).
func normalScore(g stream.Lane, d int) (stream.Lane, float32) {
	var sum float32
	var radius, angle uint32
	for range d {
		g, radius = next(g)
		g, angle = next(g)
		e, f := split(open31(radius>>1), unit31)
		r := sqrt(e + float32(f*logPolynomial(f)))
		s, c := sinCos(angle)
		sum += float32(float32(r*c) * float32(r*s)) // in any quadrant
	}
	return g, sum
}

// normalPair draws two normal variates.
func normalPair(g stream.Lane) (after stream.Lane, q, k float32) {
	g, radius := next(g)
	g, angle := next(g)
	q, k = boxMuller(radius, angle, 1)
	return g, q, k
}

// boxMuller returns two normal variates times scale.
func boxMuller(radius, angle uint32, scale float32) (q, k float32) {
	r := sqrt(minusTwoLog(open31(radius>>1), unit31)) * scale
	r = math.Float32frombits(math.Float32bits(r) ^ angle<<30&signBit)
	s, c := sinCos(angle)
	if angle&1 != 0 {
		s, c = c, s
	}
	return r * c, r * s
}
