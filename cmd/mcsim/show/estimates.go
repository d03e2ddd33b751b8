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

// Estimates prints the rows of a probe, cell by cell, its quantiles, and what a
// reader must know of them.
func Estimates(w io.Writer, doc *result.Document) {
	for _, c := range doc.Cells {
		fmt.Fprintf(w, "%s, seed %d: %s\n\n", c.ID, doc.Seed, drawn(c))
	}
	lines, last := []string{"quantity\testimate\t95 % interval\ttheory\tdifference"}, ""
	for _, r := range doc.Estimates {
		if _, _, ok := names.QuantileOf(r.Quantity); ok || joined(r.Cell) || r.Experiment == names.ExperimentAgreement {
			continue
		}
		cell := cellOf(doc, r)
		if last != "" && cell != last {
			lines = append(lines, "", cell+":")
		}
		last = cell
		lines = append(lines, fmt.Sprintf("%s\t%s\t%s\t%s\t%s", r.Quantity+Point(r.Cell, r.Params), written(r),
			digits.Interval(float64(r.Lo), float64(r.Hi)), theoryOf(r), difference(r)))
	}
	Lines(w, lines)
	printQuantiles(w, doc.Estimates)
	begin := "\n"
	for _, warning := range doc.Warnings {
		if !joined(warning.Cell) {
			io.WriteString(w, begin)
			fmt.Fprintf(w, "note: %s: %s\n", warning.Quantity, warning.Text)
			begin = ""
		}
	}
}

// drawn says how much of a cell was drawn.
func drawn(c result.Cell) string {
	if c.N == 1 {
		return "1 " + c.Unit
	}
	return digits.Count(c.N) + " " + c.Unit + "s"
}

// joined reports whether a row is of several cells together: one cell has no slope,
// and nobody asked for one.
func joined(cell string) bool { return strings.Contains(cell, "*") }

// theoryOf is a row's theory, which may be one of many components only.
func theoryOf(r result.Estimate) string {
	text := digits.Short(float64(r.Theory))
	if r.TheoryKind == names.TheoryLimit && r.Theory.Present() {
		return "limit " + text
	}
	return text
}

// cellOf is the cell that a row is listed under, the one drawn by the row's
// experiment or read by it.
func cellOf(doc *result.Document, r result.Estimate) string {
	for _, c := range doc.Cells {
		if strings.HasPrefix(c.ID, r.Experiment+"/") {
			return c.ID
		}
	}
	return doc.Cells[0].ID
}

// quantiles are those that stand side by side, with their headings.
var quantiles = []struct {
	at      float64
	heading string
}{{0.05, "5 %"}, {0.25, "25 %"}, {0.5, "median"}, {0.75, "75 %"}, {0.95, "95 %"}}

// printQuantiles prints the quantiles of a quantity side by side.
func printQuantiles(w io.Writer, rows []result.Estimate) {
	heading := "quantile over rows"
	for _, q := range quantiles {
		heading += "\t" + q.heading
	}
	lines := []string{"", heading}
	for _, r := range rows {
		quantity, at, ok := names.QuantileOf(r.Quantity)
		if ok && at == quantiles[0].at {
			lines = append(lines, quantity+Point(r.Cell, r.Params))
		}
		if ok {
			lines[len(lines)-1] += "\t" + written(r)
		}
	}
	if len(lines) > 2 {
		Lines(w, lines)
	}
}

// difference is how many standard errors the estimate is from theory. From a limit
// it may be any number, and without an interval the error is not normal, or not known
// well enough to count by.
func difference(r result.Estimate) string {
	z := float64((r.Value - r.Theory) / r.SE)
	if r.TheoryKind == names.TheoryLimit || !r.Level.Present() || !r.SE.Present() || math.IsNaN(z) || math.IsInf(z, 0) {
		return digits.None
	}
	return strings.Replace(fmt.Sprintf("%+.1f se", z), "-", "−", 1)
}

// written is a value with its error, or with its interval where it has that alone.
func written(r result.Estimate) string {
	if !r.SE.Present() && r.Lo.Present() && r.Level.Present() {
		return digits.Bounded(float64(r.Value), float64(r.Lo), float64(r.Hi), float64(r.Resolution))
	}
	if names.Statistic(r.Quantity) {
		return digits.Decimals(float64(r.Value), 3)
	}
	return digits.PlusMinus(float64(r.Value), float64(r.SE)) + digits.InBins(float64(r.Resolution))
}
