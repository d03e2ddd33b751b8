package moments

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// TestMomentsAgainstGonum compares moments of random numbers with gonum.org/v1/gonum/stat v0.17.0.
// Two sums of n terms d^p, with deviations d from the mean, differ by at most about 2(n+p)·2⁻⁵³
// times Σ|d|^p.
func TestMomentsAgainstGonum(t *testing.T) {
	shapes := map[string]func(*rand.Rand) float64{
		"normal":      (*rand.Rand).NormFloat64,
		"exponential": (*rand.Rand).ExpFloat64,
		"uniform":     (*rand.Rand).Float64,
		"shifted":     func(r *rand.Rand) float64 { return 10 + r.NormFloat64() },
		"signs":       func(r *rand.Rand) float64 { return 2*float64(r.IntN(2)) - 1 },
	}
	for name, sample := range shapes {
		r := rand.New(rand.NewPCG(1, 2))
		for _, n := range []int{3, 10, 1000} {
			xs := make([]float64, n)
			for i := range xs {
				xs[i] = sample(r)
			}
			xs[0], xs[1], xs[2] = 1, -1, 0.5 // never all equal
			compareWithGonum(t, name, xs)
		}
	}
}

func compareWithGonum(t *testing.T, shape string, xs []float64) {
	t.Helper()
	m, n := New(xs, MaxOrder), float64(len(xs))
	// check allows the difference of two sums with Σ|d|^p/n = scale.
	check := func(name string, got, want, scale float64) {
		if tol := 4 * (n + 8) * 0x1p-53 * scale; !(math.Abs(got-want) <= tol) {
			t.Errorf("%s, n = %v: %s is %v, gonum has %v ± %.1g", shape, n, name, got, want, tol)
		}
	}
	check("mean", m.Mean, stat.Mean(xs, nil), 16) // no shape has |x| above 16
	check("variance", m.Variance(), stat.Variance(xs, nil), m.Variance())
	sd := math.Sqrt(m.Sum[2] / n)
	for p := 2; p <= MaxOrder; p++ {
		var absolute float64
		for _, x := range xs {
			absolute += math.Pow(math.Abs(x-m.Mean), float64(p)) / n
		}
		// gonum's mean has an error of up to n·2⁻⁵³·max|x|. This changes a moment of order p by up
		// to p times the error of the mean times the absolute moment of order p−1.
		scale := absolute + float64(p)*16*math.Pow(absolute, float64(p-1)/float64(p))
		check("moment", m.Sum[p]/n, stat.Moment(float64(p), xs, nil), scale)
		power := math.Pow(sd, float64(p))
		check("standardised moment", m.Standardised(p), stat.Moment(float64(p), xs, nil)/power, 4*scale/power)
	}
	// gonum's Skew is the adjusted skewness, √(n(n−1))/(n−2) times Standardised(3).
	adjust := math.Sqrt(n*(n-1)) / (n - 2)
	check("skewness", m.Standardised(3)*adjust, stat.Skew(xs, nil), 300*n)
}
