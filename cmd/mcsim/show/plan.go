package show

import (
	"fmt"
	"io"
	"strings"
	"time"

	"mcsim/report/digits"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/names"
)

// Plan prints the outline of a plan: the total with its error rates, then a line for each
// experiment and, if printAll is true, a line for each cell.
func Plan(w io.Writer, title string, o *schedule.Outline, printAll bool) {
	fmt.Fprintf(w, "%s, seed %d\n", title, o.Seed)
	if len(o.Selection) > 0 {
		fmt.Fprintf(w, "only %s; gates and samples are those of the whole plan\n", strings.Join(o.Selection, ", "))
	}
	fmt.Fprintf(w, "%s, %s, %s components: %s on %s\n",
		FormatCount(o.Cells, "cell"), FormatCount(o.Variants, "variant"),
		digits.TwoDigits(o.Components), FormatDuration(toDuration(o.Seconds)), FormatCount(o.Workers, "core"))
	printPlanGates(w, o)
	fmt.Fprintln(w)
	readers := ""
	experiments := NewTable("experiment", "cells", "variants", "samples", "time", "gates")
	for _, x := range o.Experiments {
		if x.Reads != "" {
			experiments.Add(x.Experiment, digits.None, x.Variants, digits.None, digits.None, x.Gates)
			readers += fmt.Sprintf("%s reads the cells of %s; ", x.Experiment, x.Reads)
			continue
		}
		duration := FormatDuration(toDuration(x.Seconds))
		experiments.Add(x.Experiment, x.Cells, x.Variants, countUnits(x.Samples, x.Unit), duration, x.Gates)
	}
	experiments.Print(w)
	fmt.Fprintln(w)
	if !printAll {
		Paragraph(w, "", 0, readers+"a variant is a cell under one of its scalings; --all lists the cells")
		return
	}
	cells := NewTable("cell", "variants", "samples", "unit", "set by")
	for _, c := range o.Rows {
		cells.Add(c.Cell, c.Variants, digits.Count(c.Samples), c.Unit, c.SetBy)
	}
	cells.Print(w)
}

// printPlanGates prints the number of gates and their error rates.
func printPlanGates(w io.Writer, o *schedule.Outline) {
	if o.Gates == 0 {
		fmt.Fprintln(w, "no gates: nothing will be judged")
		return
	}
	fmt.Fprintf(w, "%s: ", FormatCount(o.Gates, "gate"))
	printRates(w, o.Alpha, o.Beta, o.Short, false)
}

// countUnits formats a number of units in few digits, so that the table fits a screen; --json has
// all digits.
func countUnits(n int64, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	if n >= 1e9 {
		return digits.TwoDigits(float64(n)) + " " + unit + "s"
	}
	return digits.Count(n) + " " + unit + "s"
}

// toDuration converts a number of seconds; it returns at most 2^62 ns.
func toDuration(s float64) time.Duration {
	return time.Duration(min(s*float64(time.Second), float64(1<<62)))
}

// FormatDuration formats a time: to seconds below ten minutes, else to minutes.
func FormatDuration(d time.Duration) string {
	if d < 10*time.Minute {
		return "about " + d.Round(time.Second).String()
	}
	return "about " + strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}

// Nodes prints a line for each experiment, seed and attempt of a file of nodes.
func Nodes(w io.Writer, groups []store.Group) {
	rows := NewTable("experiment", "seed", "attempt", "cells", "nodes", "kB")
	for _, g := range groups {
		old := ""
		if g.Outdated {
			old = "old"
		}
		rows.Add(names.Printable(g.Experiment), g.Seed, g.Attempt, g.Cells, g.Nodes, Kilobytes(g.Bytes), old)
	}
	rows.Print(w)
}

// Kilobytes converts a number of bytes to kB, rounded up.
func Kilobytes(bytes int64) int64 { return (bytes + 999) / 1000 }
