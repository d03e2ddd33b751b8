package floor

import (
	"math"
	"testing"

	"mcsim/sim/names"
)

// TestRounding compares mean squared rounding errors of 256 normal values of 128 components with
// SciPy 1.10.1: scipy.integrate.quad over the largest magnitude of a block, and for NVFP4 sums of
// Gauss–Legendre rules over the largest magnitudes of tensor and block, of truncated normal moments.
func TestRounding(t *testing.T) {
	for name, want := range map[string]float64{
		"mxfp4":           0.013218762253580287,
		"mxfp8":           0.0008620269616743085,
		"e4m3-per-block":  0.000661398508222636,
		"int8-per-block":  4.177050791714221e-05,
		"int8-per-tensor": 9.553178571812594e-05,
		"e4m3-per-tensor": 0.0006994856768098848,
		"nvfp4":           0.009049049240722288,
	} {
		if got := Lookup(name).Rounding(256, 128).Error; math.Abs(got/want-1) > 1e-6 {
			t.Errorf("%s: got %.10g, want %.10g", name, got, want)
		}
	}
	r := Lookup(names.FormatMXFP4).Rounding(40, 16) // blocks of 32 and of 8
	if !math.IsNaN(r.Error) {
		t.Errorf("rounding in blocks of two lengths: got %v, want NaN", r.Error)
	}
}

// TestCosineDistance checks 1 − cosine against E (v̂ − v)²: for a relative error e that is small and
// independent of v, it is about half of it.
func TestCosineDistance(t *testing.T) {
	for _, name := range []string{names.FormatBFloat16, names.FormatFloat16, names.FormatE4M3Block} {
		r := Lookup(name).Rounding(256, 128)
		if ratio := r.CosineDistance() / r.Error; math.Abs(ratio-0.5) > 0.01 {
			t.Errorf("%s: 1 − cosine is %v times the mean squared error, want about 1/2", name, ratio)
		}
	}
}
