package theory

import (
	"math"
	"testing"
)

// dotVariance returns the variance of q·k for independent vectors q and k of d components of mean 0
// and variance 1. The functions q and k return the correlation of components i and j of these
// vectors. The variance is the sum of the products of their elements.
func dotVariance(d int, q, k func(i, j int) float64) (sum float64) {
	for i := range d {
		for j := range d {
			sum += q(i, j) * k(i, j)
		}
	}
	return sum
}

// fadingCorrelation returns the correlations base^|i−j|.
func fadingCorrelation(base float64) func(i, j int) float64 {
	return func(i, j int) float64 { return math.Pow(base, math.Abs(float64(i-j))) }
}

func equalCorrelation(r float64) func(i, j int) float64 {
	return func(i, j int) float64 {
		if i == j {
			return 1
		}
		return r
	}
}

// TestVarianceWithCorrelations compares [Mismatch.Variance] for equal correlations with
// dotVariance. It also checks that for correlations that fade with the distance of the components,
// the variance over d_k approaches the limits 5/3 and 3/5, as the page on the variance says.
func TestVarianceWithCorrelations(t *testing.T) {
	for _, d := range []int{4, 16, 64} {
		m := Mismatch{D: d, Q: Components{SD: 1, Correlation: 0.1}, K: Components{SD: 1, Correlation: 0.1}}
		got, want := m.Variance(), dotVariance(d, equalCorrelation(0.1), equalCorrelation(0.1))
		if math.Abs(got/want-1) > 1e-12 {
			t.Errorf("d_k = %d: the variance with equal correlations is %v, want %v", d, got, want)
		}
	}
	// By NumPy 1.24.2. 400,000 pairs sampled at d_k = 64 gave 1.653 ± 0.004 and 0.6046 ± 0.0014.
	for _, c := range []struct {
		d       int
		keyBase float64
		want    float64 // variance over d_k
	}{
		{64, 0.5, 1.6527777777777777}, {256, 0.5, 1.6631944444444442}, {1024, 0.5, 1.6657986111111087},
		{64, -0.5, 0.605}, {256, -0.5, 0.60125}, {1024, -0.5, 0.6003125},
	} {
		got := dotVariance(c.d, fadingCorrelation(0.5), fadingCorrelation(c.keyBase)) / float64(c.d)
		if math.Abs(got-c.want) > 1e-12 {
			t.Errorf("d_k = %d, bases 1/2 and %v: the variance over d_k is %v, want %v", c.d, c.keyBase, got, c.want)
		}
		limit := map[float64]float64{0.5: 5.0 / 3, -0.5: 3.0 / 5}[c.keyBase]
		if math.Abs(got-limit) > 1/float64(c.d) {
			t.Errorf("d_k = %d: the variance over d_k is %v, want %v to within 1/d_k", c.d, got, limit)
		}
	}
}
