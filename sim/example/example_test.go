package example

import (
	"math"
	"testing"

	"mcsim/sim/attention"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// apart is the largest difference between the numbers of two lists.
func apart(t *testing.T, a, b []result.Number) (most float64) {
	t.Helper()
	if len(a) != len(b) || len(a) == 0 {
		t.Fatalf("%d and %d numbers", len(a), len(b))
	}
	for i := range a {
		most = max(most, math.Abs(float64(a[i]-b[i])))
	}
	return most
}

// rounding is what a few sums of numbers near one may be off.
const rounding = 1e-15

// Softmax of a row by hand is what attention has, and so are the weights of a row with a
// shift, and with other keys of the same differences.
func TestWeightsThatAgree(t *testing.T) {
	weights := stepOf(t, "three-tokens", names.StepWeights)
	one := stepOf(t, "one-row", names.StepWeights)
	if d := apart(t, one.Value, weights.Row(0)); d > rounding {
		t.Errorf("one row is %v off", d)
	}
	shift := stepOf(t, "shifted", names.StepWeights)
	if d := apart(t, shift.Value, weights.Row(0)); d > 4*rounding {
		t.Errorf("a shift changes weights by %v", d)
	}
	if d := apart(t, stepOf(t, "shifted", names.StepLogits).Value, stepOf(t, "one-row", names.StepLogits).Value); math.Abs(d-5) > 4*rounding {
		t.Errorf("the shift is %v", d)
	}
	moved := stepOf(t, "common-mean", names.StepWeights)
	if d := apart(t, moved.Value, weights.Value); d > 4*rounding {
		t.Errorf("a vector added to all keys changes weights by %v", d)
	}
	if d := apart(t, stepOf(t, "common-mean", names.StepLogits).Value, stepOf(t, "three-tokens", names.StepLogits).Value); d < 0.5 {
		t.Errorf("it changes logits by %v alone", d)
	}
}

// The Jacobian is what the backward pass multiplies by, its rows add up to 0, and the entry
// of the winner goes with those of the others.
func TestJacobians(t *testing.T) {
	for _, id := range []string{"gradient", "gradient-of-tenfold-scores"} {
		j, logits := stepOf(t, id, "jacobian"), stepOf(t, id, names.StepLogits)
		identity := attention.Of([]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, 1, 1, 3, 3)
		row := make([]float64, 3)
		for c, x := range logits.Value {
			row[c] = float64(x)
		}
		in := attention.Input{Q: attention.Of(row, 1, 1, 1, 3), K: identity, V: identity, Scale: 1}
		out := forward(in)
		for i := range 3 {
			loss := attention.NewTensor(1, 1, 1, 3)
			loss.Data[i] = 1
			g := attention.Backward(in, out, loss)
			for c, want := range g.Scores.Data {
				if got := float64(j.Row(i)[c]); math.Abs(got-want) > 1e-12*math.Abs(want)+1e-17 {
					t.Errorf("%s: entry %d, %d is %v, backward %v", id, i, c, got, want)
				}
			}
		}
		for i, x := range stepOf(t, id, "row_sums").Value {
			if math.Abs(float64(x)) > 1e-16 {
				t.Errorf("%s: row %d adds up to %v", id, i, x)
			}
		}
	}
	before, after := stepOf(t, "gradient", "jacobian"), stepOf(t, "gradient-of-tenfold-scores", "jacobian")
	if ratio := after.Value[0] / before.Value[0]; ratio > 0.05 {
		t.Errorf("the winner keeps %v of its entry", ratio)
	}
}

// A causal mask leaves the first token one key, for which R and the entropy ratio are not
// defined, and the last token its row.
func TestCausal(t *testing.T) {
	masked, whole := stepOf(t, "causal", names.StepWeights), stepOf(t, "three-tokens", names.StepWeights)
	if masked.Value[0] != 1 || masked.Value[1] != 0 || masked.Value[2] != 0 || masked.Value[5] != 0 || apart(t, masked.Row(2), whole.Row(2)) != 0 {
		t.Errorf("%v", masked.Value)
	}
	// The first two of a row keep their ratio.
	if d := masked.Value[3]/masked.Value[4] - whole.Value[3]/whole.Value[4]; math.Abs(float64(d)) > rounding {
		t.Errorf("the mask changes a ratio of weights by %v", d)
	}
	m := stepOf(t, "causal", "measures")
	for i, defined := range []bool{true, true, false, false} {
		if m.Value[i].Present() != defined || !m.Row(1)[i].Present() {
			t.Errorf("%s: %v, %v", m.Columns[i], m.Value[i], m.Row(1)[i])
		}
	}
}

// A scale within the query gives the same weights and another descent: d_k times as far by
// the gradient, √d_k times by a step of fixed size.
func TestDescent(t *testing.T) {
	of := func(id, step string) []result.Number { s := stepOf(t, id, step); return s.Value }
	for step, ratio := range map[string]result.Number{names.StepLogits: 1, names.StepWeights: 1, "logit_gradient": 1,
		names.StepQueries: 0.5, "query_gradient": 2, "logit_change_by_gradient": 4, "logit_change_by_sign": 2} {
		outside, inside := of("scale-outside", step), of("scale-inside", step)
		for i := range outside {
			if math.Abs(float64(inside[i]-ratio*outside[i])) > rounding {
				t.Errorf("%s %d: %v and %v, want a ratio of %v", step, i, outside[i], inside[i], ratio)
			}
		}
	}
	// The gradient by the query, by differences of the blend.
	const h = 1e-6
	for c, want := range of("scale-outside", "query_gradient") {
		at := func(by float64) float64 {
			in := input(1, outside)
			in.Q.Data = append([]float64(nil), queries...)
			in.Q.Data[c] += by
			return forward(in).Blend.Data[0]
		}
		if got := (at(h) - at(-h)) / (2 * h); math.Abs(got-float64(want)) > 1e-9 {
			t.Errorf("component %d: %v, by differences %v", c, want, got)
		}
	}
}

// Every example and step has a definition, every definition an example or a step, and the
// numbers of each step fit its shape. Two calls share no numbers.
func TestExamplesAreNamed(t *testing.T) {
	seen := map[[2]string]bool{}
	examples := All()
	for _, e := range examples {
		seen[[2]string{names.GroupExample, e.ID}] = true
		for _, s := range e.Steps {
			seen[[2]string{names.GroupStep, s.Name}] = true
			for _, d := range s.Digits {
				if d != "" {
					seen[[2]string{names.GroupValue, d}] = true
				}
			}
		}
	}
	for at := range seen {
		if _, ok := names.Lookup(at[0], at[1]); !ok {
			t.Errorf("the %s %s has no entry", at[0], at[1])
		}
	}
	for _, e := range names.All() {
		if (e.Group == names.GroupExample || e.Group == names.GroupStep) && !seen[[2]string{e.Group, e.Name}] {
			t.Errorf("the %s %s has an entry, and is in no example", e.Group, e.Name)
		}
	}
	if err := result.CheckExamples(examples); err != nil {
		t.Error(err)
	}
	for i, e := range examples {
		for k := range e.Steps {
			if s, again := &examples[i].Steps[k], &All()[i].Steps[k]; &s.Value[0] == &again.Value[0] {
				t.Errorf("%s of %s is shared between calls", s.Name, e.ID)
			}
		}
	}
}
