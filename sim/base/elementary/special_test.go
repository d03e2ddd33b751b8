package elementary

import (
	"math"
	"testing"
)

func TestSpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"Log(1)", Log(1), 0},
		{"Log(0)", Log(0), -inf},
		{"Log(−0)", Log(math.Copysign(0, -1)), -inf},
		{"Log(∞)", Log(inf), inf},
		{"Log(−1)", Log(-1), nan},
		{"Log(−∞)", Log(-inf), nan},
		{"Log(NaN)", Log(nan), nan},
		{"Exp(0)", Exp(0), 1},
		{"Exp(−0)", Exp(math.Copysign(0, -1)), 1},
		{"Exp(∞)", Exp(inf), inf},
		{"Exp(−∞)", Exp(-inf), 0},
		{"Exp(NaN)", Exp(nan), nan},
		{"Exp(709.79)", Exp(709.79), inf},
		{"Exp(710)", Exp(710), inf},
		{"Exp(1e300)", Exp(1e300), inf},
		{"Exp(−745.2)", Exp(-745.2), 0},
		{"Exp(−745)", Exp(-745), 5e-324},
		{"Exp(−745.1)", Exp(-745.1), 5e-324},
		{"Exp(−1e300)", Exp(-1e300), 0},
		{"Log1p(−1)", Log1p(-1), -inf},
		{"Log1p(NaN)", Log1p(nan), nan},
		{"Expm1(NaN)", Expm1(nan), nan},
		{"Tanh(NaN)", Tanh(nan), nan},
		{"Erfc(NaN)", Erfc(nan), nan},
		{"Quantile(½)", Quantile(0.5), 0},
		{"tail(0)", tail(0), 0.5},
		{"tail(∞)", tail(inf), 0},
	} {
		if c.got != c.want && !(math.IsNaN(c.got) && math.IsNaN(c.want)) {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
}

// TestPowExact checks powers that Pow computes by multiplication and whose products are all exact
// in float64.
func TestPowExact(t *testing.T) {
	for _, c := range []struct{ x, y, want float64 }{
		{64, 0.5, 8}, {4096, 0.5, 64}, {64, -0.5, 0.125}, {64, 1, 64}, {64, 0, 1}, {1, 0.3, 1},
		{2, 8, 256}, {2, -32, 0x1p-32}, {4, 1.5, 8}, {1000, 4, 1e12}, {3, 32, 1853020188851841},
		{7, 1, 7}, {5, 2, 25}, {1 << 20, -1, 0x1p-20},
	} {
		if got := Pow(c.x, c.y); got != c.want {
			t.Errorf("Pow(%v, %v) = %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

// tail returns 1 − Φ(x) for x ≥ 0, to check Mills' ratio at large x.
func tail(x float64) float64 { return float64(mills(x) * Exp(-float64(float64(x*x)/2)-logSqrt2Pi)) }

// TestMonotone checks that functions increase or decrease over relative steps of 2⁻⁴⁰ (thousands of
// units in the last place), also where they change their formula.
func TestMonotone(t *testing.T) {
	const step = 1 + 0x1p-40
	for _, c := range []struct {
		name         string
		f            func(float64) float64
		isIncreasing bool
		points       []float64
	}{
		{"Log", Log, true, []float64{1e-300, 0.1, 0.5, math.Sqrt2 / 2, 0.999999, 1, math.Sqrt2, 2, 64, 1e300}},
		{"Exp", Exp, true, []float64{0.01, math.Ln2 / 2, 3 * math.Ln2 / 2, 1, 10, 700}},
		{"Exp(−x)", func(x float64) float64 { return Exp(-x) }, false, []float64{0.01, math.Ln2 / 2, 1, 10, 700}},
		{"Pow", func(x float64) float64 { return Pow(x, 1.0/3) }, true, []float64{0.5, 1.5, 64, 4096}},
		{"Quantile", Quantile, true, []float64{1e-300, 1e-6, 0.0668072, 0.1, 0.49, 0.51, 0.9, 0.99}},
		{"tail", tail, false, []float64{0.1, 1.5, 3, 37}},
	} {
		for _, x := range c.points {
			x /= 1 + 50*0x1p-40 // 50 steps before the point, so that it is in the middle
			for range 100 {
				next := x * step
				y, nextY := c.f(x), c.f(next)
				if y == nextY || (nextY > y) != c.isIncreasing {
					t.Errorf("%s(%v) = %v and %s(%v) = %v, want it increasing: %v", c.name, x, y, c.name, next, nextY,
						c.isIncreasing)
				}
				x = next
			}
		}
	}
}
