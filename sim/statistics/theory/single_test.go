package theory

import (
	"math"
	"testing"
)

// testdata/products.csv: P(|q·k| > x) by mpmath 1.2.1 with 40 digits, from densities and tails of
// its own. The tail of a bounded distribution next to its end is a difference of numbers that are
// nearly equal, and a deep one goes as e^{-x}, of which x is rounded.
func TestProductTailAgainstMpmath(t *testing.T) {
	for _, row := range readTable(t, "products.csv", 36) {
		l, x, want := row.word["distribution"], row.at["x"], row.at["tail"]
		if got := ProductTail(distributionOf(t, l), x); !(math.Abs(got/want-1) <= 2e-11) {
			t.Errorf("%s beyond %v: %v, want %v, off by %.1e", l, x, got, want, got/want-1)
		}
	}
}

// Products of signs are signs, what is bounded has an end, the sphere has no products
// apart, and without a limit everything that is not 0 is beyond it.
func TestProductTailEnds(t *testing.T) {
	for _, c := range []struct {
		distribution string
		x, want      float64
	}{
		{"rademacher", 0, 1}, {"rademacher", 0.999, 1}, {"rademacher", 1, 0}, {"uniform", 3, 0}, {"triangular", 6.01, 0},
		{"truncated-normal", 5.2, 0}, {"sphere", 2, 0}, {"normal", 0, 1}, {"bernoulli-gaussian(0.1)", 0, 0.01}, {"normal", 1e4, 0},
	} {
		if got := ProductTail(score(t, c.distribution, 1).distribution, c.x); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s beyond %v: %v, want %v", c.distribution, c.x, got, c.want)
		}
	}
}

// The square that a product must have to raise the sample's own error, put back into the
// raise of V = m₄ − m₂² to first order, gives that error.
func TestErrorSingle(t *testing.T) {
	for _, name := range []string{"normal", "student-t(14)", "laplace"} {
		for _, d := range []int{1, 2, 16} {
			l := score(t, name, 1).distribution
			s := NewScore(l, d)
			const n, rise = 100000, 0.1
			chance := s.ErrorSingle(n, rise)
			// The limit on w², found by halving.
			raise := func(y float64) float64 {
				w4, k2, D := (y+1)*(y+1), l.Kurtosis()*l.Kurtosis(), float64(d)
				v := D * D * (s.M4 - 1)
				return math.Sqrt(1+(w4-k2+6*(D-1)*y-2*D*y)/n/v) - 1
			}
			lo, hi := 10.0, 1e9
			for range 200 {
				if mid := (lo + hi) / 2; raise(mid) < rise {
					lo = mid
				} else {
					hi = mid
				}
			}
			want := n * float64(d) * ProductTail(l, math.Sqrt(1+lo))
			if !(math.Abs(chance/want-1) < 1e-6) {
				t.Errorf("%s, d = %d: %v, want %v", name, d, chance, want)
			}
		}
	}
}

// The kurtosis of a large sample of variance 1 rises by what one component
// that is put in place of another makes by hand: m₄/m₂² with both moments moved.
func TestKurtosisSingle(t *testing.T) {
	for _, name := range []string{"normal", "laplace", "bernoulli-gaussian(0.1)"} {
		l := score(t, name, 1).distribution
		k := l.Kurtosis()
		const n = 1e11 // so large that the first order in 1/n is all
		for _, x := range []float64{9, 12} {
			m2, m4 := (n-1+x*x)/n, ((n-1)*k+x*x*x*x)/n
			rise := m4/(m2*m2) - k
			if got, want := KurtosisSingle(l, n, rise), n*ComponentTail(l, x); !(rise > 0) || !(math.Abs(got/want-1) < 1e-3) {
				t.Errorf("%s, x = %v: %v, want %v", name, x, got, want)
			}
		}
	}
}
