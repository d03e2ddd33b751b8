package lesson

import (
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// unchanged sets the logits and weights of the first row beside those of a variant, whose
// logits have a name.
func unchanged(e, variant result.Example, caption, name string) view.Table {
	logits, weights, ok := firstRow(e)
	others, same, okV := firstRow(variant)
	if !ok || !okV {
		return view.Table{}
	}
	s, _ := e.Step(names.StepLogits)
	return beside(caption, "key", labels(s.Columns, s.Shape[1]),
		column{"logit", written(logits, decimals(logits))}, column{"weight", written(weights, usualPlaces)},
		column{name, written(others, decimals(others))}, column{"its weight", written(same, usualPlaces)})
}

// firstRow are the logits and weights of the first token of an example.
func firstRow(e result.Example) (logits, weights []result.Number, ok bool) {
	s, okS := e.Step(names.StepLogits)
	w, okW := e.Step(names.StepWeights)
	if !okS || !okW {
		return nil, nil, false
	}
	return s.Row(0), w.Row(0), true
}

// undefined stands where a quantity has no value.
const undefined = "not defined"

// sharpness is a table of how sharp the rows of an example are.
func sharpness(e result.Example) view.Table {
	s, ok := e.Step(names.StepMeasures)
	if !ok {
		return view.Table{}
	}
	t := view.Table{Caption: "How sharp the rows are under the mask, measured by the keys that each token sees.", Head: []string{"token"}}
	for _, name := range labels(s.Columns, s.Shape[1]) {
		t.Head = append(t.Head, headOf(name))
	}
	for i, name := range labels(s.Rows, s.Shape[0]) {
		line := []string{name}
		for _, x := range s.Row(i) {
			if x.Present() {
				line = append(line, digits.Places(float64(x), usualPlaces))
			} else {
				line = append(line, undefined)
			}
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// headOf writes the name of a measure for the head of a column.
func headOf(name string) string {
	switch name {
	case markdown.Escape(names.GradientSurvival):
		return "*R*"
	case markdown.Escape(names.MaxWeight), markdown.Escape(names.Entropy), markdown.Escape(names.EntropyRatio):
		return strings.ReplaceAll(name, `\_`, " ")
	}
	return name
}

// headBlend sets the blends of the heads side by side.
func headBlend(doc *result.Document) view.Table {
	first, ok := doc.Example(names.ExampleHead1).Step(names.StepBlend)
	second, okS := doc.Example(names.ExampleHead2).Step(names.StepBlend)
	if !ok || !okS || first.Shape[0] != second.Shape[0] {
		return view.Table{}
	}
	t := view.Table{Caption: "The blends of both heads, side by side.", Head: []string{shape(first.Shape[0], first.Shape[1]+second.Shape[1])}}
	t.Head = append(append(t.Head, labels(first.Columns, first.Shape[1])...), labels(second.Columns, second.Shape[1])...)
	for i, name := range labels(first.Rows, first.Shape[0]) {
		t.Rows = append(t.Rows, append(append([]string{name}, written(first.Row(i), usualPlaces)...), written(second.Row(i), usualPlaces)...))
	}
	return t
}
