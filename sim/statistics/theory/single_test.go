package theory

import (
	"math"
	"testing"
)

// TestProductTailAgainstMpmath compares ProductTail with P(|q·k| > x) by mpmath 1.2.1 with 40
// digits (testdata/products.csv). The tolerance is for two effects: the tail of a bounded
// distribution near its maximum is a difference of nearly equal numbers, and a far tail falls like
// e^{-x} with a rounded x.
func TestProductTailAgainstMpmath(t *testing.T) {
	for _, row := range readTable(t, "products.csv", 36) {
		l, x, want := row.words["distribution"], row.numbers["x"], row.numbers["tail"]
		if got := ProductTail(mustParse(t, l), x); !(math.Abs(got/want-1) <= 2e-11) {
			t.Errorf("%s: the tail beyond %v is %v, want %v, relative error %.1e", l, x, got, want, got/want-1)
		}
	}
}

// TestProductTailEnds checks ProductTail at 0 and beyond the largest product: products of ±1 are
// ±1, bounded distributions have a largest product, the tail of the sphere is 0 by definition, and
// only products other than 0 exceed 0.
func TestProductTailEnds(t *testing.T) {
	for _, c := range []struct {
		distribution string
		x, want      float64
	}{
		{"rademacher", 0, 1}, {"rademacher", 0.999, 1}, {"rademacher", 1, 0},
		{"uniform", 3, 0}, {"triangular", 6.01, 0}, {"truncated-normal", 5.2, 0}, {"sphere", 2, 0},
		{"normal", 0, 1}, {"normal", 1e4, 0}, {"bernoulli-gaussian(0.1)", 0, 0.01},
	} {
		if got := ProductTail(newScore(t, c.distribution, 1).distribution, c.x); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s: the tail beyond %v is %v, want %v", c.distribution, c.x, got, c.want)
		}
	}
}

// TestSESingleProductTail compares SESingleProductTail with the tail beyond the smallest product
// that raises the standard error by more than rise. The test finds this product by bisection of the
// change of V = m₄ − m₂² to first order.
func TestSESingleProductTail(t *testing.T) {
	for _, name := range []string{"normal", "student-t(14)", "laplace"} {
		for _, d := range []int{1, 2, 16} {
			l := newScore(t, name, 1).distribution
			s := NewScore(l, d)
			const n, rise = 100000, 0.1
			got := s.SESingleProductTail(n, rise)
			// riseOf returns the relative rise of the standard error by a product with y = w² − 1.
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
				t.Errorf("%s, d = %d: got %v, want %v", name, d, got, want)
			}
		}
	}
}

// TestKurtosisSingleComponentTail replaces one component of a large sample of variance 1 by x,
// computes the rise of m₄/m₂², and checks that KurtosisSingleComponentTail of this rise is the
// probability of a component beyond x.
func TestKurtosisSingleComponentTail(t *testing.T) {
	for _, name := range []string{"normal", "laplace", "bernoulli-gaussian(0.1)"} {
		l := newScore(t, name, 1).distribution
		k := l.Kurtosis()
		const n = 1e11 // so large that only the first order in 1/n matters
		for _, x := range []float64{9, 12} {
			m2, m4 := (n-1+x*x)/n, ((n-1)*k+x*x*x*x)/n
			rise := m4/(m2*m2) - k
			if !(rise > 0) {
				t.Errorf("%s, x = %v: the kurtosis rises by %v, want a positive number", name, x, rise)
			}
			got, want := KurtosisSingleComponentTail(l, n, rise), n*ComponentTail(l, x)
			if !(math.Abs(got/want-1) < 1e-3) {
				t.Errorf("%s, x = %v: got %v, want %v", name, x, got, want)
			}
		}
	}
}
