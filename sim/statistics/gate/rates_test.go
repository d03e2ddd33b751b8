package gate

import (
	"math"
	"testing"
)

// TestZ compares ZAlpha and ZBeta with stats.norm.isf of SciPy 1.10.1. The relative error of
// elementary.Quantile is at most 4 units of 2⁻⁵².
func TestZ(t *testing.T) {
	for _, c := range []struct {
		rates       Rates
		alpha, beta float64
	}{
		{Rates{0.05, 0.05, 1}, 1.9599639845400545, 1.6448536269514729},
		{Rates{0.01, 0.001, 1}, 2.575829303548901, 3.090232306167813},
		{Rates{1e-6, 1e-6, 1}, 4.891638475698591, 4.753424308822899},
		{Rates{1e-6, 1e-6, 70}, 5.669928479157211, 4.753424308822899},
		{Rates{1e-15, 1e-9, 1}, 8.02685888253454, 5.9978070150076865},
		{Rates{0.5, 0.025, 3}, 1.382994127100638, 1.9599639845400545},
		{Rates{0.05, 0.05, 0}, 1.9599639845400545, 1.6448536269514729}, // 0 gates count as one
	} {
		if got := c.rates.ZAlpha(); math.Abs(got/c.alpha-1) > 8*0x1p-52 {
			t.Errorf("%+v: ZAlpha is %v, want %v", c.rates, got, c.alpha)
		}
		if got := c.rates.ZBeta(); math.Abs(got/c.beta-1) > 8*0x1p-52 {
			t.Errorf("%+v: ZBeta is %v, want %v", c.rates, got, c.beta)
		}
	}
}

// TestForAttempt checks that many attempts together use twice the declared rates and not more.
func TestForAttempt(t *testing.T) {
	r := Rates{Alpha: 1e-6, Beta: 1e-3, Gates: 70}
	if r.ForAttempt(0) != r {
		t.Errorf("the first attempt has %+v, want %+v", r.ForAttempt(0), r)
	}
	var alpha, beta float64
	for k := range 60 {
		a := r.ForAttempt(k)
		alpha, beta = alpha+a.Alpha, beta+a.Beta
		if a.Gates != 70 {
			t.Errorf("attempt %d has %d gates, want 70", k, a.Gates)
		}
	}
	if math.Abs(alpha/2e-6-1) > 1e-12 || math.Abs(beta/2e-3-1) > 1e-12 {
		t.Errorf("60 attempts together use α = %v and β = %v, want 2e-6 and 2e-3", alpha, beta)
	}
}
