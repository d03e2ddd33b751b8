package elementary

import (
	"math"
	"testing"
)

// TestGammaAgainstSciPy allows an absolute error for probabilities of at least 1/10, and the same
// error relative to ten times the probability for smaller ones.
func TestGammaAgainstSciPy(t *testing.T) {
	bound := func(a []float64, value float64) float64 {
		return toUnits((20+a[1]*math.Log(a[0]+a[1]))*0x1p-50*min(10*value, 1), value)
	}
	checkAccuracy(t, "below", func(a []float64) float64 { lower, _ := Gamma(a[0], a[1]); return lower }, bound)
	checkAccuracy(t, "above", func(a []float64) float64 { _, upper := Gamma(a[0], a[1]); return upper }, bound)
}

func TestGammaLimits(t *testing.T) {
	if lower, upper := Gamma(0, 3); lower != 0 || upper != 1 {
		t.Errorf("Gamma(0, 3) = %v, %v, want 0, 1", lower, upper)
	}
	if lower, upper := Gamma(math.Inf(1), 3); lower != 1 || upper != 0 {
		t.Errorf("Gamma(∞, 3) = %v, %v, want 1, 0", lower, upper)
	}
	if lower, upper := Gamma(1e6, 0.5); lower != 1 || upper > 1e-300 {
		t.Errorf("Gamma(1e6, 0.5) = %v, %v, want 1 and at most 1e-300", lower, upper)
	}
}
