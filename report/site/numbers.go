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

// estimateWriter returns a template function that formats the estimate to which a reference such as
// variance.score_mean[d_k=2] refers. The function fails if the document does not have the estimate,
// or if format returns "", which only formatCount does.
func (w *writer) estimateWriter(format func(result.Estimate) string) func(reference string) (string, error) {
	return func(reference string) (string, error) {
		ref, err := claim.ParseRow(reference)
		if err != nil {
			return "", err
		}
		e := ref.Find(w.src.Doc)
		if e == nil || !e.Value.Present() {
			return "", fmt.Errorf("the document has no number for %s", reference)
		}
		text := format(*e)
		if text == "" {
			return "", fmt.Errorf("%s is not a proportion of counted events", reference)
		}
		return text, nil
	}
}

// formatCount returns "3 of 20" for the proportion 0.15 of 20 events, and "" for an estimate that
// is not a proportion of counted events.
func formatCount(e result.Estimate) string {
	quantity, _ := names.Lookup(names.GroupQuantity, e.Quantity)
	product := float64(e.Value) * float64(e.N)
	count := math.Round(product)
	const maxRoundingError = 1e-6
	if !quantity.IsFraction() || math.Abs(product-count) > maxRoundingError {
		return ""
	}
	return fmt.Sprintf("%s of %s", digits.Count(int64(count)), digits.Count(e.N))
}

// labelAtStart returns the label, concentrated or spread, of the attention rows with which a model
// begins. The rows have the given number of keys, and normal logits with the standard deviation to
// which the reference refers.
func (w *writer) labelAtStart(reference string, keys int) (string, error) {
	write := w.estimateWriter(func(e result.Estimate) string {
		if float64(e.Value) > chart.ConcentrationLimit(float64(keys)) {
			return names.LabelConcentrated
		}
		return names.LabelSpread
	})
	return write(reference)
}

// formatCell writes an estimate with its error for a cell of a table. It records the symbols in the
// text, such as †, which a note below the table explains.
func (w *writer) formatCell(e result.Estimate) string {
	text := page.FormatConcise(e)
	w.notation = append(w.notation, page.Notation(text)...)
	return text
}

// findStep returns the matrix with the given name of a worked example.
func (w *writer) findStep(example, name string) (result.Step, error) {
	s, ok := w.src.Doc.Example(example).Step(name)
	if !ok {
		return s, fmt.Errorf("the document has no %s of the example %s", name, example)
	}
	return s, nil
}

// matrixTable writes a matrix of a worked example as a table, with the matrix's shape in the
// corner.
func (w *writer) matrixTable(example, name, caption string) (string, error) {
	return w.stepTable(example, name, caption, func(result.Number) string { return "" })
}

// heatTable writes a matrix of non-negative numbers like matrixTable, with darker cells for larger
// numbers.
func (w *writer) heatTable(example, name, caption string) (string, error) {
	if w.single { // the single document, report.md, has no shaded cells
		return w.matrixTable(example, name, caption)
	}
	s, err := w.findStep(example, name)
	if err != nil {
		return "", err
	}
	largest := slices.Max(s.Value)
	return w.stepTable(example, name, caption,
		func(x result.Number) string { return markdown.ShadeCell(float64(x / largest)) })
}

// stepTable writes a matrix like matrixTable, with a prefix before each number.
func (w *writer) stepTable(example, name, caption string, prefix func(result.Number) string) (string, error) {
	s, err := w.findStep(example, name)
	if err != nil {
		return "", err
	}
	shape := digits.Count(int64(s.Shape[0])) + "\u00a0×\u00a0" + digits.Count(int64(s.Shape[1]))
	t := page.Table{Caption: caption, Head: append([]string{shape}, headings(s.Columns, s.Shape[1])...)}
	decimals := decimalCount(s.Value)
	for i, heading := range headings(s.Rows, s.Shape[0]) {
		cells := []string{heading}
		for _, x := range s.Row(i) {
			cells = append(cells, prefix(x)+digits.FixedDecimals(float64(x), decimals))
		}
		t.Rows = append(t.Rows, cells)
	}
	return w.captionedTable(name+"-of-"+example, t), nil
}

// matrixEntry writes one number of a matrix. Rows and columns are numbered from 1.
func (w *writer) matrixEntry(example, name string, row, column int) (string, error) {
	s, err := w.findStep(example, name)
	if err != nil {
		return "", err
	}
	if row < 1 || row > s.Shape[0] || column < 1 || column > s.Shape[1] {
		return "", fmt.Errorf("%s of the example %s has %d rows and %d columns", name, example, s.Shape[0], s.Shape[1])
	}
	return digits.FixedDecimals(float64(s.Row(row - 1)[column-1]), decimalCount(s.Value)), nil
}

// headings returns the titles of n rows or columns of a matrix, or their numbers if there are none.
func headings(titles []string, n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = digits.Count(int64(i + 1))
		if len(titles) == n {
			texts[i] = markdown.Escape(titles[i])
		}
	}
	return texts
}

// decimalCount returns the smallest number of decimals, at most maxDecimals, that writes all values
// exactly. It ignores the rounding errors of values such as 0.1, which float64 cannot represent.
func decimalCount(values []result.Number) int {
	const maxDecimals, maxRoundingError = 3, 1e-12
	for n := range maxDecimals {
		unit := math.Pow10(n)
		isInexact := func(x result.Number) bool {
			scaled := float64(x) * unit
			return x.Present() && math.Abs(scaled-math.Round(scaled)) > maxRoundingError*unit
		}
		if !slices.ContainsFunc(values, isInexact) {
			return n
		}
	}
	return maxDecimals
}

// gatesCSV writes all gates as CSV.
func gatesCSV(doc *result.Document) ([]byte, error) {
	formatNumber := func(x result.Number) string {
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
			formatNumber(g.Value), formatNumber(g.SE), formatNumber(g.Lo), formatNumber(g.Hi),
			formatNumber(g.Band[0]), formatNumber(g.Band[1]), string(g.Verdict),
		})
	}
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(lines)
	return b.Bytes(), err
}
