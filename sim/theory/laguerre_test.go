package theory

import (
	"math"
	"testing"
)

// m points give the first 2m moments of the law exactly: those of χ²_d/2 are
// Γ(d/2 + k)/Γ(d/2).
func TestLaguerre(t *testing.T) {
	for _, d := range []int{1, 2, 7, 64, 1000} {
		for _, m := range []int{1, 2, 6, 13} {
			q := laguerre(m, d)
			want := 1.0
			for k := range 2 * m {
				got := 0.0
				for i, x := range q.at {
					got += q.weight[i] * math.Pow(x, float64(k))
				}
				if math.Abs(got/want-1) > 1e-12 {
					t.Errorf("d = %d, %d points: moment %d is %v, want %v", d, m, k, got, want)
				}
				want *= float64(d)/2 + float64(k)
			}
		}
	}
}
