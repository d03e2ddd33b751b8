package training

import (
	"fmt"
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

// TestProductsHaveTheSameBits checks that addProduct and portable Go give the same bits for every
// orientation and several shapes. Element (0, 0) is also compared with its definition.
func TestProductsHaveTheSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shape := range [][3]int{{1, 1, 1}, {2, 4, 1}, {3, 5, 7}, {16, 16, 64}, {1, 8, 16}, {32, 16, 16}, {7, 9, 33},
		{5, 3, 2}} {
		rows, cols, terms := shape[0], shape[1], shape[2]
		a, b, content := randomNumbers(r, rows*terms), randomNumbers(r, terms*cols), randomNumbers(r, rows*cols)
		for _, oa := range []orientation{untransposed, transposed} {
			for _, ob := range []orientation{untransposed, transposed} {
				aCols, bCols := terms, cols
				if oa == transposed {
					aCols = rows
				}
				if ob == transposed {
					bCols = terms
				}
				name := fmt.Sprintf("%d × %d, %d terms, a transposed: %v, b transposed: %v", rows, cols, terms, oa, ob)
				x, y := leftFactor(a, aCols, oa), rightFactor(b, bCols, ob)
				got, want := append([]Number{}, content...), append([]Number{}, content...)
				addProduct(got, rows, cols, terms, x, y)
				addProductPortable(want, rows, 0, cols, terms, x, y)
				for i := range got {
					if got[i] != want[i] {
						t.Fatalf("%s: element %d is %v, want %v of portable Go", name, i, got[i], want[i])
					}
				}
				element := content[0][1] // element (0, 0) of the second seed, by its definition
				for s := range terms {
					element += a[s*x.innerStride][1] * b[s*y.innerStride][1]
				}
				if math.Abs(element-got[0][1]) > 1e-12 {
					t.Errorf("%s: element (0, 0) is %v, by its definition %v", name, got[0][1], element)
				}
			}
		}
	}
}

// TestStepsHaveTheSameBits checks that steps of gradient descent and of Adam have the same bits as
// in portable Go.
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
	requireSameBits(t, "weights after gradient descent", a, b)
	a, b = copies()
	step := NewAdam(1e-8)
	step.Advance(0.1)
	step.Advance(0.1)
	m2, v2 := append([]Number{}, m...), append([]Number{}, v...)
	UpdateByAdam(&Matrix{33, 1, a, g}, m, v, step)
	adamPortable(b, g, m2, v2, step)
	requireSameBits(t, "weights after Adam", a, b)
	requireSameBits(t, "average of the gradient", m, m2)
	requireSameBits(t, "average of its square", v, v2)
}

func requireSameBits(t *testing.T, what string, a, b []Number) {
	t.Helper()
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("%s: element %d is %v, want %v of portable Go", what, i, a[i], b[i])
		}
	}
}

// TestSoftmaxOfInvalidScores checks that a row with a NaN or infinite score has NaN weights, and
// that other rows are not affected.
func TestSoftmaxOfInvalidScores(t *testing.T) {
	s := NewVariable(1, 3)
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
		switch {
		case l == 0 && math.Abs(sum-1) > 1e-15:
			t.Errorf("seed %d: the weights of finite scores add up to %v, want 1", l, sum)
		case l > 0 && !math.IsNaN(sum):
			t.Errorf("seed %d: the weights add up to %v, want NaN", l, sum)
		}
	}
}
