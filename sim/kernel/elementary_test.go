package kernel

import (
	"math"
	"testing"
)

// roundoff is the largest relative error of one rounding to float32.
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

// TestLog checks every mantissa at e = 0 and −1, where terms cancel, and some of the others down
// to 2^−63. The error is the polynomial's 1.8e-7 and at most four roundings of f·P(f); at e = −1
// the sum may halve, which doubles it.
func TestLog(t *testing.T) {
	worst := 0.0
	check := func(x float32, unit uint32, scale float64) {
		got, want := float64(minusTwoLog(x, unit)), -2*math.Log(float64(x)*scale)
		if got < 0 || math.IsNaN(got) {
			t.Fatalf("−2 ln %v = %v", x, got)
		}
		if want != 0 {
			worst = max(worst, math.Abs(got/want-1))
		} else if got != 0 {
			t.Errorf("−2 ln 1 = %v", got)
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
	t.Logf("relative error %.3g", worst)
	if limit := 2 * (1.8e-7 + 4*roundoff); worst > limit {
		t.Errorf("relative error %.3g exceeds %.3g", worst, limit)
	}
}

// forEachWord calls f for words across the whole range, with its limits.
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

// TestExpm1 bounds the relative error. For n ≥ 1, r has the absolute error of t, up to ½ ulp(t),
// which becomes a relative error of e^t.
func TestExpm1(t *testing.T) {
	for x := float32(1e-7); x < 44; x *= 1.0001 {
		got, want := float64(expm1(x)), math.Expm1(float64(x))
		limit := 1.4e-8 + 8*roundoff + float64(x)*roundoff
		if math.Abs(got/want-1) > limit {
			t.Fatalf("expm1(%v) = %v, want %v, error %.3g", x, got, want, got/want-1)
		}
	}
	if expm1(0) != 0 {
		t.Errorf("expm1(0) = %v", expm1(0))
	}
}

// TestTruncated compares with math.Erfinv. 1 − c²y² has an absolute error of 3 half ulps of c²y² ≤
// 0.911. The result changes relatively by at most 0.45 of d(1 − c²y²)/(1 − c²y²), since the
// polynomial's logarithmic slope is below 0.225 in −2 ln.
func TestTruncated(t *testing.T) {
	sigma, worst := math.Sqrt(0.77374130354992324718), 0.0
	forEachWord(func(w uint32) {
		y := float64(int32(w|1)) / (1 << 31)
		want := math.Sqrt2 * math.Erfinv(math.Erf(math.Sqrt2)*y) / sigma
		worst = max(worst, math.Abs(float64(firstDraw(truncatedDraws, w))/want-1))
	})
	t.Logf("relative error %.3g", worst)
	if worst > 3.2e-8+5*roundoff+0.45*3*roundoff/0.089 {
		t.Errorf("relative error %.3g", worst)
	}
}
