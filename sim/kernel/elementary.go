package kernel

import "math"

// The functions of this file are the arithmetic that the samplers share. Every product is converted
// to float32 before it is added, which forbids the compiler to fuse the two operations. A call for
// every draw would take as long as its arithmetic. The functions are therefore so small that the
// compiler inlines them, or they loop over many draws.

const (
	// sqrtHalf is the bit pattern of the float32 just below √½. Logarithms split numbers into 2^e·m
	// with m in [√½, √2), so that ln x for x near 1 is computed without cancellation.
	sqrtHalf     = 0x3f3504f3
	mantissaBits = 0x007fffff

	// unit1 and unit31 are the bit patterns of √½·1 and √½·2³¹. splitLog subtracts unit1 from an
	// argument in units of 1, and unit31 from an argument in units of 2^−31.
	unit1  = sqrtHalf
	unit31 = sqrtHalf + 31<<23
)

// minusTwoLogs replaces each x, 0 < x ≤ 1, by −2 ln x. unit is unit1 or unit31, the unit of x. It
// splits x = 2^e·m with m in [√½, √2), f = m − 1, and computes e·(−2 ln 2) + f·P(f) with a
// polynomial P. The result is never negative: either e = 0 and f ≤ 0, or e < 0 and f·P(f) ≥ −ln 2.
func minusTwoLogs(xs []float32, unit uint32) {
	for i, x := range xs {
		e, f := splitLog(x, unit)
		xs[i] = e + float32(f*logPolynomial(f))
	}
}

// splitLog returns e·(−2 ln 2) and f of minusTwoLogs.
func splitLog(x float32, unit uint32) (e, f float32) {
	i := math.Float32bits(x) - unit
	m := math.Float32frombits(i&mantissaBits + sqrtHalf)
	return octaves[uint8(i>>23)], m - 1
}

// octaves has e·(−2 ln 2) at the index uint8(e), for e from −128 to 127. In portable Go this table
// is faster than a conversion of e.
var octaves = func() (t [256]float32) {
	for i := range t {
		t[i] = float32(int8(i)) * minusTwoLn2
	}
	return t
}()

// logPolynomial returns P(f) of minusTwoLogs. It sums pairs of terms (Estrin's scheme), so that few
// operations wait for each other.
func logPolynomial(f float32) float32 {
	g := f * f
	p := log4 + float32(f*log5) + float32(g*(log6+float32(f*log7)))
	p = log2 + float32(f*log3) + float32(g*p)
	return log0 + float32(f*log1) + float32(g*p)
}

// open31 returns w + ½ for w of 31 bits: a uniform variate on (0, 1) in units of 2^−31. The
// smallest variate is 2^−32.
func open31(w uint32) float32 { return float32(int32(w)) + 0.5 }

// sinCos returns the sine and cosine of an angle that is uniform on [−π/4, π/4].
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

// sqrt returns the correctly rounded square root. The root in float64 is precise enough that
// rounding it again to float32 does not change the result.
func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
