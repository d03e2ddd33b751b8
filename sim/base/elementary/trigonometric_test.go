package elementary

import (
	"math"
	"testing"
)

// TestSincos compares Sincos with math.Sin and math.Cos, to within 2⁻⁴⁰. Package math is accurate
// to a unit in the last place for these numbers.
func TestSincos(t *testing.T) {
	for i := -4000; i <= 4000; i++ {
		x := math.Copysign(math.Pow(17, math.Abs(float64(i))/4000)-1, float64(i))
		sin, cos := Sincos(x)
		if math.Abs(sin-math.Sin(x)) > 0x1p-40 || math.Abs(cos-math.Cos(x)) > 0x1p-40 {
			t.Fatalf("Sincos(%v) = %v, %v, want %v, %v", x, sin, cos, math.Sin(x), math.Cos(x))
		}
	}
}
