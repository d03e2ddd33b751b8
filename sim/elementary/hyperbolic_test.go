package elementary

import (
	"math"
	"testing"
)

// Values of mpmath 1.2.1 at 40 digits: erfc, tanh, expm1 at the float64 given.
var functions = []struct {
	name  string
	f     func(float64) float64
	units func(x float64) float64 // allowed error, in 2⁻⁵² of the value
	at    [][2]float64
}{
	{"Erfc", Erfc, func(x float64) float64 { return 4 + x*x }, [][2]float64{
		{-6, 2}, {-2.5, 1.999593047982555}, {-0.5, 1.5204998778130465}, {-1e-08, 1.0000000112837917}, {0, 1},
		{1e-10, 0.999999999887162}, {0.1, 0.887537083981715}, {0.5, 0.4795001221869535}, {1, 0.15729920705028513},
		{1.06, 0.1338564133648919}, {1.0607, 0.1335998128391218}, {2, 0.004677734981047266},
		{3.5, 7.430983723414128e-07}, {6, 2.1519736712498913e-17}, {10, 2.088487583762545e-45}, {26, 5.663192408856143e-296}}},
	{"Tanh", Tanh, func(float64) float64 { return 4 }, [][2]float64{
		{-19, -0.9999999999999999}, {-3, -0.9950547536867305}, {-0.5, -0.46211715726000974}, {-1e-09, -1e-09}, {0, 0},
		{1e-300, 1e-300}, {1e-05, 9.999999999666668e-06}, {0.1, 0.09966799462495582}, {0.17, 0.16838104587081473},
		{0.18, 0.1780808681173302}, {0.35, 0.3363755443363322}, {1, 0.7615941559557649}, {2.5, 0.9866142981514303},
		{10, 0.9999999958776927}, {19.9, 1}, {25, 1}, {math.Inf(1), 1}, {math.Inf(-1), -1}}},
	{"Expm1", Expm1, func(float64) float64 { return 3 }, [][2]float64{
		{-50, -1}, {-1, -0.6321205588285577}, {-0.35, -0.29531191028128656}, {-0.34, -0.2882296772373903},
		{-1e-10, -9.999999999500001e-11}, {0, 0}, {1e-20, 1e-20}, {1e-05, 1.0000050000166668e-05}, {0.1, 0.10517091807564763},
		{0.3465, 0.41410949383036244}, {0.3466, 0.41425091185052865}, {0.7, 1.0137527074704764}, {3, 19.085536923187668},
		{100, 2.6881171418161356e+43}}},
}

func TestFunctionsAgainstMpmath(t *testing.T) {
	for _, c := range functions {
		for _, p := range c.at {
			got, want := c.f(p[0]), p[1]
			if allowed := c.units(p[0]) * 0x1p-52 * math.Abs(want); math.Abs(got-want) > allowed {
				t.Errorf("%s(%v) = %v, want %v to within %v", c.name, p[0], got, want, allowed)
			}
		}
		if !math.IsNaN(c.f(math.NaN())) {
			t.Errorf("%s(NaN) = %v, want NaN", c.name, c.f(math.NaN()))
		}
	}
}

func TestPowIsExactForWholeExponents(t *testing.T) {
	for n := -1022; n <= 1023; n++ {
		if got, want := Pow(2, float64(n)), math.Ldexp(1, n); got != want {
			t.Errorf("Pow(2, %d) = %v, want %v", n, got, want)
		}
	}
	if got := Pow(10, 15); got != 1e15 {
		t.Errorf("Pow(10, 15) = %v, want 1e15", got)
	}
}
