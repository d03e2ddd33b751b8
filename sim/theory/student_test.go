package theory

import (
	"math"
	"testing"
)

// By mpmath 1.2.1 to 30 digits. scipy.stats.t.ppf(0.975, ν) of SciPy 1.10.1 has
// the same to 4·10⁻¹⁰.
func TestStudentQuantile(t *testing.T) {
	for freedom, want := range map[float64]float64{
		1: 12.7062047361747046, 2: 4.30265272974946235, 15: 2.13144954555977568, 63: 1.99834054252074158,
		255: 1.96931056984987522, 1023: 1.96228561964726818, 1e5: 1.95998770753460964,
	} {
		if got := StudentQuantile(0.025, freedom); math.Abs(got/want-1) > 1e-10 {
			t.Errorf("ν = %v: %v, want %v", freedom, got, want)
		}
	}
}

// scipy.stats.chi2.ppf of SciPy 1.10.1, at 2.5 and 97.5 %.
func TestVarianceLimitsAgainstSciPy(t *testing.T) {
	for freedom, of := range map[float64]struct{ lo, hi, off float64 }{
		15:   {6.262137795043253, 27.488392863442975, 0.004},
		63:   {42.95027487549902, 86.82959056728612, 0.0007},
		255:  {212.6614263988956, 301.12504289690884, 0.0002},
		1023: {936.2547156270637, 1113.533363213067, 0.0001},
	} {
		lo, hi := VarianceLimits(3, freedom, 0.025)
		if math.Abs(lo*of.hi/(3*freedom)-1) > of.off || math.Abs(hi*of.lo/(3*freedom)-1) > of.off {
			t.Errorf("ν = %v: %v to %v, want %v to %v", freedom, lo, hi, 3*freedom/of.hi, 3*freedom/of.lo)
		}
	}
}
