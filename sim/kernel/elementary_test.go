package kernel

import (
	"math"
	"testing"
)

// roundoff is the largest relative error of rounding a number to float32.
const roundoff = 0x1p-24

// minusTwoLog applies minusTwoLogs to one number.
func minusTwoLog(x float32, unit uint32) float32 {
	xs := []float32{x}
	minusTwoLogs(xs, unit)
	return xs[0]
}

// expm1 applies expm1s to one number.
func expm1(x float32) float32 {
	xs := []float32{x}
	expm1s(xs, 1)
	return xs[0]
}

// firstDraw returns the first draw from a group of words.
func firstDraw(convert func(words []uint32, draws []float32), words ...uint32) float32 {
	var draws [1]float32
	convert(words, draws[:])
	return draws[0]
}

// normalPair returns the two draws from a group of words.
func normalPair(radius, angle uint32) (q, k float32) {
	var draws [2]float32
	normalDraws([]uint32{radius, angle}, draws[:])
	return draws[0], draws[1]
}

// TestLog compares minusTwoLogs with math.Log. It checks every float32 from 1/4 to 1, where the
// terms e·(−2 ln 2) and f·P(f) of the result may cancel, and some numbers down to 2^−63. The bound
// logError has the error of P and four roundings of f·P(f). It is twice their sum, since the result
// may be half as large as f·P(f).
func TestLog(t *testing.T) {
	worst := 0.0
	check := func(x float32, unit uint32, scale float64) {
		got, want := float64(minusTwoLog(x, unit)), -2*math.Log(float64(x)*scale)
		if got < 0 || math.IsNaN(got) {
			t.Fatalf("−2 ln %v = %v, want %v", x, got, want)
		}
		if want != 0 {
			worst = max(worst, math.Abs(got/want-1))
		} else if got != 0 {
			t.Errorf("−2 ln 1 = %v, want 0", got)
		}
	}
	for e := range 64 {
		step := uint32(1)
		if e > 1 {
			step = 1009
			if testing.Short() {
				step = 10007
			}
		}
		top := math.Float32bits(float32(math.Ldexp(1, -e)))
		for i := uint32(0); i < 1<<23; i += step {
			x := math.Float32frombits(top - i)
			check(x, unit1, 1)
			if step > 1 {
				check(x*(1<<31), unit31, 0x1p-31)
			}
		}
	}
	t.Logf("the largest relative error is %.3g", worst)
	if worst > logError {
		t.Errorf("the largest relative error is %.3g, want at most %.3g", worst, logError)
	}
}

// forEachWord calls f for words across the whole range, and for those near 0, 2³¹ and 2³².
func forEachWord(f func(w uint32)) {
	for w := uint64(0); w < 1<<32; w += 4093 {
		f(uint32(w))
	}
	for i := range uint32(1000) {
		f(i)
		f(-i)
		f(1<<31 + i)
		f(1<<31 - i)
	}
}

// TestExpm1 compares expm1s with math.Expm1. The bound of the relative error has the error of the
// polynomial, 8 roundings, and the effect of the rounding of the argument t, which changes e^t by
// the factor 1 + t·roundoff.
func TestExpm1(t *testing.T) {
	for x := float32(1e-7); x < 44; x *= 1.0001 {
		got, want := float64(expm1(x)), math.Expm1(float64(x))
		limit := 1.4e-8 + 8*roundoff + float64(x)*roundoff
		if math.Abs(got/want-1) > limit {
			t.Fatalf("expm1(%v) = %v, want %v, error %.3g", x, got, want, got/want-1)
		}
	}
	if expm1(0) != 0 {
		t.Errorf("expm1(0) = %v, want 0", expm1(0))
	}
}

// TestTruncated compares truncatedDraws with math.Erfinv. The bound of the relative error has the
// error of the polynomial (3.2e-8), 5 roundings, and the effect of the error of a = 1 − c²y² ≥
// 0.089. a has an absolute error of 3 roundings. The result changes by at most 0.45 times the
// relative change of a, since it is a polynomial of −2 ln a with a logarithmic slope below 0.225.
func TestTruncated(t *testing.T) {
	sigma, worst := math.Sqrt(0.77374130354992324718), 0.0
	forEachWord(func(w uint32) {
		y := float64(int32(w|1)) / (1 << 31)
		want := math.Sqrt2 * math.Erfinv(math.Erf(math.Sqrt2)*y) / sigma
		worst = max(worst, math.Abs(float64(firstDraw(truncatedDraws, w))/want-1))
	})
	t.Logf("the largest relative error is %.3g", worst)
	if limit := 3.2e-8 + 5*roundoff + 0.45*3*roundoff/0.089; worst > limit {
		t.Errorf("the largest relative error is %.3g, want at most %.3g", worst, limit)
	}
}
