package moments

import (
	"math"
	"testing"
)

func TestMomentsOfZeros(t *testing.T) {
	for n := range 3 {
		m := New(make([]float64, n), 4)
		if m.N != int64(n) || m.Mean != 0 || m.Sum != [MaxOrder + 1]float64{} {
			t.Errorf("moments of %d zeros are %+v, want a mean and sums of 0", n, m)
		}
		v := m.Variance()
		if n < 2 && !math.IsNaN(v) {
			t.Errorf("variance of %d numbers is %v, want NaN", n, v)
		}
		if n == 2 && v != 0 {
			t.Errorf("variance of 2 zeros is %v, want 0", v)
		}
		if !math.IsNaN(m.Standardised(3)) || !math.IsNaN(m.Standardised(4)) {
			t.Errorf("skewness and kurtosis of %d zeros are %v and %v, want NaN", n, m.Standardised(3), m.Standardised(4))
		}
	}
}
