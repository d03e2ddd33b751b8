package kernel

import (
	"math"
	"testing"
)

// logError bounds the relative error of minusTwoLogs, see TestLog; half of it
// remains under a square root.
const logError = 2 * (1.8e-7 + 4*half)

// someWords calls f for words that cover their range, two by two.
func someWords(f func(a, b uint32)) {
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

func near(t *testing.T, what string, got, want, limit float64) {
	t.Helper()
	if !(math.Abs(got-want) <= limit) {
		t.Fatalf("%s is %v, want %v, error %.3g exceeds %.3g", what, got, want, got-want, limit)
	}
}

// ln u for the 31 low bits w of a word. Conversion and sum round once each,
// which moves ln u by as much.
func ln(w uint32) float64 { return math.Log((float64(w) + 0.5) / (1 << 31)) }

func TestBoxMuller(t *testing.T) {
	someWords(func(a, b uint32) {
		radius := math.Sqrt(-2 * ln(a>>1))
		sin, cos := math.Sincos(float64(int32(b)) * math.Pi / 4 / (1 << 31))
		if b&1 != 0 {
			sin, cos = cos, sin
		}
		if b&2 != 0 {
			sin, cos = -sin, -cos
		}
		// dr = du/(ur), beside the relative errors of r and of the product
		limit := 2*half/radius + radius*(logError/2+6*half)
		q, k := normals(a, b)
		near(t, "q", float64(q), radius*cos, limit)
		near(t, "k", float64(k), radius*sin, limit)
	})
}

func TestUniform(t *testing.T) {
	someWords(func(a, b uint32) {
		x, y := float64(int32(a|1)), float64(int32(b|1))
		limit := math.Abs(x) * 3 * half * math.Sqrt(3) / (1 << 31)
		near(t, "uniform", float64(drawn(uniformDraws, a)), x*math.Sqrt(3)/(1<<31), limit)
		limit = (math.Abs(x) + math.Abs(y)) * 4 * half * math.Sqrt(6) / (1 << 32)
		near(t, "triangular", float64(drawn(triangularDraws, a, b)), (x+y)*math.Sqrt(6)/(1<<32), limit)
	})
}

func TestLaplace(t *testing.T) {
	someWords(func(a, _ uint32) {
		size := -ln(a&^signBit) / math.Sqrt2
		want := math.Copysign(size, -float64(a>>31)+0.5)
		near(t, "laplace", float64(drawn(laplaceDraws, a)), want, 2*half+size*(logError+2*half))
	})
}

// The exponent x = −2 ln u/ν has a relative error and, from the two roundings
// of u, an absolute one of 4·half/ν; the root halves what they do to e^x − 1,
// whose own error and those of the sine and the products are the last term.
func TestBailey(t *testing.T) {
	for _, nu := range []float64{2.5, 3, 10, 1000} {
		draws := studentDraws(nu)
		someWords(func(a, b uint32) {
			u := (float64(a>>1) + (float64(b>>1)+0.5)/(1<<31)) / (1 << 31)
			x := -2 * math.Log(u) / nu
			turn := math.Sin(float64(int32(b|1)) * math.Pi / 2 / (1 << 31))
			want := math.Sqrt((nu-2)*math.Expm1(x)) * turn
			dx := x*(logError+2*half) + 4*half/nu
			relative := 0.5*dx*math.Exp(x)/math.Expm1(x) + 10*half
			near(t, "student-t", float64(drawn(draws, a, b, b)), want, math.Abs(want)*relative)
		})
	}
}
