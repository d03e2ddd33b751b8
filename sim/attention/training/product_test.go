package training

import (
	"math"
	"math/rand/v2"
	"testing"
)

func randomNumbers(r *rand.Rand, n int) []Number {
	v := make([]Number, n)
	for i := range v {
		for l := range Width {
			v[i][l] = r.NormFloat64()
		}
	}
	return v
}

// TestProductsHaveTheSameBits compares products with those of portable Go, bit for bit, for every
// orientation and several shapes.
func TestProductsHaveTheSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shape := range [][3]int{{1, 1, 1}, {2, 4, 1}, {3, 5, 7}, {16, 16, 64}, {1, 8, 16}, {32, 16, 16}, {7, 9, 33},
		{5, 3, 2}} {
		rows, cols, terms := shape[0], shape[1], shape[2]
		a, b, before := randomNumbers(r, rows*terms), randomNumbers(r, terms*cols), randomNumbers(r, rows*cols)
		for _, oa := range []orientation{normal, transposed} {
			for _, ob := range []orientation{normal, transposed} {
				aCols, bCols := terms, cols
				if oa == transposed {
					aCols = rows
				}
				if ob == transposed {
					bCols = terms
				}
				x, y := leftFactor(a, aCols, oa), rightFactor(b, bCols, ob)
				got, want := append([]Number{}, before...), append([]Number{}, before...)
				addProduct(got, rows, cols, terms, x, y)
				addProductPortable(want, rows, 0, cols, terms, x, y)
				for i := range got {
					if got[i] != want[i] {
						t.Fatalf("%v, %v and %v: entry %d is %v, in portable Go %v", shape, oa, ob, i, got[i], want[i])
					}
				}
				entry := before[0][1] // element 0, 0 of the second seed, by definition
				for s := range terms {
					entry += a[s*x.innerStride][1] * b[s*y.innerStride][1]
				}
				if math.Abs(entry-got[0][1]) > 1e-12 {
					t.Errorf("%v, %v and %v: %v, by definition %v", shape, oa, ob, got[0][1], entry)
				}
			}
		}
	}
}

// TestStepsHaveTheSameBits compares steps of gradient descent and of Adam with those of portable
// Go, bit for bit.
func TestStepsHaveTheSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	w, g, m, v := randomNumbers(r, 33), randomNumbers(r, 33), randomNumbers(r, 33), randomNumbers(r, 33)
	for i := range v {
		for l := range Width {
			v[i][l] *= v[i][l]
		}
	}
	copies := func() (a, b []Number) { return append([]Number{}, w...), append([]Number{}, w...) }
	a, b := copies()
	Descend(&Matrix{33, 1, a, g}, 0.3)
	descendPortable(b, g, 0.3)
	requireSameBits(t, "descent", a, b)
	a, b = copies()
	step := NewAdam(1e-8)
	step.Advance(0.1)
	step.Advance(0.1)
	m2, v2 := append([]Number{}, m...), append([]Number{}, v...)
	Adam(&Matrix{33, 1, a, g}, m, v, step)
	adamPortable(b, g, m2, v2, step)
	requireSameBits(t, "Adam", a, b)
	requireSameBits(t, "Adam's mean", m, m2)
	requireSameBits(t, "Adam's mean square", v, v2)
}

func requireSameBits(t *testing.T, what string, a, b []Number) {
	t.Helper()
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("%s: entry %d is %v, in portable Go %v", what, i, a[i], b[i])
		}
	}
}

// TestSoftmaxOfInvalidScores checks that a row with a NaN or infinite score has NaN weights, and
// that other rows are not affected.
func TestSoftmaxOfInvalidScores(t *testing.T) {
	s := Variable(1, 3)
	for j, x := range []Number{{1, math.NaN(), math.Inf(1), math.Inf(-1)}, {2, 1, 1, 1}, {3, 1, 1, math.NaN()}} {
		s.V[j] = x
	}
	var tape Tape
	w := tape.Softmax(s)
	tape.Forward()
	for l := range Width {
		var sum float64
		for j := range 3 {
			sum += w.V[j][l]
		}
		if l == 0 && math.Abs(sum-1) > 1e-15 || l > 0 && !math.IsNaN(sum) {
			t.Errorf("seed %d: weights add up to %v", l, sum)
		}
	}
}
