package theory

import (
	"math"
	"testing"
)

// sumOfProducts returns the variance of q·k for independent q and k of mean 0 and variance 1 with
// the given correlations of components i and j: the sum of the elements of C_q∘C_k.
func sumOfProducts(d int, q, k func(i, j int) float64) (sum float64) {
	for i := range d {
		for j := range d {
			sum += q(i, j) * k(i, j)
		}
	}
	return sum
}

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

// TestVarianceWithCorrelations checks that the variance of a score grows like d_k² if all
// correlations are equal and of one sign, as [Mismatch] has it. If correlations decrease with
// distance, it grows like d_k: to 5/3 and 3/5 of d_k, as the page on the variance says.
func TestVarianceWithCorrelations(t *testing.T) {
	for _, d := range []int{4, 16, 64} {
		m := Mismatch{D: d, Q: Components{SD: 1, Correlation: 0.1}, K: Components{SD: 1, Correlation: 0.1}}
		if got, want := m.Variance(),
			sumOfProducts(d, equalCorrelation(0.1), equalCorrelation(0.1)); math.Abs(got/want-1) > 1e-12 {
			t.Errorf("d_k = %d: equal correlations give %v, want %v", d, got, want)
		}
	}
	// NumPy 1.24.2; 400,000 pairs sampled at d_k = 64 give 1.653 ± 0.004 and 0.6046 ± 0.0014.
	for _, c := range []struct {
		d       int
		keyBase float64
		want    float64 // variance over d_k
	}{
		{64, 0.5, 1.6527777777777777}, {256, 0.5, 1.6631944444444442}, {1024, 0.5, 1.6657986111111087},
		{64, -0.5, 0.605}, {256, -0.5, 0.60125}, {1024, -0.5, 0.6003125},
	} {
		got := sumOfProducts(c.d, fadingCorrelation(0.5), fadingCorrelation(c.keyBase)) / float64(c.d)
		if math.Abs(got-c.want) > 1e-12 {
			t.Errorf("d_k = %d: correlations that fade by 1/2 and %v give %v·d_k, want %v", c.d, c.keyBase, got, c.want)
		}
		limit := map[float64]float64{0.5: 5.0 / 3, -0.5: 3.0 / 5}[c.keyBase]
		if math.Abs(got-limit) > 1/float64(c.d) {
			t.Errorf("d_k = %d: %v·d_k is farther than d_k⁻¹ from %v", c.d, got, limit)
		}
	}
}
