package theory

import (
	"math"
	"testing"
)

// A distribution of three values with κ = 3 and E x⁶ = 9: ±√3 with chance 1/6 each, else
// 0. By enumeration, with weights.
func TestGramCumulantsByEnumeration(t *testing.T) {
	values, weights := [3]float64{-math.Sqrt(3), 0, math.Sqrt(3)}, [3]float64{1.0 / 6, 2.0 / 3, 1.0 / 6}
	for _, c := range [][3]int{{1, 2, 3}, {2, 1, 2}, {2, 2, 2}, {3, 1, 2}, {2, 2, 3}} {
		d, n, m := c[0], c[1], c[2]
		x := make([]float64, (n+m)*d)
		var e [4]float64
		var walk func(i int, w float64)
		walk = func(i int, w float64) {
			if i < len(x) {
				for k := range values {
					x[i] = values[k]
					walk(i+1, w*weights[k])
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
		walk(0, 1)
		want := e[3] - 3*e[1]*e[2] + 2*e[1]*e[1]*e[1]
		if got := thirdCumulant(float64(d), float64(n), float64(m), 3, 9); !near(got, want, 1e-9) {
			t.Errorf("%v: %v, counted %v", c, got, want)
		}
		size := float64(n * m * d)
		relative := relativeVariance(float64(d), float64(n), float64(m), 3)
		if got := (e[2] - e[1]*e[1]) / size / size; !near(got, relative, 1e-9) {
			t.Errorf("%v: relative variance %v, counted %v", c, relative, got)
		}
	}
}

// One query and one key are a pair: the errors are those of Score.
func TestGramOfOnePair(t *testing.T) {
	for _, name := range []string{"normal", "uniform", "laplace"} {
		l := distributionOf(t, name)
		for _, d := range []int{1, 3, 64} {
			g, s := NewGram(l, d, 1, 1), NewScore(l, d)
			if !near(g.VarianceSE(100), s.SquareSE(100), 1e-12) || !near(g.VarianceSkew(), s.VarianceSkew(), 1e-9) ||
				g.MeanSE(100) != s.MeanSE(100) {
				t.Errorf("%s, d = %d: %+v, want %v and %v", name, d, g, s.SquareSE(100), s.VarianceSkew())
			}
		}
	}
}
