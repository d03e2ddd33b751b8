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

// TestPowAgainstMpmath bounds the two algorithms of Pow. Multiplication loses half a unit in each
// of at most |y| + 1 products, a root and, for y < 0, a division; each may count double if the
// result then crosses a power of two. exp(y ln x) loses |y ln x|·2⁻⁵², which is up to two units
// for each of |y ln x|, and a unit in exp itself.
func TestPowAgainstMpmath(t *testing.T) {
	checkAccuracy(t, "pow", func(a []float64) float64 { return Pow(a[0], a[1]) }, func(a []float64, _ float64) float64 {
		if y := a[1]; 2*y == math.Trunc(2*y) {
			return math.Abs(y) + 3
		}
		return 2*math.Abs(a[1]*math.Log(a[0])) + 2
	})
}

// TestQuantileAgainstMpmath allows four units in the last place of z, or of 1 if |z| is less: near
// p = ½ the error is absolute, since ln p is only known to 2⁻⁵³.
func TestQuantileAgainstMpmath(t *testing.T) {
	checkAccuracy(t, "quantile", func(a []float64) float64 { return Quantile(a[0]) },
		func(_ []float64, z float64) float64 {
			z = math.Abs(z)
			return 4 * max(1, 0x1p-52/(math.Nextafter(z, math.Inf(1))-z))
		})
}

// TestTailAgainstMpmath bounds the tail: the exponent −x²/2 − ln √(2π) is rounded three times, by
// x²/2·2⁻⁵³ each, which is at most 3x²/2 units of the exponential, and Mills' ratio has an error
// of a few units.
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
