package elementary

import (
	"math"
	"testing"
)

// toUnits converts an absolute error to units in the last place of value.
func toUnits(err, value float64) float64 {
	value = math.Abs(value)
	return err / (math.Nextafter(value, math.Inf(1)) - value)
}

// TestLogGammaAgainstExactValues allows an error of 4·2⁻⁵² of the largest term, (x−½) ln x, and
// 4 units in the last place of the value.
func TestLogGammaAgainstExactValues(t *testing.T) {
	checkAccuracy(t, "loggamma", func(a []float64) float64 { return LogGamma(a[0]) },
		func(a []float64, value float64) float64 {
			x := a[0]
			if value == 0 { // ln Γ(1) and ln Γ(2) are checked below
				return math.Inf(1)
			}
			// For x < 12 the terms are those of ln Γ at 12 to 13, which are at most 21.
			return 4 + toUnits(4*max(21, x*math.Log(x))*0x1p-52, value)
		})
	for _, x := range []float64{1, 2} {
		if got := LogGamma(x); math.Abs(got) > 4*21*0x1p-52 {
			t.Errorf("LogGamma(%v) = %v, want 0 to within the rounding of its terms", x, got)
		}
	}
}

// TestBetaAgainstExactValues bounds the relative error of the result or, if x is above the mean, of
// its complement. Beta computes powers as exponentials. The terms of their exponents are up to
// (a+b) ln(a+b), and each is rounded a few times.
func TestBetaAgainstExactValues(t *testing.T) {
	checkAccuracy(t, "beta", func(a []float64) float64 { return Beta(a[0], a[1], a[2]) },
		func(a []float64, value float64) float64 {
			n := a[1] + a[2]
			relative := (100 + 4*n*math.Log(n)) * 0x1p-52
			if a[0] > a[1]/n {
				return toUnits(relative*max(1-value, 0x1p-52), value)
			}
			return toUnits(relative*value, value)
		})
}

// TestBetaQuantile checks that Beta of the quantile is p, to within the error of Beta and the
// effect of an error of 2⁻⁵⁰ in the quantile.
func TestBetaQuantile(t *testing.T) {
	for _, ab := range [][2]float64{{1, 1}, {0.5, 0.5}, {1, 10000}, {10000, 1}, {951, 50}, {1e6, 5e4}, {3, 1e6}} {
		for _, p := range []float64{1e-6, 0.0005, 0.025, 0.5, 0.975, 0.9995} {
			x := BetaQuantile(p, ab[0], ab[1])
			n := ab[0] + ab[1]
			tolerance := p*(100+4*n*math.Log(n))*0x1p-50 + betaDensity(x, ab[0], ab[1])*0x1p-50
			if got := Beta(x, ab[0], ab[1]); math.Abs(got-p) > tolerance {
				t.Errorf("a, b = %v: Beta(BetaQuantile(%v)) = %v, want %[2]v ± %.2g", ab, p, got, tolerance)
			}
		}
	}
}

func TestBetaLimits(t *testing.T) {
	if Beta(0, 2, 3) != 0 || Beta(1, 2, 3) != 1 {
		t.Error("Beta at 0 and 1 is not 0 and 1")
	}
	for name, f := range map[string]func(){
		"LogGamma(0)":          func() { LogGamma(0) },
		"Beta(−1, 1, 1)":       func() { Beta(-1, 1, 1) },
		"Beta(2, 1, 1)":        func() { Beta(2, 1, 1) },
		"Beta(½, 0, 1)":        func() { Beta(0.5, 0, 1) },
		"BetaQuantile(0, 1,1)": func() { BetaQuantile(0, 1, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", name)
				}
			}()
			f()
		}()
	}
}
