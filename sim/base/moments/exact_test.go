package moments

import (
	"math"
	"testing"
)

func TestNoSpread(t *testing.T) {
	for n := range 3 {
		m := New(make([]float64, n), 4)
		if m.N != int64(n) || m.Mean != 0 || m.Sum != [MaxOrder + 1]float64{} {
			t.Errorf("%d zeros: %+v", n, m)
		}
		if v := m.Variance(); n < 2 && !math.IsNaN(v) || n == 2 && v != 0 {
			t.Errorf("variance of %d zeros is %v", n, v)
		}
		if !math.IsNaN(m.Standardised(3)) || !math.IsNaN(m.Standardised(4)) {
			t.Errorf("skewness and kurtosis of %d zeros are %v and %v", n, m.Standardised(3), m.Standardised(4))
		}
	}
}
