package lesson

import (
	"os"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// file is the text of a file.
func file(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// listings are the blocks of code of a template, by their kind and in their order.
func listings(template, kind string) (found []string) {
	for _, part := range strings.Split(template, "```"+kind+"\n")[1:] {
		text, _, _ := strings.Cut(part, "```")
		found = append(found, text)
	}
	return found
}

// unindented drops a tab, and what stands behind another prefix, from each line.
func unindented(text, prefix string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(line, "\t")
		b.WriteString(strings.TrimPrefix(line, prefix))
	}
	return b.String()
}

// The page shows the Go that a test of package attention runs, the PyTorch of its script,
// and what both print.
func TestListings(t *testing.T) {
	const attention = "../../sim/attention/"
	template := file(t, "../../templates/example.md")
	_, body, okBody := strings.Cut(file(t, attention+"example_test.go"), "func Example() {\n")
	code, prints, okPrints := strings.Cut(body, "\t// Output:\n")
	prints, _, okEnd := strings.Cut(prints, "}\n")
	if !okBody || !okPrints || !okEnd {
		t.Fatal("the example of package attention has no code with its output")
	}
	printed := listings(template, "text")
	if len(printed) != 2 {
		t.Fatalf("the page shows %d outputs", len(printed))
	}
	for _, c := range []struct{ what, shown, is string }{
		{"the code in Go", strings.Join(listings(template, "go"), ""), unindented(code, "")},
		{"its output", printed[0], unindented(prints, "// ")},
		{"the code in PyTorch", strings.Join(listings(template, "python"), ""), file(t, attention+"testdata/three_tokens.py")},
		{"its output", printed[1], file(t, attention+"testdata/three_tokens.txt")},
	} {
		if c.shown != c.is {
			t.Errorf("%s is shown as\n%s\nand is\n%s", c.what, c.shown, c.is)
		}
	}
	if n := strings.Count(unindented(code, ""), "\n"); n > 10 {
		t.Errorf("the code in Go has %d lines", n)
	}
}

// exampleOf is the view of a document.
func exampleOf(doc *result.Document) exampleView {
	return Example(view.NewSource(doc, view.Run{}, nil))
}

// What the page says of printed numbers is what the document found of them.
func TestFindingsOfPrintedNumbers(t *testing.T) {
	v := exampleOf(sample.Document())
	if v.Alpha.Of() != "nine" || v.Alpha.Wrong() != "eight" || !v.LogitsRight || !v.Twice || !v.Consistent || !v.WidgetHolds || !v.DividedRight {
		t.Errorf("%+v, %t, %t, %t, %t, %t", v.Alpha, v.LogitsRight, v.Twice, v.Consistent, v.WidgetHolds, v.DividedRight)
	}
	if v.Product != "1.5·0.5 + 0.5·0.2 + 1.5·1.0 + 0.5·0.3\u00a0=\u00a02.5" || v.Average != "0.534·0.9 + 0.341·0.2 + 0.125·0.4\u00a0=\u00a00.599" {
		t.Errorf("%q, %q", v.Product, v.Average)
	}
	set := func(id, step string, to ...string) exampleView {
		doc := sample.Document()
		s, ok := doc.Example(id).Step(step)
		if !ok {
			t.Fatalf("%s has no %s", id, step)
		}
		copy(s.Digits, to)
		return exampleOf(doc)
	}
	right, wrong := names.PrintedRight, names.PrintedWrong
	if v := set(names.ExampleThreeTokens, names.StepLogits, wrong); v.LogitsRight {
		t.Error("a wrong logit is right")
	}
	if v := set(names.ExampleThreeTokens, names.StepWeights, right, right, right); v.Twice || v.Alpha.Wrong() != "five" {
		t.Errorf("the printed row is right: %t, %s", v.Twice, v.Alpha.Wrong())
	}
	if v := set(names.ExampleScaledTwice, names.StepWeights, wrong); v.Twice {
		t.Error("a row that no scale gives is said to be that of a scale applied twice")
	}
	if v := set(names.ExamplePrintedWeights, names.StepBlend, wrong); v.Consistent {
		t.Error("a wrong product is said to be right")
	}
	if v := set(names.ExampleSpreadScaled, names.StepLogits, wrong); v.DividedRight {
		t.Error("a wrong quotient is said to be right")
	}
	if v := set(names.ExampleEightKeys, names.StepMeasures, wrong); v.WidgetHolds {
		t.Error("a wrong number of the lesson holds")
	}
}

// A document that lacks an example, or a step of one, leaves out what shows it and keeps
// the rest.
func TestMissingSteps(t *testing.T) {
	whole := sample.Document()
	for i, e := range whole.Examples {
		doc := sample.Document()
		doc.Examples = append(doc.Examples[:i], doc.Examples[i+1:]...)
		if v := exampleOf(doc); !v.Any {
			t.Errorf("without %s there are no examples", e.ID)
		}
		for k := range e.Steps {
			doc := sample.Document()
			steps := doc.Examples[i].Steps
			doc.Examples[i].Steps = append(steps[:k:k], steps[k+1:]...)
			exampleOf(doc)
			doc = sample.Document() // another shape, as somebody could seal it
			s := &doc.Examples[i].Steps[k]
			*s = result.Step{Name: s.Name, Shape: []int{2, 1}, Value: []result.Number{result.Absent(), 1}, Printed: []string{"x", "1e999%"}, Digits: []string{"", "y"}}
			if err := result.CheckExamples(doc.Examples); err != nil {
				t.Fatal(err)
			}
			exampleOf(doc)
		}
	}
	whole.Examples = nil
	if v := exampleOf(whole); v.Any || len(v.Queries.Rows) > 0 || len(v.Series.Rows) > 0 {
		t.Errorf("%+v", v)
	}
}

// Numbers have the decimals that they need, and no more than three.
func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		values []result.Number
		want   int
	}{
		{[]result.Number{1, -2}, 0}, {[]result.Number{1.5, 0.25}, 2}, {[]result.Number{-0.3999999999999999, 1.6}, 1},
		{[]result.Number{1.0 / 3}, 3}, {[]result.Number{0.125}, 3}, {[]result.Number{result.Absent(), 0.5}, 1}, {nil, 0},
	} {
		if got := decimals(c.values); got != c.want {
			t.Errorf("%v has %d decimals, want %d", c.values, got, c.want)
		}
	}
}

// A number stands beside a printed one in its unit, with a digit more.
func TestBesidePrinted(t *testing.T) {
	for _, c := range []struct {
		value                  result.Number
		text                   string
		computed, printed, off string
	}{
		{0.5341314, "0.44", "0.534", "0.44", "−0.094"},
		{0.0699287, "7.0%", "6.99%", "7.0%", "0.01%"},
		{-0.0384777, "0.050", "−0.0385", "0.050", "0.0885"},
		{4.54e-5, "0.005", "4.5·10⁻⁵", "0.005", "0.0050"},
		{1, "x", "1.000", "x", "–"},
		{-0.2, "-0.20", "−0.200", "−0.20", "0.000"},
		{0.107498, "10.7%", "10.7498%", "10.7%", "−0.0498%"}, // not 10.75, which one could round to 10.8
		{0.125, "0.12", "0.125", "0.12", "−0.005"},
	} {
		if a, b, d := computed(c.value, c.text), asPrinted(c.text), off(c.value, c.text); a != c.computed || b != c.printed || d != c.off {
			t.Errorf("%v beside %q: %q, %q, %q", c.value, c.text, a, b, d)
		}
	}
}

// An entry of a Jacobian has four decimals, and a small one three digits, zeros kept: the
// entries of a row visibly add up to 0.
func TestEntries(t *testing.T) {
	for x, want := range map[result.Number]string{0.24884: "0.2488", -4.9e-7: "−4.90·10⁻⁷", 1e-13: "0"} {
		if got := entry(x); got != want {
			t.Errorf("%v is written %q, want %q", x, got, want)
		}
	}
}

// Two entries of the Jacobian are worked out as a reader would, and the key whose logit a
// fixed step leaves alone is named where there is one.
func TestGradientByHand(t *testing.T) {
	doc := sample.Document()
	v := exampleOf(doc)
	if v.Gradient.Diagonal != "0.534·(1 − 0.534)\u00a0=\u00a00.249" || v.Gradient.Beside != "−0.534·0.341\u00a0=\u00a0−0.182" {
		t.Errorf("%q, %q", v.Gradient.Diagonal, v.Gradient.Beside)
	}
	if v.Unmoved != "dog" {
		t.Errorf("%q is not moved", v.Unmoved)
	}
	s, _ := doc.Example(names.ExampleScaleInside).Step(names.StepSigned)
	s.Value[0] = 1
	if v := exampleOf(doc); v.Unmoved != "" {
		t.Errorf("%q is moved", v.Unmoved)
	}
}
