package site

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/view"
	"mcsim/sim/claim/rowref"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// saying says a row that a text names in a way.
func (w *writer) saying(write func(result.Estimate) string) func(text string) (string, error) {
	return func(text string) (string, error) {
		r, err := rowref.Read(text)
		if err != nil {
			return "", err
		}
		e := r.Find(w.src.Doc)
		if e == nil || !e.Value.Present() {
			return "", fmt.Errorf("the document has no number for %s", text)
		}
		said := write(*e)
		if said == "" {
			return "", fmt.Errorf("%s is no share of what was counted", text)
		}
		return said, nil
	}
}

// count writes a counted share as so many of so many, and what is none as nothing.
func count(e result.Estimate) string {
	entry, _ := names.Lookup(names.GroupQuantity, e.Quantity)
	if n := float64(e.Value) * float64(e.N); !entry.Fraction() || math.Abs(n-math.Round(n)) > 1e-6 {
		return ""
	}
	return fmt.Sprintf("%s of %s", digits.Count(int64(math.Round(float64(e.Value)*float64(e.N)))), digits.Count(e.N))
}

// begins labels rows of n keys by the standard deviation of their normal logits, which a row has.
func (w *writer) begins(text string, keys int) (string, error) {
	return w.saying(func(e result.Estimate) string {
		if float64(e.Value) > math.Sqrt(2*math.Log(float64(keys))) {
			return names.LabelConcentrated
		}
		return names.LabelSpread
	})(text)
}

// cell writes a row with its error, as tables do.
func (w *writer) cell(e result.Estimate) string {
	said := view.Concise(e)
	w.notation = append(w.notation, view.Table{Rows: [][]string{{said}}}.Notation()...)
	return said
}

// step finds a matrix of a worked example.
func (w *writer) step(example, name string) (result.Step, error) {
	s, ok := w.src.Doc.Example(example).Step(name)
	if !ok {
		return s, fmt.Errorf("the document has no %s of the example %s", name, example)
	}
	return s, nil
}

// matrix writes the table of a matrix of a worked example, with its shape in the corner.
func (w *writer) matrix(example, name, caption string) (string, error) {
	return w.grid(example, name, caption, func(result.Number) string { return "" })
}

// heat is a matrix of numbers from 0 on whose fields are the darker the greater they are.
func (w *writer) heat(example, name, caption string) (string, error) {
	s, err := w.step(example, name)
	if err != nil || w.single {
		return w.matrix(example, name, caption)
	}
	most := slices.Max(s.Value)
	return w.grid(example, name, caption, func(x result.Number) string { return markdown.Shaded(float64(x / most)) })
}

// grid writes the table of a matrix, with a mark before each number.
func (w *writer) grid(example, name, caption string, mark func(result.Number) string) (string, error) {
	s, err := w.step(example, name)
	if err != nil {
		return "", err
	}
	t := view.Table{Caption: caption, Head: append([]string{shape(s)}, labels(s.Columns, s.Shape[1])...)}
	for i, label := range labels(s.Rows, s.Shape[0]) {
		line := []string{label}
		for _, x := range s.Row(i) {
			line = append(line, mark(x)+digits.Places(float64(x), decimals(s.Value)))
		}
		t.Rows = append(t.Rows, line)
	}
	return w.table(name+"-of-"+example, t), nil
}

// entry writes one number of a matrix, whose rows and columns count from 1.
func (w *writer) entry(example, name string, row, column int) (string, error) {
	s, err := w.step(example, name)
	if err != nil {
		return "", err
	}
	if row < 1 || row > s.Shape[0] || column < 1 || column > s.Shape[1] {
		return "", fmt.Errorf("%s of the example %s has %d rows and %d columns", name, example, s.Shape[0], s.Shape[1])
	}
	return digits.Places(float64(s.Row(row - 1)[column-1]), decimals(s.Value)), nil
}

// shape writes that of a matrix for the corner of its table.
func shape(s result.Step) string {
	return digits.Count(int64(s.Shape[0])) + "\u00a0×\u00a0" + digits.Count(int64(s.Shape[1]))
}

// labels are those of rows or columns, numbers where there are none.
func labels(given []string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = digits.Count(int64(i + 1))
		if len(given) == n {
			out[i] = markdown.Escape(given[i])
		}
	}
	return out
}

// decimals is how many decimals write all numbers as they are, as far as that is up to three.
func decimals(values []result.Number) int {
	const most = 3
	for places := range most {
		unit, ends := math.Pow10(places), true
		for _, x := range values {
			scaled := float64(x) * unit
			ends = ends && (!x.Present() || math.Abs(scaled-math.Round(scaled)) <= 1e-12*unit)
		}
		if ends {
			return places
		}
	}
	return most
}

// gates writes every gate as CSV.
func gates(doc *result.Document) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	number := func(x result.Number) string {
		if !x.Present() {
			return ""
		}
		return strconv.FormatFloat(float64(x), 'g', -1, 64)
	}
	lines := [][]string{{names.ColumnExperiment, names.ColumnCell, names.ColumnQuantity, "gate", "expect", names.ColumnValue, names.ColumnSE,
		names.ColumnLo, names.ColumnHi, "band_lo", "band_hi", "verdict"}}
	for _, g := range doc.Gates {
		lines = append(lines, []string{g.Experiment, g.Cell, g.Quantity, g.Name, g.Expect, number(g.Value), number(g.SE),
			number(g.Lo), number(g.Hi), number(g.Band[0]), number(g.Band[1]), string(g.Verdict)})
	}
	err := w.WriteAll(lines)
	return b.Bytes(), err
}
