package elementary

import (
	"math"
	"testing"
)

// Of a chance below 1/10 the relative error over ten is bounded, of any other the absolute one.
func TestGammaAgainstSciPy(t *testing.T) {
	bound := func(a []float64, value float64) float64 {
		return inUnits((20+a[1]*math.Log(a[0]+a[1]))*0x1p-50*min(10*value, 1), value)
	}
	within(t, "below", func(a []float64) float64 { below, _ := Gamma(a[0], a[1]); return below }, bound)
	within(t, "above", func(a []float64) float64 { _, above := Gamma(a[0], a[1]); return above }, bound)
}

func TestGammaEnds(t *testing.T) {
	if below, above := Gamma(0, 3); below != 0 || above != 1 {
		t.Errorf("at 0: %v, %v", below, above)
	}
	if below, above := Gamma(math.Inf(1), 3); below != 1 || above != 0 {
		t.Errorf("at ∞: %v, %v", below, above)
	}
	if below, above := Gamma(1e6, 0.5); below != 1 || above > 1e-300 {
		t.Errorf("far out: %v, %v", below, above)
	}
}
