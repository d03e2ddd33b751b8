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

// Estimates prints the estimates of a probe, cell by cell, and then its quantiles and warnings. It
// omits estimates that have no meaning for a single cell.
func Estimates(w io.Writer, doc *result.Document) {
	for _, c := range doc.Cells {
		fmt.Fprintf(w, "%s, seed %d: %s\n\n", c.ID, doc.Seed, describeSamples(c))
	}
	previousCell := ""
	table := NewTable("quantity", "estimate", "95 % interval", "theory", "difference")
	for _, e := range doc.Estimates {
		_, _, isQuantile := names.ParseQuantile(e.Quantity)
		if isQuantile || coversSeveralCells(e.Cell) || e.Experiment == names.ExperimentAgreement {
			continue
		}
		cell := findCell(doc, e)
		if previousCell != "" && cell != previousCell {
			table.Add("")
			table.Add(cell + ":")
		}
		previousCell = cell
		table.Add(e.Quantity+DescribeParams(e.Cell, e.Params), formatEstimate(e),
			digits.Interval(float64(e.Lo), float64(e.Hi)), formatTheory(e), formatDifference(e))
	}
	table.Print(w)
	printQuantiles(w, doc.Estimates)
	gap := "\n" // an empty line before the first note
	for _, warning := range doc.Warnings {
		if coversSeveralCells(warning.Cell) {
			continue
		}
		fmt.Fprint(w, gap)
		Linef(w, "note: %s: %s", warning.Quantity, warning.Text)
		gap = ""
	}
}

// describeSamples formats the number of a cell's samples with the unit, such as "16 rows".
func describeSamples(c result.Cell) string {
	if c.N == 1 {
		return "1 " + c.Unit
	}
	return digits.Count(c.N) + " " + c.Unit + "s"
}

// coversSeveralCells reports whether an estimate, such as a slope, combines several cells: its cell
// is then a pattern with *. Such an estimate has no meaning for a probe, which has only one cell.
func coversSeveralCells(cell string) bool { return strings.Contains(cell, "*") }

// formatTheory formats the value of an estimate in theory. It marks a value that theory states only
// for the limit of many components.
func formatTheory(e result.Estimate) string {
	text := digits.Short(float64(e.Theory))
	if e.TheoryKind == names.TheoryLimit && e.Theory.Present() {
		return "limit " + text
	}
	return text
}

// findCell returns the ID of the cell that the estimate's experiment samples. An experiment that
// samples none reads the first cell.
func findCell(doc *result.Document, e result.Estimate) string {
	for _, c := range doc.Cells {
		if strings.HasPrefix(c.ID, e.Experiment+"/") {
			return c.ID
		}
	}
	return doc.Cells[0].ID
}

// printQuantiles prints the five quantiles of each quantity in one line. The document lists them
// one after the other, from the lowest level.
func printQuantiles(w io.Writer, estimates []result.Estimate) {
	const (
		lowestLevel = 0.05
		levelCount  = 5
	)
	table := NewTable("quantile over rows", "5 %", "25 %", "median", "75 %", "95 %")
	for i, e := range estimates {
		quantity, level, isQuantile := names.ParseQuantile(e.Quantity)
		if !isQuantile || level != lowestLevel {
			continue
		}
		cells := []any{quantity + DescribeParams(e.Cell, e.Params)}
		for _, quantile := range estimates[i:min(i+levelCount, len(estimates))] {
			cells = append(cells, formatEstimate(quantile))
		}
		table.Add(cells...)
	}
	if len(table.rows) > 0 {
		fmt.Fprintln(w)
		table.Print(w)
	}
}

// formatDifference formats the difference of an estimate from theory in standard errors. It returns
// a dash if theory is only a limit. It also returns a dash if the estimate has no interval, because
// the error of such an estimate is not normal or not known well enough.
func formatDifference(e result.Estimate) string {
	z := float64((e.Value - e.Theory) / e.SE)
	hasInterval := e.Level.Present()
	isFinite := !math.IsNaN(z) && !math.IsInf(z, 0)
	if e.TheoryKind == names.TheoryLimit || !hasInterval || !e.SE.Present() || !isFinite {
		return digits.None
	}
	return strings.Replace(fmt.Sprintf("%+.1f se", z), "-", "−", 1)
}

// formatEstimate formats a value with its standard error. A value without a standard error has its
// interval instead, and a test statistic stands alone.
func formatEstimate(e result.Estimate) string {
	hasInterval := e.Lo.Present() && e.Level.Present()
	if !e.SE.Present() && hasInterval {
		return digits.IntervalEstimate(float64(e.Value), float64(e.Lo), float64(e.Hi), float64(e.Resolution))
	}
	if names.IsTestStatistic(e.Quantity) {
		return digits.Decimals(float64(e.Value), 3)
	}
	return digits.PlusMinus(float64(e.Value), float64(e.SE)) + digits.BinWidthSuffix(float64(e.Resolution))
}
