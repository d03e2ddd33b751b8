package theory

import (
	"math"
	"testing"
)

// TestGramCumulantsByEnumeration compares thirdCumulant and relativeVariance with an enumeration of
// all matrices with components that are ±√3 with probability 1/6 each and 0 otherwise. Their
// moments of orders 4 and 6 are 3 and 9.
func TestGramCumulantsByEnumeration(t *testing.T) {
	values, weights := [3]float64{-math.Sqrt(3), 0, math.Sqrt(3)}, [3]float64{1.0 / 6, 2.0 / 3, 1.0 / 6}
	for _, c := range [][3]int{{1, 2, 3}, {2, 1, 2}, {2, 2, 2}, {3, 1, 2}, {2, 2, 3}} {
		d, n, m := c[0], c[1], c[2]      // components, queries and keys
		x := make([]float64, (n+m)*d)    // components of all queries, then of all keys
		var e [4]float64                 // moments of the sum of squared scores
		var enumerate func(int, float64) // tries all values of the components from index i on
		enumerate = func(i int, w float64) {
			if i < len(x) {
				for k := range values {
					x[i] = values[k]
					enumerate(i+1, w*weights[k])
				}
				return
			}
			total := 0.0
			for i := range n {
				for j := range m {
					s := 0.0
					for t := range d {
						s += x[i*d+t] * x[(n+j)*d+t]
					}
					total += s * s
				}
			}
			for k := range e {
				e[k] += w * math.Pow(total, float64(k))
			}
		}
		enumerate(0, 1)
		want := e[3] - 3*e[1]*e[2] + 2*e[1]*e[1]*e[1]
		if got := thirdCumulant(float64(d), float64(n), float64(m), 3, 9); !isNear(got, want, 1e-9) {
			t.Errorf("%v: the third cumulant is %v, want %v", c, got, want)
		}
		size := float64(n * m * d)
		got, want := relativeVariance(float64(d), float64(n), float64(m), 3), (e[2]-e[1]*e[1])/size/size
		if !isNear(got, want, 1e-9) {
			t.Errorf("%v: the relative variance is %v, want %v", c, got, want)
		}
	}
}

// TestGramOfOnePair checks that Gram for one query and one key has the errors of Score.
func TestGramOfOnePair(t *testing.T) {
	for _, name := range []string{"normal", "uniform", "laplace"} {
		l := mustParse(t, name)
		for _, d := range []int{1, 3, 64} {
			g, s := NewGram(l, d, 1, 1), NewScore(l, d)
			if got, want := g.VarianceSE(100), s.SquareSE(100); !isNear(got, want, 1e-12) {
				t.Errorf("%s, d = %d: VarianceSE is %v, want %v", name, d, got, want)
			}
			if got, want := g.VarianceSkew(), s.VarianceSkew(); !isNear(got, want, 1e-9) {
				t.Errorf("%s, d = %d: VarianceSkew is %v, want %v", name, d, got, want)
			}
			if got, want := g.MeanSE(100), s.MeanSE(100); got != want {
				t.Errorf("%s, d = %d: MeanSE is %v, want %v", name, d, got, want)
			}
		}
	}
}
