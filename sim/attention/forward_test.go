package attention

import (
	"math"
	"strings"
	"testing"
)

// newInput returns a small input with two heads of queries that share one head of keys.
func newInput() Input {
	return Input{Q: fill(NewTensor(2, 2, 3, 4), 1), K: fill(NewTensor(2, 1, 3, 4), 2),
		V: fill(NewTensor(2, 1, 3, 2), 3), Scale: 0.5}
}

// TestRefusals checks the errors of Forward for inputs that are not valid.
func TestRefusals(t *testing.T) {
	for want, spoil := range map[string]func(*Input){
		"a query has 4 components and a key 3": func(input *Input) { input.K = NewTensor(2, 1, 3, 3) },
		"3 keys and 2 values":                  func(input *Input) { input.V = NewTensor(2, 1, 2, 2) },
		"Q, K and V have 2, 1 and 2 batches":   func(input *Input) { input.K = NewTensor(1, 1, 3, 4) },
		"K has 1 heads and V 2":                func(input *Input) { input.V = NewTensor(2, 2, 3, 2) },
		"2 heads of queries cannot share 3": func(input *Input) {
			input.K, input.V = NewTensor(2, 3, 3, 4), NewTensor(2, 3, 3, 2)
		},
		"Q has 0 rows; it needs at least 1":             func(input *Input) { input.Q.Rows = 0 },
		"the scale is NaN":                              func(input *Input) { input.Scale = math.NaN() },
		"Q has NaN in batch 1, head 0, row 0, column 1": func(input *Input) { input.Q.Row(1, 0, 0)[1] = math.NaN() },
		"is beyond float64": func(input *Input) {
			input.Q.Row(0, 0, 0)[0], input.K.Row(0, 0, 0)[0] = 1e200, 1e200
		},
		"the mask has the shape 1 × 1 × 3 × 2": func(input *Input) { input.Mask.Bias = NewTensor(1, 1, 3, 2) },
		"the mask has +Inf in batch 0, head 0, row 1, column 2": func(input *Input) {
			input.Mask.Bias = NewTensor(1, 1, 3, 3)
			input.Mask.Bias.Row(0, 0, 1)[2] = math.Inf(1)
		},
		"the mask lets query 1, in batch 0 and head 0, see no key": func(input *Input) {
			input.Mask.Bias = NewTensor(1, 1, 3, 3)
			for j := range 3 {
				input.Mask.Bias.Row(0, 0, 1)[j] = Forbidden
			}
		},
	} {
		input := newInput()
		spoil(&input)
		if _, err := Forward(input); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one that contains %q", err, want)
		}
	}
}

// TestMeasures checks Measure for rows with one and with several allowed keys, for uniform weights,
// and near saturation.
func TestMeasures(t *testing.T) {
	input := newInput()
	input.Mask.Causal = true
	output, err := Forward(input)
	if err != nil {
		t.Fatal(err)
	}
	for row, allowed := range output.Allowed {
		i := row % 3
		if allowed != i+1 {
			t.Errorf("query %d may attend to %d keys, want %d", i, allowed, i+1)
		}
		m := Measure(output.Weights.Data[3*row:3*row+3], allowed)
		isSingle := allowed == 1
		if math.IsNaN(m.RelativeTrace) != isSingle || math.IsNaN(m.EntropyRatio) != isSingle {
			t.Errorf("%d allowed keys: R = %v and entropy ratio %v, want NaN for one key only", allowed,
				m.RelativeTrace,
				m.EntropyRatio)
		}
		if isSingle && m.MaxWeight != 1 {
			t.Errorf("one allowed key: the largest weight is %v, want 1", m.MaxWeight)
		}
	}
	for n, weights := range map[int][]float64{2: {0.5, 0.5, 0}, 3: {1. / 3, 1. / 3, 1. / 3}} {
		if m := Measure(weights, n); math.Abs(m.RelativeTrace-1) > 1e-15 || math.Abs(m.EntropyRatio-1) > 1e-15 {
			t.Errorf("%d uniform weights: R = %v and entropy ratio %v, want 1 and 1", n, m.RelativeTrace,
				m.EntropyRatio)
		}
	}
	// ‖J‖_F of diag(α) − ααᵀ element by element, and its limit 2ε near saturation.
	weights := []float64{0.7, 0.1, 0, 0.15, 0.05}
	square := 0.0
	for i, a := range weights {
		for j, b := range weights {
			element := -a * b
			if i == j {
				element += a
			}
			square += element * element
		}
	}
	m := Measure(weights, 5)
	if math.Abs(m.JacobianNorm/math.Sqrt(square)-1) > 1e-14 {
		t.Errorf("‖J‖_F = %v, want %v", m.JacobianNorm, math.Sqrt(square))
	}
	if math.Abs(m.Collision/0.525-1) > 1e-14 {
		t.Errorf("Σα² = %v, want 0.525", m.Collision)
	}
	if m := Measure([]float64{1, 1e-20}, 2); math.Abs(m.JacobianNorm/2e-20-1) > 1e-14 {
		t.Errorf("‖J‖_F = %v near saturation, want 2e-20", m.JacobianNorm)
	}
	// R of the weights 1 − ε and ε is 2·2ε(1 − ε).
	const e = 1e-20
	if m := Measure([]float64{1, e}, 2); math.Abs(m.RelativeTrace-4*e) > 1e-15*e {
		t.Errorf("R = %v near saturation, want %v", m.RelativeTrace, 4*e)
	}
}
