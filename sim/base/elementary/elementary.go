// Package elementary computes logarithms, exponentials, powers and special functions with plain
// IEEE additions, multiplications, divisions and square roots, so that they have the same bits on
// every machine. The functions of package math do not: several of them take another path if the
// processor has fused multiply-add. Each product is inside an explicit float64(…), which forbids
// the compiler to fuse it with an addition.
package elementary

import "math"

// ln 2 is ln2Hi + ln2Lo. ln2Hi has 21 trailing zero bits, so that its product with an exponent is
// exact.
const (
	ln2Hi = 0x1.62e42feep-1
	ln2Lo = 0x1.a39ef35793c76p-33
)

// Log returns the natural logarithm, to within 2 units in the last place. It is NaN for x < 0 and
// −Inf at 0.
//
// With x = 2^e·m, m in [√½, √2), and s = (m−1)/(m+1),
// ln m = 2 artanh s = 2s(1 + s²/3 + s⁴/5 + …), |s| < 0.172.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return x
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	f := m - 1
	remainder := logRemainder(f)
	n := float64(e)
	return float64(n*ln2Hi) + (f - (remainder - float64(n*ln2Lo)))
}

// artanh has the coefficients of artanh s from s²³ down to s³.
var artanh = [...]float64{1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7,
	1.0 / 5, 1.0 / 3}

// logRemainder returns f − ln(1+f) for 1+f in [√½, √2). With s = f/(2+f) as in Log, ln(1+f) = 2s +
// 2s(s²/3 + s⁴/5 + …), and 2s = f − s·f.
func logRemainder(f float64) float64 {
	s := f / (2 + f)
	s2 := float64(s * s)
	var tail float64 // s²/3 + s⁴/5 + …
	for i := range artanh {
		tail = float64(s2 * (artanh[i] + tail))
	}
	return float64(s*f) - float64(float64(2*s)*tail)
}

// Log1p returns ln(1 + x), to within 3 units in the last place, also if x is so small that 1 + x
// rounds to 1. It is NaN for x < −1 and −Inf at −1.
func Log1p(x float64) float64 {
	if 1+x >= math.Sqrt2/2 && 1+x < math.Sqrt2 {
		return x - logRemainder(x)
	}
	return Log(1 + x)
}

// Exp returns e^x, to within 1 unit in the last place for results in the normal
// range. It overflows to +Inf and underflows to 0.
//
// With x = n ln 2 + r, |r| ≤ ln 2/2, e^r is its Taylor polynomial of degree 13.
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	n := math.RoundToEven(float64(x * (1 / math.Ln2)))
	hi := x - float64(n*ln2Hi)
	lo := float64(n * ln2Lo)
	r := hi - lo
	// tail is r/2! + r²/3! + … = (e^r − 1 − r)/r, computed as r/2·(1 + r/3·(1 + … r/13)). Since
	// divisions are slow, r/12 and r/6 are computed from r/3, and r/10 from r/5, by exact products
	// with powers of two.
	third, fifth := float64(r/3), float64(r/5)
	tail := float64(float64(third*0.25) * (1 + float64(r/13)))
	tail = float64(float64(r/11) * (1 + tail))
	tail = float64(float64(fifth*0.5) * (1 + tail))
	tail = float64(float64(r/9) * (1 + tail))
	tail = float64(float64(r*0.125) * (1 + tail))
	tail = float64(float64(r/7) * (1 + tail))
	tail = float64(float64(third*0.5) * (1 + tail))
	tail = float64(fifth * (1 + tail))
	tail = float64(float64(r*0.25) * (1 + tail))
	tail = float64(third * (1 + tail))
	tail = float64(float64(r*0.5) * (1 + tail))
	p := 1 + (hi - (lo - float64(r*tail)))
	if n < -1021 || n > 1023 {
		return math.Ldexp(p, int(n))
	}
	return float64(p * math.Float64frombits(uint64(int64(n)+1023)<<52)) // ten times as fast as Ldexp
}

// Pow returns x^y for x > 0, and for any x if y is a whole number ≥ 0. If 2y is an integer with an
// absolute value of at most 2048, Pow multiplies and takes a square root, with an error of up to
// one unit in the last place for each product. Otherwise Pow computes exp(y ln x), with a relative
// error of about |y ln x|·2⁻⁵².
func Pow(x, y float64) float64 {
	if doubled := 2 * y; doubled == math.Trunc(doubled) && math.Abs(doubled) <= 2048 {
		return halfPower(x, int(doubled))
	}
	return Exp(float64(y * Log(x)))
}

// halfPower returns x^(n/2).
func halfPower(x float64, n int) float64 {
	if n < 0 {
		return 1 / halfPower(x, -n)
	}
	product := 1.0
	for range n / 2 {
		product *= x
	}
	if n%2 == 1 {
		product *= math.Sqrt(x)
	}
	return product
}
