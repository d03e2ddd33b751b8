package attention

import (
	"math"
	"slices"
	"testing"

	"mcsim/sim/elementary"
)

// The functions below say what softmax is in the plainest way, for rows to be held
// against.

// softmax returns the weights exp(s_i)/Σ exp(s_j) of scores, by exp(s − max s),
// which cannot overflow.
func softmax(scores []float64) []float64 {
	weights, most, sum := make([]float64, len(scores)), slices.Max(scores), 0.0
	for i, s := range scores {
		weights[i] = elementary.Exp(s - most)
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
	return weights
}

// entropy is −Σα ln α of weights, in nats; a weight of 0 adds nothing.
func entropy(weights []float64) float64 {
	sum := 0.0
	for _, a := range weights {
		if a > 0 {
			sum -= float64(a * elementary.Log(a))
		}
	}
	return sum
}

// jacobian is the matrix ∂α_i/∂s_j = α_i(δ_ij − α_j) of weights.
func jacobian(weights []float64) [][]float64 {
	rows := make([][]float64, len(weights))
	for i, a := range weights {
		rows[i] = make([]float64, len(weights))
		for j, b := range weights {
			rows[i][j] = -float64(a * b)
		}
		rows[i][i] = float64(a * (1 - a))
	}
	return rows
}

// frobenius is the root of the sum of squares of a matrix.
func frobenius(matrix [][]float64) float64 {
	sum := 0.0
	for _, row := range matrix {
		for _, x := range row {
			sum += float64(x * x)
		}
	}
	return math.Sqrt(sum)
}

// softmax of (2, 1, 1) by mpmath 1.2.1, and its entropy.
func TestSoftmaxOfThree(t *testing.T) {
	a := softmax([]float64{2, 1, 1})
	for i, want := range []float64{0.57611688476582911, 0.211941557617085445, 0.211941557617085445} {
		if math.Abs(a[i]-want) > 4e-16 {
			t.Errorf("weight %d is %v, want %v", i, a[i], want)
		}
	}
	if h, want := entropy(a), 0.975327829166221979; math.Abs(h-want) > 1e-15 {
		t.Errorf("entropy %v, want %v", h, want)
	}
	if h := entropy([]float64{1, 0, 0}); h != 0 {
		t.Errorf("entropy of one key that has all is %v", h)
	}
}

// The Jacobian against central differences, whose error is h²/6 of the third
// derivative, which is below 1, and 10⁻¹⁶/h.
func TestJacobianByDifferences(t *testing.T) {
	scores := []float64{0.3, -1.2, 2.5, 0, 2.5}
	j := jacobian(softmax(scores))
	const h = 1e-5
	for k := range scores {
		moved := func(by float64) []float64 {
			s := append([]float64{}, scores...)
			s[k] += by
			return softmax(s)
		}
		up, down := moved(h), moved(-h)
		for i := range scores {
			if want := (up[i] - down[i]) / (2 * h); math.Abs(j[i][k]-want) > 1e-10 {
				t.Errorf("∂α_%d/∂s_%d is %v, by differences %v", i, k, j[i][k], want)
			}
		}
	}
	if got, want := frobenius([][]float64{{3, 0}, {0, 4}}), 5.0; got != want {
		t.Errorf("‖diag(3, 4)‖_F = %v", got)
	}
}
