package moments

import (
	"math"
	"testing"
)

// Sums that float64 holds exactly must come out exactly: Σ(x−4)^p over
// 0, 1, …, 8 is 2(1 + 2^p + 3^p + 4^p) for even p and 0 for odd p.
var zeroToEight = [MaxOrder + 1]float64{2: 60, 4: 708, 6: 9780, 8: 144708}

func TestSumsOfIntegers(t *testing.T) {
	xs := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8}
	for order := 2; order <= MaxOrder; order++ {
		want := Moments{N: 9, Order: order, Mean: 4}
		copy(want.Sum[:order+1], zeroToEight[:])
		if got := Of(xs, order); got != want {
			t.Errorf("order %d: %+v, want %+v", order, got, want)
		}
	}
}

// The parts {0, 2, 4} and {12, 14, 16} are merged in dyadic fractions: means 2
// and 14, shifts ∓6. Σ(x−8)^p = 2(8^p + 6^p + 4^p) for even p.
func TestMergeOfIntegers(t *testing.T) {
	for order := 2; order <= MaxOrder; order++ {
		got := Merge(Of([]float64{0, 2, 4}, order), Of([]float64{12, 14, 16}, order))
		if got.N != 6 || got.Order != order || got.Mean != 8 {
			t.Fatalf("order %d: %+v", order, got)
		}
		for p := 2; p <= order; p++ {
			want := 0.0
			if p%2 == 0 {
				want = 2 * (math.Pow(8, float64(p)) + math.Pow(6, float64(p)) + math.Pow(4, float64(p)))
			}
			if got.Sum[p] != want {
				t.Errorf("order %d: Sum[%d] is %v, want %v", order, p, got.Sum[p], want)
			}
		}
	}
}

// Parts of unequal size and skewed: {0} and {4, 4, 12} about the mean 5.
func TestMergeOfUnequalParts(t *testing.T) {
	got := Merge(Of([]float64{0}, 8), Of([]float64{4, 4, 12}, 8))
	// About the mean 5: −5, −1, −1, 7.
	for p := 2; p <= 8; p++ {
		want := math.Pow(-5, float64(p)) + 2*math.Pow(-1, float64(p)) + math.Pow(7, float64(p))
		// The shifts are −5 and 5/3: the latter is rounded, and its terms add
		// up to at most 16^p/2 before they cancel.
		if tol := math.Pow(16, float64(p)) * 8 * 0x1p-53; math.Abs(got.Sum[p]-want) > tol {
			t.Errorf("Sum[%d] is %v, want %v ± %.1g", p, got.Sum[p], want, tol)
		}
	}
}

// The mean of 2⁵³, 2⁵³+2 twice and so on is not a float64. Without the
// correction by the residue Σd² would be too large by n times the square of
// its rounding error.
func TestVarianceFarFromZero(t *testing.T) {
	for _, offsets := range [][]float64{{0, 2, 2}, {0, 2, 4, 4}, {0, 0, 2, 8, 6}, {2, 4, 6, 8, 10, 0, 2}} {
		xs := make([]float64, len(offsets))
		for i, o := range offsets {
			xs[i] = 0x1p53 + o
		}
		_, want := exact(xs)
		got := math.Sqrt(Of(xs, 2).Variance())
		// Deviations are exact here; Σd² and the residue are small integers.
		if units(got, want) > 2 {
			t.Errorf("offsets %v: standard deviation %v, want %v", offsets, got, want)
		}
	}
}

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
