package moments

import (
	"math"
	"testing"
)

func TestNoSpread(t *testing.T) {
	for n := range 3 {
		m := Of(make([]float64, n), 4)
		if m.N != int64(n) || m.Mean != 0 || m.Sum != [MaxOrder + 1]float64{} {
			t.Errorf("%d zeros: %+v", n, m)
		}
		if v := m.Variance(); n < 2 && !math.IsNaN(v) || n == 2 && v != 0 {
			t.Errorf("variance of %d zeros is %v", n, v)
		}
		if !math.IsNaN(m.Standard(3)) || !math.IsNaN(m.Standard(4)) {
			t.Errorf("skewness and kurtosis of %d zeros are %v and %v", n, m.Standard(3), m.Standard(4))
		}
	}
}

func TestPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"order 1":              func() { Of(nil, 1) },
		"order 9":              func() { Of(nil, 9) },
		"merge of two orders":  func() { Merge(Of(nil, 2), Of(nil, 3)) },
		"order not kept":       func() { Of([]float64{1, 2}, 2).Standard(3) },
		"nodes of two layouts": func() { MergeNodes(Node{Counts: make([]int64, 1)}, Node{}) },
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
