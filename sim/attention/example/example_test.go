package example

import (
	"math"
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// TestThreeTokens compares the steps of the examples with PyTorch 1.13.0 in float64. Example 0 is
// torch.softmax(q @ k.T / 2, -1) @ v, and its step StepUnscaled is torch.softmax(q @ k.T, -1).
// Example 1 is the same with a causal mask.
func TestThreeTokens(t *testing.T) {
	examples := NewExamples()
	for _, want := range []struct {
		example int
		step    string
		value   []float64
	}{
		{0, names.StepScores, []float64{0, 4, 0, 4, 0, 2, 0, 4, 2}},
		{0, names.StepUnscaled, []float64{0.017668422014, 0.964663155972, 0.017668422014, 0.866813332197,
			0.015876239976,
			0.117310427826,
			0.015876239976, 0.866813332197, 0.117310427826}},
		{0, names.StepLogits, []float64{0, 2, 0, 2, 0, 1, 0, 2, 1}},
		{0, names.StepWeights, []float64{0.106506978919, 0.786986042162, 0.106506978919, 0.665240955775, 0.090030573170,
			0.244728471055,
			0.090030573170, 0.665240955775, 0.244728471055}},
		{0, names.StepBlend, []float64{0.106506978919, 0.840239531621, 0.5, 0.665240955775, 0.212394808698,
			0.289743757640,
			0.090030573170, 0.787605191302, 0.577348948942}},
		{1, names.StepWeights, []float64{1, 0, 0, 0.880797077978, 0.119202922022, 0, 0.090030573170, 0.665240955775,
			0.244728471055}},
	} {
		s, ok := examples[want.example].Step(want.step)
		if !ok || len(s.Value) != len(want.value) {
			t.Fatalf("example %d, step %s: got %v, want %d numbers", want.example, want.step, s.Value, len(want.value))
		}
		for i, x := range want.value {
			if math.Abs(float64(s.Value[i])-x) > 1e-12 {
				t.Errorf("example %d, step %s: number %d is %v, want %v", want.example, want.step, i, s.Value[i], x)
			}
		}
	}
}

// TestExamplesAreNamed checks that the table of names has exactly the examples and steps that
// NewExamples returns. It also checks that the examples are valid and that two calls do not share
// memory.
func TestExamplesAreNamed(t *testing.T) {
	seen := map[[2]string]bool{}
	examples := NewExamples()
	for i, e := range examples {
		seen[[2]string{names.GroupExample, e.ID}] = true
		for k, s := range e.Steps {
			seen[[2]string{names.GroupStep, s.Name}] = true
			if &s.Value[0] == &NewExamples()[i].Steps[k].Value[0] {
				t.Errorf("step %s of example %s: two calls of NewExamples share its numbers", s.Name, e.ID)
			}
		}
	}
	for entry := range seen {
		if _, ok := names.Lookup(entry[0], entry[1]); !ok {
			t.Errorf("the %s %q is not in the table of names", entry[0], entry[1])
		}
	}
	for _, e := range names.Entries() {
		if (e.Group == names.GroupExample || e.Group == names.GroupStep) && !seen[[2]string{e.Group, e.Name}] {
			t.Errorf("the %s %q is in the table of names, but not in any example", e.Group, e.Name)
		}
	}
	if err := result.CheckExamples(examples); err != nil {
		t.Error(err)
	}
}
