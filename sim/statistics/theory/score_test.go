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

// TestRademacherByCounting uses that products of signs are signs, so that S = 2·Binomial(d, ½) − d,
// whose moments are finite sums.
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
				t.Errorf("d = %d: M%d = %v, counted %v", d, k, got, want)
			}
		}
	}
}

// TestOneDimension uses that in one dimension S is a single product, so that its moments are
// squares.
func TestOneDimension(t *testing.T) {
	for _, name := range []string{"normal", "uniform", "laplace", "triangular", "truncated-normal",
		"bernoulli-gaussian(0.1)", "student-t(10)"} {
		l := mustParse(t, name)
		s := NewScore(l, 1)
		for k, got := range map[int]float64{4: s.M4, 6: s.M6, 8: s.M8, 10: s.M10, 12: s.M12} {
			// The conversion to cumulants and back cancels terms up to 1260·κ².
			if want := square(l.Moment(k)); got != want && !isNear(got, want, 1e-11) {
				t.Errorf("%s: M%d = %v, want %v", name, k, got, want)
			}
		}
	}
}

// TestSphere checks two vectors on a circle, S = 2 cos θ with E cos⁴ = 3/8, cos⁶ = 5/16,
// cos⁸ = 35/128, cos¹⁰ = 63/256 and cos¹² = 231/1024, and the sphere in one dimension, on which S
// is a sign.
func TestSphere(t *testing.T) {
	if s := newScore(t, "sphere", 2); s.M4 != 1.5 || s.M6 != 2.5 || !isNear(s.M8, 4.375, 1e-15) ||
		!isNear(s.M10, 7.875, 1e-15) || !isNear(s.M12, 14.4375, 1e-15) {
		t.Errorf("circle: %+v", s)
	}
	if s := newScore(t, "sphere", 1); !isNear(s.M4, 1, 1e-15) || !isNear(s.M6, 1, 1e-15) || !isNear(s.M8, 1, 1e-15) {
		t.Errorf("two points: %+v", s)
	}
}

// TestNormalLimit compares with textbook values for a normal S, the limit of many components: the
// skewness of S² is √8, the standard errors of skewness and kurtosis are √(6/n) and √(24/n), the
// bias of the kurtosis is −6/n, and the error of the error is 1/√n times
// ½√((15·7 − 4·15 + 18 − 3)/4 − 1) = ½√14.
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
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
}

// TestConstantSquare checks that if S² is constant, nothing varies and no error is NaN.
func TestConstantSquare(t *testing.T) {
	for _, s := range []Score{newScore(t, "rademacher", 1), newScore(t, "sphere", 1)} {
		if s.VarianceSkew() != 0 || s.ErrorOfError(100) != 0 {
			t.Errorf("%+v: skewness %v, error of error %v", s, s.VarianceSkew(), s.ErrorOfError(100))
		}
		// Var(s²) = 2/(n−1) − 2/n is not 0: the mean is estimated.
		if got, want := s.VarianceSE(100), math.Sqrt(2.0/99-2.0/100); !isNear(got, want, 1e-12) {
			t.Errorf("%+v: standard error of s² %v, want %v", s, got, want)
		}
	}
}

// TestVarianceSESkew computes the normal limit by hand: Y = S² is χ²₁ with central moments 2, 8, 60
// and 6040 of orders 2, 3, 4 and 6, so that v = 56, the third cumulant is
// 6040 − 360 + 16 − 384 = 5312, and the result is 5312/56^{3/2} − (3/2)√56/2 = 7.0637.
func TestVarianceSESkew(t *testing.T) {
	limit := Score{ExactMoments: ExactMoments{Variance: 1, M4: 3, M6: 15, M8: 105}, M10: 945, M12: 10395}
	if got := limit.VarianceSESkew(); !isNear(got, 5312/math.Pow(56, 1.5)-0.75*math.Sqrt(56), 1e-13) {
		t.Errorf("normal score: %v", got)
	}
	if got := newScore(t, "uniform", 1<<20).VarianceSESkew(); !isNear(got, limit.VarianceSESkew(), 1e-4) {
		t.Errorf("a sum of very many: %v", got)
	}
	for _, distribution := range []string{"rademacher", "student-t(10)"} { // S² is constant; no tenth moment
		if got := newScore(t, distribution, 2).VarianceSESkew(); !math.IsNaN(got) {
			t.Errorf("%s: %v", distribution, got)
		}
	}
}
