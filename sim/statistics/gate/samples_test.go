package gate

import (
	"math"
	"strings"
	"testing"

	"mcsim/sim/names"
)

// varianceCheck is a gate on s²/d for an excess kurtosis of q·k.
func varianceCheck(excess, tolerance float64) Check {
	return Check{Name: "variance", Cell: "cell", Expect: names.ExpectInside, Tolerance: tolerance, NumbersPerUnit: 1,
		Expected: func(n int64) (float64, float64, [2]float64) {
			return 1, math.Sqrt(2/float64(n-1) + excess/float64(n)), [2]float64{1 - tolerance, 1 + tolerance}
		}}
}

// TestSamples compares with the smallest n with (2/(n−1) + γ₂/n)(z_{α/2G} + z_β)² ≤ τ², z by SciPy
// 1.10.1 and the rest by mpmath 1.2.1 in 30 digits. The first case is the example of
// docs/design.md: 2.27 million pairs of normal vectors at d = 64.
func TestSamples(t *testing.T) {
	rates := Rates{Alpha: 1e-6, Beta: 1e-6, Gates: 70}
	for _, c := range []struct {
		excess, tolerance float64
		want              int64
	}{
		{6.0 / 64, 0.01, 2274783},
		{6.0 / 64, 0.05, 90993},
		{0, 0.01, 2172927},
		{-2.0 / 8, 0.05, 76054},
		{6, 0.05, 347669},
	} {
		got, err := Samples(varianceCheck(c.excess, c.tolerance), rates)
		if err != nil || got != c.want {
			t.Errorf("γ₂ = %v, τ = %v: %d samples (%v), want %d", c.excess, c.tolerance, got, err, c.want)
		}
	}
}

// TestSamplesForSkewedNumbers checks |γ|z³/(6√n) ≤ 0.1, or 0.3 for a tolerance of at least 5 %:
// n = γ²z⁶/(36·0.1²), here with γ = 3 and z = 5.669928479157211 (SciPy 1.10.1). These are 830 643.1
// and, with 0.3, 92 293.7; both exceed what the standard errors require.
func TestSamplesForSkewedNumbers(t *testing.T) {
	rates := Rates{Alpha: 1e-6, Beta: 1e-6, Gates: 70}
	z := 5.669928479157211
	for _, skew := range []float64{3, -3} {
		for tolerance, limit := range map[float64]float64{0.05: 0.3, 0.049: 0.1, 0.2: 0.3} {
			c := varianceCheck(0, tolerance)
			c.Skew = skew
			want := int64(math.Ceil(9 * math.Pow(z, 6) / 36 / (limit * limit)))
			if got, err := Samples(c, rates); err != nil || got != want {
				t.Errorf("γ = %v, τ = %v: %d samples (%v), want %d", skew, tolerance, got, err, want)
			}
		}
	}
}

// TestSamplesAreMinimal checks that the result is enough and one unit less is not.
func TestSamplesAreMinimal(t *testing.T) {
	for _, rates := range []Rates{{1e-6, 1e-6, 70}, {0.05, 0.2, 1}, {0.3, 0.3, 2}} {
		for _, tolerance := range []float64{0.001, 0.01, 0.05, 0.3} {
			for _, expect := range []string{names.ExpectInside, names.ExpectOutside} {
				for _, perUnit := range []float64{1, 0.5, 0.9921875} {
					c := varianceCheck(1.5, tolerance)
					c.NumbersPerUnit, c.Expect = perUnit, expect
					if expect == names.ExpectOutside {
						inner := c.Expected
						c.Expected = func(n int64) (float64, float64, [2]float64) {
							_, se, band := inner(n)
							return 1 + 2.5*tolerance, se, band
						}
					}
					n, err := Samples(c, rates)
					if err != nil {
						t.Fatal(err)
					}
					if !isBandReached(c, rates, n) || n > 2 && isBandReached(c, rates, n-1) {
						t.Errorf("%+v, τ = %v, %s, %v numbers per unit: %d samples are not the minimum", rates,
							tolerance, expect, perUnit, n)
					}
				}
			}
		}
	}
}

// isBandReached reports whether, with the given number of units, the interval of an estimate that
// is z_{α/2G} standard errors from theory on the worse side still passes.
func isBandReached(c Check, r Rates, units int64) bool {
	n := int64(float64(units) * c.NumbersPerUnit)
	if n < 2 {
		return false
	}
	theory, se, band := c.Expected(n)
	margin := (r.ZAlpha() + r.ZBeta()) * se
	if c.Expect == names.ExpectOutside {
		return theory-margin >= band[1]
	}
	return theory-margin >= band[0] && theory+margin <= band[1]
}

func TestSamplesWithoutEnd(t *testing.T) {
	outside := varianceCheck(0, 0.01)
	outside.Expect = names.ExpectOutside // the theoretical value is inside
	endless := varianceCheck(0, 0.01)
	endless.Skew = math.Inf(1)
	infinite := varianceCheck(math.Inf(1), 0.01)
	for name, c := range map[string]Check{"theory on the wrong side": outside, "infinite skewness": endless,
		"infinite error": infinite} {
		if n, err := Samples(c, Rates{0.05, 0.05, 1}); err == nil ||
			!strings.Contains(err.Error(), "variance of cell") {
			t.Errorf("%s: %d samples, %v", name, n, err)
		}
	}
	unknown := varianceCheck(math.NaN(), 0.01) // no exact error: any number does
	if n, err := Samples(unknown, Rates{0.05, 0.05, 1}); err != nil || n != 2 {
		t.Errorf("unknown error: %d samples, %v", n, err)
	}
}
