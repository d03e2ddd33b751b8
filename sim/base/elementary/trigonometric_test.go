package elementary

import (
	"math"
	"testing"
)

// TestSincos compares with package math, which is accurate to a unit in the last place on this
// range.
func TestSincos(t *testing.T) {
	for i := -4000; i <= 4000; i++ {
		x := math.Copysign(math.Pow(17, math.Abs(float64(i))/4000)-1, float64(i))
		sin, cos := Sincos(x)
		if math.Abs(sin-math.Sin(x)) > 0x1p-40 || math.Abs(cos-math.Cos(x)) > 0x1p-40 {
			t.Fatalf("Sincos(%v) = %v, %v; package math has %v, %v", x, sin, cos, math.Sin(x), math.Cos(x))
		}
	}
}
