package gate

import (
	"math"
	"strings"
	"testing"

	"mcsim/sim/names"
)

// varianceCheck returns a check of s²/d for scores q·k with the given excess kurtosis.
func varianceCheck(excess, tolerance float64) Check {
	return Check{
		Name: "variance", Cell: "cell", Expect: names.ExpectInside, Tolerance: tolerance, NumbersPerUnit: 1,
		Expected: func(n int64) (float64, float64, [2]float64) {
			return 1, math.Sqrt(2/float64(n-1) + excess/float64(n)), [2]float64{1 - tolerance, 1 + tolerance}
		},
	}
}

// TestSamples compares Samples with the smallest n for which
// (2/(n−1) + γ₂/n)(z_{α/2G} + z_β)² ≤ τ², where γ₂ is the excess kurtosis and τ the tolerance. It
// was computed by mpmath 1.2.1 with 30 digits, given z by SciPy 1.10.1. The first case is the
// example of docs/design.md: 2.27 million pairs of normal vectors at d = 64.
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
		if err != nil {
			t.Fatal(err)
		}
		if got != c.want {
			t.Errorf("γ₂ = %v, τ = %v: got %d samples, want %d", c.excess, c.tolerance, got, c.want)
		}
	}
}

// TestSamplesForSkewedNumbers checks that Samples returns the smallest n for which NormalError,
// |γ|z³/(6√n), is at most TailLimit: 0.3 for a tolerance of at least 5 %, otherwise 0.1. Here γ =
// ±3 and z = 5.669928479157211 (SciPy 1.10.1), so that n = γ²z⁶/(36·0.1²) = 830 643.1, or 92 293.7
// with 0.3. These numbers exceed the numbers that the standard errors require.
func TestSamplesForSkewedNumbers(t *testing.T) {
	rates := Rates{Alpha: 1e-6, Beta: 1e-6, Gates: 70}
	const z = 5.669928479157211
	for _, skew := range []float64{3, -3} {
		for tolerance, limit := range map[float64]float64{0.05: 0.3, 0.049: 0.1, 0.2: 0.3} {
			c := varianceCheck(0, tolerance)
			c.Skew = skew
			want := int64(math.Ceil(9 * math.Pow(z, 6) / 36 / (limit * limit)))
			got, err := Samples(c, rates)
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("γ = %v, τ = %v: got %d samples, want %d", skew, tolerance, got, want)
			}
		}
	}
}

// TestSamplesAreMinimal checks that the number of units that Samples returns is enough, but one
// less is not.
func TestSamplesAreMinimal(t *testing.T) {
	for _, rates := range []Rates{{1e-6, 1e-6, 70}, {0.05, 0.2, 1}, {0.3, 0.3, 2}} {
		for _, tolerance := range []float64{0.001, 0.01, 0.05, 0.3} {
			for _, expect := range []string{names.ExpectInside, names.ExpectOutside} {
				for _, perUnit := range []float64{1, 0.5, 0.9921875} {
					c := varianceCheck(1.5, tolerance)
					c.NumbersPerUnit, c.Expect = perUnit, expect
					if expect == names.ExpectOutside {
						insideExpected := c.Expected
						c.Expected = func(n int64) (float64, float64, [2]float64) {
							_, se, band := insideExpected(n)
							return 1 + 2.5*tolerance, se, band
						}
					}
					n, err := Samples(c, rates)
					if err != nil {
						t.Fatal(err)
					}
					if !passesAtQuantile(c, rates, n) {
						t.Errorf("%+v, τ = %v, gate %s, %v numbers per unit: %d units are too few", rates,
							tolerance, expect, perUnit, n)
					}
					if n > 2 && passesAtQuantile(c, rates, n-1) {
						t.Errorf("%+v, τ = %v, gate %s, %v numbers per unit: got %d units, but one less is enough",
							rates, tolerance, expect, perUnit, n)
					}
				}
			}
		}
	}
}

// passesAtQuantile reports whether, with the given number of units, a gate passes if the estimate
// is z_{α/2G} standard errors from the theoretical value toward an edge of the band.
func passesAtQuantile(c Check, r Rates, units int64) bool {
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

// TestSamplesIfNoNumberIsEnough checks that Samples returns an error that names the check if no
// number is enough, and the minimum of 2 if the standard error is not known.
func TestSamplesIfNoNumberIsEnough(t *testing.T) {
	outside := varianceCheck(0, 0.01)
	outside.Expect = names.ExpectOutside // the theoretical value is inside
	infinitelySkewed := varianceCheck(0, 0.01)
	infinitelySkewed.Skew = math.Inf(1)
	infiniteError := varianceCheck(math.Inf(1), 0.01)
	for name, c := range map[string]Check{
		"theory on the wrong side": outside, "infinite skewness": infinitelySkewed, "infinite error": infiniteError,
	} {
		n, err := Samples(c, Rates{0.05, 0.05, 1})
		if err == nil {
			t.Errorf("%s: got %d samples, want an error", name, n)
		} else if !strings.Contains(err.Error(), "variance of cell") {
			t.Errorf("%s: the error %q does not contain the name of the check", name, err)
		}
	}
	unknownError := varianceCheck(math.NaN(), 0.01)
	n, err := Samples(unknownError, Rates{0.05, 0.05, 1})
	if err != nil {
		t.Fatal(err)
	}
	if n != 2 {
		t.Errorf("unknown standard error: got %d samples, want 2", n)
	}
}
