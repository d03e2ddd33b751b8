package theory

import (
	"math"
	"testing"
)

// TestStudentQuantile compares the 97.5 % quantiles with mpmath 1.2.1 at 30 digits.
// scipy.stats.t.ppf(0.975, ν) of SciPy 1.10.1 agrees with them to 4·10⁻¹⁰.
func TestStudentQuantile(t *testing.T) {
	for dof, want := range map[float64]float64{
		1: 12.7062047361747046, 2: 4.30265272974946235, 15: 2.13144954555977568, 63: 1.99834054252074158,
		255: 1.96931056984987522, 1023: 1.96228561964726818, 1e5: 1.95998770753460964,
	} {
		if got := StudentQuantile(0.025, dof); math.Abs(got/want-1) > 1e-10 {
			t.Errorf("ν = %v: the quantile is %v, want %v", dof, got, want)
		}
	}
}

// TestStudentScore compares the scores with mpmath 1.2.1 at 30 digits, by its betainc and erfc.
func TestStudentScore(t *testing.T) {
	for _, c := range []struct{ t, dof, want float64 }{
		{1, 63, 0.99212606816921899}, {3.3, 63, 3.1569844773116344}, {9, 63, 7.1900871848507126},
		{9, 127, 7.9006016566958764}, {30, 63, 13.066361690967511}, {9, 2047, 8.9117412739228763},
		{9, 1e5, 8.9981558052863942}, {9, 1e6, 8.9998155080568112}, {200, 15, 10.784358341305098},
	} {
		if got := StudentScore(c.t, c.dof); math.Abs(got/c.want-1) > 1e-9 {
			t.Errorf("t = %v, ν = %v: the score is %v, want %v", c.t, c.dof, got, c.want)
		}
	}
	if got := StudentScore(0, 63); got != 0 {
		t.Errorf("t = 0: the score is %v, want 0", got)
	}
	if got := StudentScore(1e300, 63); !(got > 38 && got < 39) {
		t.Errorf("for a probability below the range of float64 the score is %v, want 38 to 39", got)
	}
}

// TestVarianceLimitsAgainstSciPy compares the limits with the quantiles of χ² at 2.5 % (low) and
// 97.5 % (high) by scipy.stats.chi2.ppf of SciPy 1.10.1.
func TestVarianceLimitsAgainstSciPy(t *testing.T) {
	for dof, quantile := range map[float64]struct{ low, high, tolerance float64 }{
		15:   {6.262137795043253, 27.488392863442975, 0.004},
		63:   {42.95027487549902, 86.82959056728612, 0.0007},
		255:  {212.6614263988956, 301.12504289690884, 0.0002},
		1023: {936.2547156270637, 1113.533363213067, 0.0001},
	} {
		lo, hi := VarianceLimits(3, dof, 0.025)
		wantLo, wantHi := 3*dof/quantile.high, 3*dof/quantile.low
		if math.Abs(lo/wantLo-1) > quantile.tolerance || math.Abs(hi/wantHi-1) > quantile.tolerance {
			t.Errorf("ν = %v: the limits are %v and %v, want %v and %v", dof, lo, hi, wantLo, wantHi)
		}
	}
}
