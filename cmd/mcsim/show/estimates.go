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

// Estimates prints the estimates of a probe, cell by cell, then its quantiles and warnings.
func Estimates(w io.Writer, doc *result.Document) {
	for _, c := range doc.Cells {
		fmt.Fprintf(w, "%s, seed %d: %s\n\n", c.ID, doc.Seed, describeSamples(c))
	}
	previous := "" // cell of the previous estimate
	table := NewTable("quantity", "estimate", "95 % interval", "theory", "difference")
	for _, e := range doc.Estimates {
		_, _, isQuantile := names.ParseQuantile(e.Quantity)
		if isQuantile || coversSeveralCells(e.Cell) || e.Experiment == names.ExperimentAgreement {
			continue
		}
		cell := findCell(doc, e)
		if previous != "" && cell != previous {
			table.Add("")
			table.Add(cell + ":")
		}
		previous = cell
		table.Add(e.Quantity+DescribeParams(e.Cell, e.Params), formatEstimate(e),
			digits.Interval(float64(e.Lo), float64(e.Hi)), formatTheory(e), formatDifference(e))
	}
	table.Print(w)
	printQuantiles(w, doc.Estimates)
	gap := "\n"
	for _, warning := range doc.Warnings {
		if coversSeveralCells(warning.Cell) {
			continue
		}
		fmt.Fprintf(w, "%snote: %s: %s\n", gap, warning.Quantity, warning.Text)
		gap = ""
	}
}

// describeSamples returns the number of a cell's samples with their unit.
func describeSamples(c result.Cell) string {
	if c.N == 1 {
		return "1 " + c.Unit
	}
	return digits.Count(c.N) + " " + c.Unit + "s"
}

// coversSeveralCells reports whether an estimate combines several cells, such as a slope. A probe
// has one cell only, so that the estimate has no meaning there.
func coversSeveralCells(cell string) bool { return strings.Contains(cell, "*") }

// formatTheory formats the theory of an estimate, or marks it as the limit of many components.
func formatTheory(r result.Estimate) string {
	text := digits.Short(float64(r.Theory))
	if r.TheoryKind == names.TheoryLimit && r.Theory.Present() {
		return "limit " + text
	}
	return text
}

// findCell returns the cell that the estimate's experiment samples or reads.
func findCell(doc *result.Document, r result.Estimate) string {
	for _, c := range doc.Cells {
		if strings.HasPrefix(c.ID, r.Experiment+"/") {
			return c.ID
		}
	}
	return doc.Cells[0].ID
}

// printQuantiles prints the quantiles of each quantity in one line.
func printQuantiles(w io.Writer, estimates []result.Estimate) {
	const lowestLevel = 0.05 // the other quantiles follow it
	table := NewTable("quantile over rows", "5 %", "25 %", "median", "75 %", "95 %")
	for i, r := range estimates {
		quantity, level, ok := names.ParseQuantile(r.Quantity)
		if !ok || level != lowestLevel {
			continue
		}
		cells := []any{quantity + DescribeParams(r.Cell, r.Params)}
		for _, q := range estimates[i:min(i+5, len(estimates))] {
			cells = append(cells, formatEstimate(q))
		}
		table.Add(cells...)
	}
	if len(table.rows) > 0 {
		fmt.Fprintln(w)
		table.Print(w)
	}
}

// formatDifference returns the distance of an estimate from theory in standard errors. It is a
// dash if theory is only a limit, or if the estimate has no interval, since its error is then not
// normal or not known well enough.
func formatDifference(r result.Estimate) string {
	z := float64((r.Value - r.Theory) / r.SE)
	isKnown := r.Level.Present() && r.SE.Present() && !math.IsNaN(z) && !math.IsInf(z, 0)
	if r.TheoryKind == names.TheoryLimit || !isKnown {
		return digits.None
	}
	return strings.Replace(fmt.Sprintf("%+.1f se", z), "-", "−", 1)
}

// formatEstimate formats a value with its standard error, or with its interval if it has none.
func formatEstimate(r result.Estimate) string {
	if !r.SE.Present() && r.Lo.Present() && r.Level.Present() {
		return digits.IntervalEstimate(float64(r.Value), float64(r.Lo), float64(r.Hi), float64(r.Resolution))
	}
	if names.IsTestStatistic(r.Quantity) {
		return digits.Decimals(float64(r.Value), 3)
	}
	return digits.PlusMinus(float64(r.Value), float64(r.SE)) + digits.BinWidthSuffix(float64(r.Resolution))
}
