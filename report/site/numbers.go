package site

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"

	"mcsim/report/chart"
	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/page"
	"mcsim/sim/claim"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// rowWriter returns a template function that writes the row which a reference names.
func (w *writer) rowWriter(write func(result.Estimate) string) func(reference string) (string, error) {
	return func(reference string) (string, error) {
		r, err := claim.ParseRow(reference)
		if err != nil {
			return "", err
		}
		e := r.Find(w.src.Doc)
		if e == nil || !e.Value.Present() {
			return "", fmt.Errorf("the document has no number for %s", reference)
		}
		text := write(*e)
		if text == "" {
			return "", fmt.Errorf("%s is no share of what was counted", reference)
		}
		return text, nil
	}
}

// countText writes a share of counted events as "3 of 20". It is empty for any other row.
func countText(e result.Estimate) string {
	entry, _ := names.Lookup(names.GroupQuantity, e.Quantity)
	n := float64(e.Value) * float64(e.N)
	if !entry.Fraction() || math.Abs(n-math.Round(n)) > 1e-6 {
		return ""
	}
	return fmt.Sprintf("%s of %s", digits.Count(int64(math.Round(n))), digits.Count(e.N))
}

// begins labels rows of n keys by a row with the standard deviation of their normal logits.
func (w *writer) begins(reference string, keys int) (string, error) {
	write := w.rowWriter(func(e result.Estimate) string {
		if float64(e.Value) > chart.ConcentrationLimit(float64(keys)) {
			return names.LabelConcentrated
		}
		return names.LabelSpread
	})
	return write(reference)
}

// cell writes a row with its error, as tables do.
func (w *writer) cell(e result.Estimate) string {
	text := page.Concise(e)
	w.notation = append(w.notation, page.Notation(text)...)
	return text
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

// heat writes a matrix of non-negative numbers; a cell is the darker the larger its number is.
func (w *writer) heat(example, name, caption string) (string, error) {
	s, err := w.step(example, name)
	if err != nil || w.single {
		return w.matrix(example, name, caption)
	}
	largest := slices.Max(s.Value)
	return w.grid(example, name, caption, func(x result.Number) string { return markdown.Shaded(float64(x / largest)) })
}

// grid writes the table of a matrix, with a mark before each number.
func (w *writer) grid(example, name, caption string, mark func(result.Number) string) (string, error) {
	s, err := w.step(example, name)
	if err != nil {
		return "", err
	}
	shape := digits.Count(int64(s.Shape[0])) + "\u00a0×\u00a0" + digits.Count(int64(s.Shape[1]))
	t := page.Table{Caption: caption, Head: append([]string{shape}, headings(s.Columns, s.Shape[1])...)}
	places := decimals(s.Value)
	for i, heading := range headings(s.Rows, s.Shape[0]) {
		cells := []string{heading}
		for _, x := range s.Row(i) {
			cells = append(cells, mark(x)+digits.FixedDecimals(float64(x), places))
		}
		t.Rows = append(t.Rows, cells)
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
	return digits.FixedDecimals(float64(s.Row(row - 1)[column-1]), decimals(s.Value)), nil
}

// headings returns the names of n rows or columns, or numbers if they have no names.
func headings(given []string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = digits.Count(int64(i + 1))
		if len(given) == n {
			out[i] = markdown.Escape(given[i])
		}
	}
	return out
}

// decimals returns the number of decimals, at most three, that write all values exactly.
func decimals(values []result.Number) int {
	const maxDecimals = 3
	for places := range maxDecimals {
		unit := math.Pow10(places)
		isInexact := func(x result.Number) bool {
			scaled := float64(x) * unit
			return x.Present() && math.Abs(scaled-math.Round(scaled)) > 1e-12*unit
		}
		if !slices.ContainsFunc(values, isInexact) {
			return places
		}
	}
	return maxDecimals
}

// gatesCSV writes every gate.
func gatesCSV(doc *result.Document) ([]byte, error) {
	number := func(x result.Number) string {
		if !x.Present() {
			return ""
		}
		return strconv.FormatFloat(float64(x), 'g', -1, 64)
	}
	lines := [][]string{{
		names.ColumnExperiment, names.ColumnCell, names.ColumnQuantity, "gate", "expect",
		names.ColumnValue, names.ColumnSE, names.ColumnLo, names.ColumnHi, "band_lo", "band_hi", "verdict",
	}}
	for _, g := range doc.Gates {
		lines = append(lines, []string{
			g.Experiment, g.Cell, g.Quantity, g.Name, g.Expect,
			number(g.Value), number(g.SE), number(g.Lo), number(g.Hi), number(g.Band[0]), number(g.Band[1]),
			string(g.Verdict),
		})
	}
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(lines)
	return b.Bytes(), err
}
