package attention

import (
	"math"
	"testing"
)

// softmax of (2, 1, 1) by mpmath 1.2.1, and its entropy.
func TestSoftmaxOfThree(t *testing.T) {
	a := Softmax([]float64{2, 1, 1})
	for i, want := range []float64{0.57611688476582911, 0.211941557617085445, 0.211941557617085445} {
		if math.Abs(a[i]-want) > 4e-16 {
			t.Errorf("weight %d is %v, want %v", i, a[i], want)
		}
	}
	if h, want := Entropy(a), 0.975327829166221979; math.Abs(h-want) > 1e-15 {
		t.Errorf("entropy %v, want %v", h, want)
	}
	if h := Entropy([]float64{1, 0, 0}); h != 0 {
		t.Errorf("entropy of one key that has all is %v", h)
	}
}

// The Jacobian against central differences, whose error is h²/6 of the third
// derivative, which is below 1, and 10⁻¹⁶/h.
func TestJacobianByDifferences(t *testing.T) {
	scores := []float64{0.3, -1.2, 2.5, 0, 2.5}
	j := Jacobian(Softmax(scores))
	const h = 1e-5
	for k := range scores {
		moved := func(by float64) []float64 {
			s := append([]float64{}, scores...)
			s[k] += by
			return Softmax(s)
		}
		up, down := moved(h), moved(-h)
		for i := range scores {
			if want := (up[i] - down[i]) / (2 * h); math.Abs(j[i][k]-want) > 1e-10 {
				t.Errorf("∂α_%d/∂s_%d is %v, by differences %v", i, k, j[i][k], want)
			}
		}
	}
	if got, want := Frobenius([][]float64{{3, 0}, {0, 4}}), 5.0; got != want {
		t.Errorf("‖diag(3, 4)‖_F = %v", got)
	}
}
