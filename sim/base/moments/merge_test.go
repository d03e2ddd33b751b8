package moments

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// sampleNumbers samples numbers with some offset and scale, from shapes with and without ties and
// outliers.
func sampleNumbers(t *rapid.T) []float64 {
	offset := rapid.SampledFrom([]float64{0, 1, -1000, 1e6}).Draw(t, "offset")
	scale := math.Pow(10, float64(rapid.IntRange(-6, 6).Draw(t, "log scale")))
	shape := rapid.SampledFrom([]*rapid.Generator[float64]{
		rapid.Float64Range(-1, 1),
		rapid.Map(rapid.IntRange(-1, 1), func(i int) float64 { return float64(i) }),
		rapid.Map(rapid.Float64Range(-1, 1), func(x float64) float64 { return x * x * x * x * x * x * x }),
	}).Draw(t, "shape")
	xs := rapid.SliceOfN(shape, 0, 80).Draw(t, "xs")
	for i := range xs {
		xs[i] = offset + scale*xs[i]
	}
	return xs
}

// cutRandomly cuts xs into pieces, some of which are empty.
func cutRandomly(t *rapid.T, xs []float64) [][]float64 {
	cuts := rapid.SliceOfN(rapid.IntRange(0, len(xs)), 0, 7).Draw(t, "cuts")
	slices.Sort(cuts)
	var pieces [][]float64
	start := 0
	for _, end := range append(cuts, len(xs)) {
		pieces = append(pieces, xs[start:end])
		start = end
	}
	return pieces
}

// TestMergeIsOnePass compares the merged moments of pieces with New of all numbers. With u = 2⁻⁵³,
// M = max|x| and the range R = max x − min x, every deviation and every shift is at most R. Each of
// the n terms of Sum[p] is at most R^p. A merge adds terms of at most (2R)^p with a relative error
// of 4p+n units u. The mean has an error of up to 8u·M in each of at most 8 merges, which changes a
// term by up to p(2R)^{p−1} times this error.
func TestMergeIsOnePass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := sampleNumbers(t)
		order := rapid.IntRange(2, MaxOrder).Draw(t, "order")
		want, got := New(xs, order), Moments{Order: order}
		for _, piece := range cutRandomly(t, xs) {
			got = Merge(got, New(piece, order))
		}
		if got.N != want.N || got.Order != order {
			t.Fatalf("merged %d numbers with order %d, want %d numbers with order %d", got.N, got.Order, want.N, order)
		}
		if len(xs) == 0 {
			if got != want {
				t.Fatalf("moments of no numbers are %+v, want %+v", got, want)
			}
			return
		}
		const u = 0x1p-53
		n, r := float64(len(xs)), slices.Max(xs)-slices.Min(xs)
		meanError := 64 * u * max(math.Abs(slices.Max(xs)), math.Abs(slices.Min(xs)))
		if d := math.Abs(got.Mean - want.Mean); d > meanError {
			t.Errorf("mean %v, want %v ± %.1g", got.Mean, want.Mean, meanError)
		}
		for p := 2; p <= order; p++ {
			maxDeviation := 2*r + meanError
			tol := n*float64(8*(4*p)+len(xs))*u*math.Pow(maxDeviation, float64(p)) +
				n*float64(p)*meanError*math.Pow(maxDeviation, float64(p-1))
			if d := math.Abs(got.Sum[p] - want.Sum[p]); !(d <= tol) {
				t.Errorf("Sum[%d] = %v, want %v ± %.1g", p, got.Sum[p], want.Sum[p], tol)
			}
		}
	})
}

func TestMergeNodes(t *testing.T) {
	a := Node{Moments: []Moments{New([]float64{1, 2}, 2), New([]float64{5}, 4)}, Counts: []int64{3, 0}}
	b := Node{Moments: []Moments{New([]float64{3, 4}, 2), New([]float64{7}, 4)}, Counts: []int64{4, 9}}
	n := MergeNodes(a, b)
	if n.Moments[0] != New([]float64{1, 2, 3, 4}, 2) || n.Moments[1] != New([]float64{5, 7}, 4) {
		t.Errorf("merged moments are %+v, want the moments of 1, 2, 3, 4 and of 5, 7", n.Moments)
	}
	if !slices.Equal(n.Counts, []int64{7, 9}) {
		t.Errorf("counts %v, want [7 9]", n.Counts)
	}
	if !slices.Equal(b.Counts, []int64{4, 9}) {
		t.Error("MergeNodes changed the second node")
	}
}
