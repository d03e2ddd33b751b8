package theory

import (
	"math"
	"testing"
)

// TestProductTailAgainstMpmath compares with P(|q·k| > x) by mpmath 1.2.1 with 40 digits, from its
// own densities and tails (testdata/products.csv). The tolerance is for two effects: the tail of a
// bounded distribution near its end is a difference of nearly equal numbers, and a deep tail goes
// like e^{-x} with a rounded x.
func TestProductTailAgainstMpmath(t *testing.T) {
	for _, row := range readTable(t, "products.csv", 36) {
		l, x, want := row.words["distribution"], row.numbers["x"], row.numbers["tail"]
		if got := ProductTail(mustParse(t, l), x); !(math.Abs(got/want-1) <= 2e-11) {
			t.Errorf("%s beyond %v: %v, want %v, off by %.1e", l, x, got, want, got/want-1)
		}
	}
}

// TestProductTailEnds checks that products of signs are signs, that bounded distributions have an
// end, that the sphere has no single products, and that every number except 0 exceeds 0.
func TestProductTailEnds(t *testing.T) {
	for _, c := range []struct {
		distribution string
		x, want      float64
	}{
		{"rademacher", 0, 1}, {"rademacher", 0.999, 1}, {"rademacher", 1, 0}, {"uniform", 3, 0},
		{"triangular", 6.01, 0},
		{"truncated-normal", 5.2, 0}, {"sphere", 2, 0}, {"normal", 0, 1}, {"bernoulli-gaussian(0.1)", 0, 0.01},
		{"normal", 1e4, 0},
	} {
		if got := ProductTail(newScore(t, c.distribution, 1).distribution, c.x); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s beyond %v: %v, want %v", c.distribution, c.x, got, c.want)
		}
	}
}

// TestSESingleProductTail inserts the square that a product must have to raise the standard error
// into the change of V = m₄ − m₂² to first order, and expects that rise.
func TestSESingleProductTail(t *testing.T) {
	for _, name := range []string{"normal", "student-t(14)", "laplace"} {
		for _, d := range []int{1, 2, 16} {
			l := newScore(t, name, 1).distribution
			s := NewScore(l, d)
			const n, rise = 100000, 0.1
			got := s.SESingleProductTail(n, rise)
			// Bisection finds y = w² − 1 of the smallest product that raises the error by more than
			// rise.
			riseOf := func(y float64) float64 {
				w4, k2, D := (y+1)*(y+1), l.Kurtosis()*l.Kurtosis(), float64(d)
				v := D * D * (s.M4 - 1)
				return math.Sqrt(1+(w4-k2+6*(D-1)*y-2*D*y)/n/v) - 1
			}
			lo, hi := 10.0, 1e9
			for range 200 {
				if mid := (lo + hi) / 2; riseOf(mid) < rise {
					lo = mid
				} else {
					hi = mid
				}
			}
			want := n * float64(d) * ProductTail(l, math.Sqrt(1+lo))
			if !(math.Abs(got/want-1) < 1e-6) {
				t.Errorf("%s, d = %d: %v, want %v", name, d, got, want)
			}
		}
	}
}

// TestKurtosisSingleComponentTail replaces one component of a large sample of variance 1 by x, and
// compares with the change of m₄/m₂² computed by hand.
func TestKurtosisSingleComponentTail(t *testing.T) {
	for _, name := range []string{"normal", "laplace", "bernoulli-gaussian(0.1)"} {
		l := newScore(t, name, 1).distribution
		k := l.Kurtosis()
		const n = 1e11 // so large that only the first order in 1/n matters
		for _, x := range []float64{9, 12} {
			m2, m4 := (n-1+x*x)/n, ((n-1)*k+x*x*x*x)/n
			rise := m4/(m2*m2) - k
			if got, want := KurtosisSingleComponentTail(l, n, rise),
				n*ComponentTail(l, x); !(rise > 0) || !(math.Abs(got/want-1) < 1e-3) {
				t.Errorf("%s, x = %v: %v, want %v", name, x, got, want)
			}
		}
	}
}
