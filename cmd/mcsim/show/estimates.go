package show

import (
	"fmt"
	"io"
	"math"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Estimates prints the rows of a probe, cell by cell, its quantiles, and its warnings.
func Estimates(w io.Writer, doc *result.Document) {
	for _, c := range doc.Cells {
		fmt.Fprintf(w, "%s, seed %d: %s\n\n", c.ID, doc.Seed, describeSamples(c))
	}
	rows, previous := NewRows("quantity", "estimate", "95 % interval", "theory", "difference"), ""
	for _, r := range doc.Estimates {
		_, _, isQuantile := names.ParseQuantile(r.Quantity)
		if isQuantile || isOfSeveralCells(r.Cell) || r.Experiment == names.ExperimentAgreement {
			continue
		}
		cell := cellOf(doc, r)
		if previous != "" && cell != previous {
			rows.Add("")
			rows.Add(cell + ":")
		}
		previous = cell
		rows.Add(r.Quantity+Point(r.Cell, r.Params), formatEstimate(r), digits.Interval(float64(r.Lo), float64(r.Hi)),
			formatTheory(r), formatDifference(r))
	}
	rows.Print(w)
	printQuantiles(w, doc.Estimates)
	gap := "\n"
	for _, warning := range doc.Warnings {
		if isOfSeveralCells(warning.Cell) {
			continue
		}
		fmt.Fprintf(w, "%snote: %s: %s\n", gap, warning.Quantity, warning.Text)
		gap = ""
	}
}

// describeSamples says how many samples of a cell were drawn.
func describeSamples(c result.Cell) string {
	if c.N == 1 {
		return "1 " + c.Unit
	}
	return digits.Count(c.N) + " " + c.Unit + "s"
}

// isOfSeveralCells reports whether a row is of several cells together: a probe has one cell, which
// has no slope.
func isOfSeveralCells(cell string) bool { return strings.Contains(cell, "*") }

// formatTheory formats a row's theory, which may be only the limit of many components.
func formatTheory(r result.Estimate) string {
	text := digits.Short(float64(r.Theory))
	if r.TheoryKind == names.TheoryLimit && r.Theory.Present() {
		return "limit " + text
	}
	return text
}

// cellOf returns the cell that the row's experiment draws or reads.
func cellOf(doc *result.Document, r result.Estimate) string {
	for _, c := range doc.Cells {
		if strings.HasPrefix(c.ID, r.Experiment+"/") {
			return c.ID
		}
	}
	return doc.Cells[0].ID
}

// printQuantiles prints the quantiles of each quantity side by side.
func printQuantiles(w io.Writer, estimates []result.Estimate) {
	const lowest = 0.05 // of the quantiles of a row, which follow each other
	rows := NewRows("quantile over rows", "5 %", "25 %", "median", "75 %", "95 %")
	for i, r := range estimates {
		quantity, level, ok := names.ParseQuantile(r.Quantity)
		if !ok || level != lowest {
			continue
		}
		cells := []any{quantity + Point(r.Cell, r.Params)}
		for _, q := range estimates[i:min(i+5, len(estimates))] {
			cells = append(cells, formatEstimate(q))
		}
		rows.Add(cells...)
	}
	if len(rows.rows) > 0 {
		fmt.Fprintln(w)
		rows.Print(w)
	}
}

// formatDifference returns how many standard errors the estimate is from theory. It returns a dash
// for a limit, which the estimate may differ from, and for an estimate without an interval,
// whose error is not normal or not known well enough.
func formatDifference(r result.Estimate) string {
	z := float64((r.Value - r.Theory) / r.SE)
	isKnown := r.Level.Present() && r.SE.Present() && !math.IsNaN(z) && !math.IsInf(z, 0)
	if r.TheoryKind == names.TheoryLimit || !isKnown {
		return digits.None
	}
	return strings.Replace(fmt.Sprintf("%+.1f se", z), "-", "−", 1)
}

// formatEstimate formats a value with its error, or with its interval if it has no error.
func formatEstimate(r result.Estimate) string {
	if !r.SE.Present() && r.Lo.Present() && r.Level.Present() {
		return digits.IntervalEstimate(float64(r.Value), float64(r.Lo), float64(r.Hi), float64(r.Resolution))
	}
	if names.IsTestStatistic(r.Quantity) {
		return digits.Decimals(float64(r.Value), 3)
	}
	return digits.PlusMinus(float64(r.Value), float64(r.SE)) + digits.BinWidthSuffix(float64(r.Resolution))
}
