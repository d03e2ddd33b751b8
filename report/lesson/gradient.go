package lesson

import (
	"math"
	"slices"

	"mcsim/report/digits"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// jacobianView is the Jacobian of a row, with what a reader is told of it.
type jacobianView struct {
	Table    view.Table
	Key      string // that has the largest weight
	Weight   string // of it
	Own      string // its entry on the diagonal
	Survival string // R of the row
	// The first entry on the diagonal and the one beside it, written out.
	Diagonal, Beside string
}

// jacobian fills the view of an example with a Jacobian.
func jacobian(doc *result.Document, id, caption string) (v jacobianView) {
	e := doc.Example(id)
	j, ok := e.Step(names.StepJacobian)
	sums, okS := e.Step(names.StepRowSums)
	weights, okW := e.Step(names.StepWeights)
	measures, okM := e.Step(names.StepMeasures)
	if !ok || !okS || !okW || !okM || len(sums.Value) != j.Shape[0] || j.Shape[0] != j.Shape[1] || weights.Shape[0] != 1 || weights.Shape[1] != j.Shape[0] {
		return v
	}
	v.Table = grid(j, caption, func(_, _ int, x result.Number) string { return entry(x) })
	v.Table.Head = append(v.Table.Head, "sum")
	for i, x := range sums.Value {
		v.Table.Rows[i] = append(v.Table.Rows[i], entry(x))
	}
	best := 0
	for i, w := range weights.Value {
		if w > weights.Value[best] {
			best = i
		}
	}
	v.Key = labels(weights.Columns, weights.Shape[1])[best]
	v.Weight, v.Own = digits.Places(float64(weights.Value[best]), usualPlaces), entry(j.Row(best)[best])
	if len(weights.Value) > 1 {
		v.Diagonal, v.Beside = workedEntries(weights.Value[0], weights.Value[1], j.Row(0))
	}
	if i := slices.Index(measures.Columns, names.GradientSurvival); i >= 0 {
		v.Survival = digits.Places(float64(measures.Value[i]), usualPlaces)
	}
	return v
}

// workedEntries write out the first two entries of a Jacobian, given the weights of their
// keys.
func workedEntries(first, second result.Number, row []result.Number) (diagonal, beside string) {
	a, b := digits.Places(float64(first), usualPlaces), digits.Places(float64(second), usualPlaces)
	return a + "·(1 − " + a + ")" + view.Equals + digits.Places(float64(row[0]), usualPlaces),
		"−" + a + "·" + b + view.Equals + digits.Places(float64(row[1]), usualPlaces)
}

// unmoved is the key whose logit a step of fixed size leaves as it is, wherever the scale
// stands; empty where there is none, or more than one.
func unmoved(doc *result.Document) string {
	a, okA := doc.Example(names.ExampleScaleOutside).Step(names.StepSigned)
	b, okB := doc.Example(names.ExampleScaleInside).Step(names.StepSigned)
	if !okA || !okB || len(a.Value) != len(b.Value) {
		return ""
	}
	var found []string
	for i, name := range labels(a.Columns, a.Shape[1]) {
		if i < a.Shape[1] && math.Abs(float64(a.Value[i])) < negligible && math.Abs(float64(b.Value[i])) < negligible {
			found = append(found, name)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// learning sets what one step makes of the logits where scores are divided beside what it
// makes of them where queries are smaller.
func learning(doc *result.Document) view.Table {
	outside, inside := doc.Example(names.ExampleScaleOutside), doc.Example(names.ExampleScaleInside)
	logits, ok := outside.Step(names.StepLogits)
	if !ok {
		return view.Table{}
	}
	var columns []column
	for _, of := range []struct{ step, name string }{{names.StepDescent, "gradient"}, {names.StepSigned, "fixed"}} {
		a, okA := outside.Step(of.step)
		b, okB := inside.Step(of.step)
		if !okA || !okB {
			return view.Table{}
		}
		columns = append(columns, column{of.name + ", ½(*q*·*k*)", small(a.Value)}, column{of.name + ", (½*q*)·*k*", small(b.Value)})
	}
	return beside("By how much one step of the first token's query changes each of its logits: a step as long as the gradient, or one of fixed size in each component, where the score is divided and where the query is.",
		"key", labels(logits.Columns, logits.Shape[1]), columns...)
}

// small writes numbers with four decimals, and 0 for what is left of rounding.
func small(values []result.Number) []string {
	out := written(values, 4)
	for i, x := range values {
		if math.Abs(float64(x)) < negligible {
			out[i] = "0"
		}
	}
	return out
}
