package theory

import (
	"math"
	"math/big"
	"testing"
)

func newScore(t *testing.T, text string, d int) Score {
	t.Helper()
	return NewScore(mustParse(t, text), d)
}

func isNear(a, b, relative float64) bool {
	return math.Abs(a-b) <= relative*max(math.Abs(a), math.Abs(b))
}

// TestRademacherByCounting compares the moments for components ±1 with finite sums. Their products
// are ±1, too, so that S = 2·Binomial(d, ½) − d.
func TestRademacherByCounting(t *testing.T) {
	for _, d := range []int{1, 2, 3, 8, 20} {
		s := newScore(t, "rademacher", d)
		for k, got := range map[int]float64{4: s.M4, 6: s.M6, 8: s.M8, 10: s.M10, 12: s.M12} {
			var sum float64
			for heads := range d + 1 {
				ways, _ := new(big.Int).Binomial(int64(d), int64(heads)).Float64()
				sum += ways * math.Pow(float64(2*heads-d), float64(k))
			}
			want := sum / math.Pow(2, float64(d)) / math.Pow(float64(d), float64(k)/2)
			if !isNear(got, want, 1e-13) {
				t.Errorf("d = %d: M%d is %v, want %v", d, k, got, want)
			}
		}
	}
}

// TestOneDimension compares the moments in one dimension, where S is a single product, with the
// squares of the moments of a component.
func TestOneDimension(t *testing.T) {
	for _, name := range []string{"normal", "uniform", "laplace", "triangular", "truncated-normal",
		"bernoulli-gaussian(0.1)", "student-t(10)"} {
		l := mustParse(t, name)
		s := NewScore(l, 1)
		for k, got := range map[int]float64{4: s.M4, 6: s.M6, 8: s.M8, 10: s.M10, 12: s.M12} {
			// The conversion to cumulants and back cancels terms up to 1260·κ².
			if want := square(l.Moment(k)); got != want && !isNear(got, want, 1e-11) {
				t.Errorf("%s: M%d is %v, want %v", name, k, got, want)
			}
		}
	}
}

// TestSphere checks the moments of two vectors on a circle and on the sphere in one dimension. On
// the circle S = 2 cos θ with E cos⁴θ = 3/8, and 5/16, 35/128, 63/256 and 231/1024 for the powers
// 6, 8, 10 and 12. In one dimension S is ±1.
func TestSphere(t *testing.T) {
	check := func(d int, want map[string]float64) {
		s := newScore(t, "sphere", d)
		for name, got := range map[string]float64{"M4": s.M4, "M6": s.M6, "M8": s.M8, "M10": s.M10, "M12": s.M12} {
			if !isNear(got, want[name], 1e-15) {
				t.Errorf("d = %d: %s is %v, want %v", d, name, got, want[name])
			}
		}
	}
	check(2, map[string]float64{"M4": 1.5, "M6": 2.5, "M8": 4.375, "M10": 7.875, "M12": 14.4375})
	check(1, map[string]float64{"M4": 1, "M6": 1, "M8": 1, "M10": 1, "M12": 1})
}

// TestNormalLimit compares the results for a normal S, the limit of many components, with textbook
// values. The skewness of S² is √8, the standard errors of skewness and kurtosis are √(6/n) and
// √(24/n), and the bias of the kurtosis is −6/n. ErrorOfError is
// ½√((15·7 − 4·15 + 18 − 3)/4 − 1)/√n = ½√(14/n).
func TestNormalLimit(t *testing.T) {
	s := Score{ExactMoments: ExactMoments{Variance: 5, M4: 3, M6: 15, M8: 105}, D: 5}
	const n = 1000
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"Variance", s.Variance(), 5},
		{"Excess", s.Excess(), 0},
		{"MeanSE", s.MeanSE(n), math.Sqrt(5.0 / n)},
		{"VarianceSE", s.VarianceSE(n), 5 * math.Sqrt(2.0/(n-1))},
		{"VarianceSkew", s.VarianceSkew(), math.Sqrt(8)},
		{"ErrorOfError", s.ErrorOfError(n), math.Sqrt(14.0/n) / 2},
		{"SkewnessSE", s.SkewnessSE(n), math.Sqrt(6.0 / n)},
		{"KurtosisSE", s.KurtosisSE(n), math.Sqrt(24.0 / n)},
		{"KurtosisBias", s.KurtosisBias(n), -6.0 / n},
	} {
		if c.got != c.want && !isNear(c.got, c.want, 1e-14) {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
}

// TestConstantSquare checks that VarianceSkew and ErrorOfError are 0, and not NaN, if S² is
// constant.
func TestConstantSquare(t *testing.T) {
	for _, s := range []Score{newScore(t, "rademacher", 1), newScore(t, "sphere", 1)} {
		if s.VarianceSkew() != 0 || s.ErrorOfError(100) != 0 {
			t.Errorf("%+v: VarianceSkew is %v and ErrorOfError is %v, want 0", s, s.VarianceSkew(), s.ErrorOfError(100))
		}
		// Var(s²) = 2/(n−1) − 2/n is not 0, because the mean is estimated.
		if got, want := s.VarianceSE(100), math.Sqrt(2.0/99-2.0/100); !isNear(got, want, 1e-12) {
			t.Errorf("%+v: the standard error of s² is %v, want %v", s, got, want)
		}
	}
}

// TestVarianceSESkew compares with the value for a normal score, computed by hand. There Y = S² has
// the distribution χ²₁, with the central moments 2, 8, 60 and 6040 of orders 2, 3, 4 and 6.
// Therefore v = 56, the third cumulant is 6040 − 360 + 16 − 384 = 5312, and the result is
// 5312/56^{3/2} − (3/2)√56/2 = 7.0637.
func TestVarianceSESkew(t *testing.T) {
	normal := Score{ExactMoments: ExactMoments{Variance: 1, M4: 3, M6: 15, M8: 105}, M10: 945, M12: 10395}
	want := 5312/math.Pow(56, 1.5) - 0.75*math.Sqrt(56)
	if got := normal.VarianceSESkew(); !isNear(got, want, 1e-13) {
		t.Errorf("normal score: got %v, want %v", got, want)
	}
	if got := newScore(t, "uniform", 1<<20).VarianceSESkew(); !isNear(got, want, 1e-4) {
		t.Errorf("sum of 2²⁰ products: got %v, want %v", got, want)
	}
	// The central moments of Y are 0 or the needed moments do not exist.
	for _, distribution := range []string{"rademacher", "student-t(10)"} {
		if got := newScore(t, distribution, 2).VarianceSESkew(); !math.IsNaN(got) {
			t.Errorf("%s: got %v, want NaN", distribution, got)
		}
	}
}
