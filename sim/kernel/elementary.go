package kernel

import "math"

// The functions below are all of the arithmetic of the draws. Products have an explicit float32
// conversion before every sum, which forbids the compiler to fuse the two. They are so small that
// the compiler inlines them, or they contain the loop: a call for every draw would take as long as
// its arithmetic.

const (
	// sqrtHalf is the bit pattern of the float32 below √½. With a mantissa in [√½, √2), ln is 0 at
	// 1 without cancellation.
	sqrtHalf     = 0x3f3504f3
	mantissaBits = 0x007fffff

	// unit1 and unit31 are the bit patterns of √½ times 1 and 2³¹, which the logarithm subtracts
	// from an argument in units of 1 or 2^−31.
	unit1  = sqrtHalf
	unit31 = sqrtHalf + 31<<23
)

// minusTwoLogs replaces each x, 0 < x ≤ 1, given in units of 1 or 2^−31, by −2 ln x. It splits x =
// 2^e·m with m in [√½, √2), f = m − 1, and computes e·(−2 ln 2) + f·P(f). The result is never
// negative: either e = 0 and f ≤ 0, or e < 0 and f·P(f) ≥ −ln 2.
func minusTwoLogs(xs []float32, unit uint32) {
	for i, x := range xs {
		e, f := splitLog(x, unit)
		xs[i] = e + float32(f*logPolynomial(f))
	}
}

// splitLog returns e·(−2 ln 2) and f.
func splitLog(x float32, unit uint32) (e, f float32) {
	i := math.Float32bits(x) - unit
	m := math.Float32frombits(i&mantissaBits + sqrtHalf)
	return octaves[uint8(i>>23)], m - 1
}

// octaves[e] is e·(−2 ln 2) for e as a signed 8-bit integer. In portable Go a table is faster than
// a conversion of e.
var octaves = func() (t [256]float32) {
	for i := range t {
		t[i] = float32(int8(i)) * minusTwoLn2
	}
	return t
}()

// logPolynomial returns P of minusTwoLogs. It sums pairs of terms (Estrin's scheme), which makes
// the chain of operations short.
func logPolynomial(f float32) float32 {
	g := f * f
	p := log4 + float32(f*log5) + float32(g*(log6+float32(f*log7)))
	p = log2 + float32(f*log3) + float32(g*p)
	return log0 + float32(f*log1) + float32(g*p)
}

// open31 returns w + ½ for the 31 low bits w of a word: a uniform variate on (0, 1) in units of
// 2^−31. Its smallest value is 2^−32.
func open31(w uint32) float32 { return float32(int32(w)) + 0.5 }

// sinCos returns sine and cosine of an angle uniform on [−π/4, π/4].
func sinCos(w uint32) (sin, cos float32) {
	x := float32(int32(w)) * angleUnit
	z := x * x
	s := sin2 + float32(z*sin3)
	s = sin1 + float32(z*s)
	s = sin0 + float32(z*s)
	c := cos2 + float32(z*cos3)
	c = cos1 + float32(z*c)
	c = cos0 + float32(z*c)
	return x * s, c
}

// sqrt returns the IEEE square root, which is rounded correctly also by way of float64.
func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
