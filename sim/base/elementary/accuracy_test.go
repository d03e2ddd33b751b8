package elementary

import (
	"math"
	"testing"
)

func TestLogAgainstMpmath(t *testing.T) {
	checkAccuracy(t, "log", func(a []float64) float64 { return Log(a[0]) }, constantBound(2))
}

func TestExpAgainstMpmath(t *testing.T) {
	checkAccuracy(t, "exp", func(a []float64) float64 { return Exp(a[0]) }, constantBound(1))
}

// TestPowAgainstMpmath allows errors in units in the last place that depend on the algorithm of
// Pow. Products lose half a unit each: there are at most |y| + 1 of them, a root and, for y < 0, a
// division. This error may double if the result crosses a power of two. exp(y ln x) loses up to
// 2·|y ln x| units by the rounding of its argument, and one unit in exp.
func TestPowAgainstMpmath(t *testing.T) {
	checkAccuracy(t, "pow", func(a []float64) float64 { return Pow(a[0], a[1]) }, func(a []float64, _ float64) float64 {
		x, y := a[0], a[1]
		if 2*y == math.Trunc(2*y) {
			return math.Abs(y) + 3
		}
		return 2*math.Abs(y*math.Log(x)) + 2
	})
}

// TestQuantileAgainstMpmath allows four units in the last place of the quantile z, or of 1 if |z| <
// 1. Near p = ½ the error is absolute, since the error of ln p is up to 2⁻⁵³.
func TestQuantileAgainstMpmath(t *testing.T) {
	checkAccuracy(t, "quantile", func(a []float64) float64 { return Quantile(a[0]) },
		func(_ []float64, z float64) float64 {
			z = math.Abs(z)
			return 4 * max(1, 0x1p-52/(math.Nextafter(z, math.Inf(1))-z))
		})
}

// TestTailAgainstMpmath allows 3x²/2 units in the last place for the three roundings of the
// exponent −x²/2 − ln √(2π), and 8 units for Mills' ratio and the other operations.
func TestTailAgainstMpmath(t *testing.T) {
	checkAccuracy(t, "tail", func(a []float64) float64 { return tail(a[0]) }, func(a []float64, _ float64) float64 {
		return 8 + 1.5*a[0]*a[0]
	})
}

func TestFunctionsAgainstMpmath(t *testing.T) {
	for name, c := range map[string]struct {
		f     func(float64) float64
		units func(x float64) float64
	}{
		"erfc":  {Erfc, func(x float64) float64 { return 4 + x*x }},
		"tanh":  {Tanh, func(float64) float64 { return 4 }},
		"expm1": {Expm1, func(float64) float64 { return 3 }},
		"log1p": {Log1p, func(float64) float64 { return 3 }},
	} {
		checkAccuracy(t, name, func(a []float64) float64 { return c.f(a[0]) },
			func(a []float64, value float64) float64 {
				return toUnits(c.units(a[0])*0x1p-52*math.Abs(value), value)
			})
	}
}
