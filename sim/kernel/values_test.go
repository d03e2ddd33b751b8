package kernel

import (
	"math"
	"testing"
)

// logError bounds the relative error of minusTwoLogs (see TestLog). The square root of the result
// has half this error.
const logError = 2 * (1.8e-7 + 4*roundoff)

// forEachWordPair calls f for pairs of words across the whole range.
func forEachWordPair(f func(a, b uint32)) {
	const step = 0x9e3779b1 // 2³² over the golden ratio
	a, b := uint32(0), uint32(0)
	words := 1 << 20
	if testing.Short() {
		words = 1 << 16
	}
	for range words {
		f(a, b)
		a += step
		b += 0x7f4a7c15
	}
}

func checkNear(t *testing.T, name string, got, want, limit float64) {
	t.Helper()
	if !(math.Abs(got-want) <= limit) {
		t.Fatalf("%s is %v, want %v, error %.3g exceeds %.3g", name, got, want, got-want, limit)
	}
}

// logUniform returns ln u for the uniform variate u = (w + ½)/2³¹ of 31 bits w. Kernels round the
// conversion of w and the sum; each changes ln u by up to roundoff.
func logUniform(w uint32) float64 { return math.Log((float64(w) + 0.5) / (1 << 31)) }

func TestBoxMuller(t *testing.T) {
	forEachWordPair(func(a, b uint32) {
		radius := math.Sqrt(-2 * logUniform(a>>1))
		sin, cos := math.Sincos(float64(int32(b)) * math.Pi / 4 / (1 << 31))
		if b&1 != 0 {
			sin, cos = cos, sin
		}
		if b&2 != 0 {
			sin, cos = -sin, -cos
		}
		// 2·roundoff is the relative error of u, which changes the radius r by du/(u·r). The second
		// term has the relative errors of r and of the products.
		limit := 2*roundoff/radius + radius*(logError/2+6*roundoff)
		q, k := normalPair(a, b)
		checkNear(t, "q", float64(q), radius*cos, limit)
		checkNear(t, "k", float64(k), radius*sin, limit)
	})
}

func TestUniform(t *testing.T) {
	forEachWordPair(func(a, b uint32) {
		x, y := float64(int32(a|1)), float64(int32(b|1))
		limit := math.Abs(x) * 3 * roundoff * math.Sqrt(3) / (1 << 31)
		checkNear(t, "uniform", float64(firstDraw(uniformDraws, a)), x*math.Sqrt(3)/(1<<31), limit)
		limit = (math.Abs(x) + math.Abs(y)) * 4 * roundoff * math.Sqrt(6) / (1 << 32)
		checkNear(t, "triangular", float64(firstDraw(triangularDraws, a, b)), (x+y)*math.Sqrt(6)/(1<<32), limit)
	})
}

func TestLaplace(t *testing.T) {
	forEachWordPair(func(a, _ uint32) {
		size := -logUniform(a&^signBit) / math.Sqrt2
		want := math.Copysign(size, -float64(a>>31)+0.5)
		checkNear(t, "laplace", float64(firstDraw(laplaceDraws, a)), want, 2*roundoff+size*(logError+2*roundoff))
	})
}

// TestBailey compares student-t draws with Bailey's formula in float64. The exponent x = −2 ln u/ν
// has the error dx: the relative error of the logarithm and two roundings, and 4·roundoff/ν from
// the two roundings of u. This changes e^x − 1 by e^x·dx, and its square root by half as much. The
// last term, 10·roundoff, has the errors of e^x − 1 itself, of the sine and of the products.
func TestBailey(t *testing.T) {
	for _, nu := range []float64{2.5, 3, 10, 1000} {
		draws := newStudentDraws(nu)
		forEachWordPair(func(a, b uint32) {
			u := (float64(a>>1) + (float64(b>>1)+0.5)/(1<<31)) / (1 << 31)
			x := -2 * math.Log(u) / nu
			turn := math.Sin(float64(int32(b|1)) * math.Pi / 2 / (1 << 31))
			want := math.Sqrt((nu-2)*math.Expm1(x)) * turn
			dx := x*(logError+2*roundoff) + 4*roundoff/nu
			relative := 0.5*dx*math.Exp(x)/math.Expm1(x) + 10*roundoff
			checkNear(t, "student-t", float64(firstDraw(draws, a, b, b)), want, math.Abs(want)*relative)
		})
	}
}
