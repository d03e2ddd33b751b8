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

// Plan prints what a plan will draw: the total with its error budget, then a line for each
// experiment and, if all is set, a line for each cell.
func Plan(w io.Writer, title string, o *schedule.Outline, all bool) {
	fmt.Fprintf(w, "%s, seed %d\n", title, o.Seed)
	if len(o.Selection) > 0 {
		fmt.Fprintf(w, "of it %s alone; gates and samples are those of the whole plan\n", strings.Join(o.Selection, ", "))
	}
	fmt.Fprintf(w, "%s, %s, %s components: %s on %s\n", Counted(o.Cells, "cell"), Counted(o.Variants, "variant"),
		digits.TwoDigits(o.Components), Duration(seconds(o.Seconds)), Counted(o.Workers, "core"))
	planGates(w, o)
	fmt.Fprintln(w)
	readers := ""
	experiments := NewRows("experiment", "cells", "variants", "samples", "time", "gates")
	for _, x := range o.Experiments {
		if x.Reads != "" {
			experiments.Add(x.Experiment, digits.None, x.Variants, digits.None, digits.None, x.Gates)
			readers += fmt.Sprintf("%s reads the cells of %s; ", x.Experiment, x.Reads)
			continue
		}
		duration := Duration(seconds(x.Seconds))
		experiments.Add(x.Experiment, x.Cells, x.Variants, countUnits(x.Samples, x.Unit), duration, x.Gates)
	}
	experiments.Print(w)
	fmt.Fprintln(w)
	if !all {
		Paragraph(w, "", 0, readers+"a variant is a cell under one of its scalings; --all lists the cells")
		return
	}
	cells := NewRows("cell", "variants", "samples", "unit", "set by")
	for _, c := range o.Rows {
		cells.Add(c.Cell, c.Variants, digits.Count(c.Samples), c.Unit, c.SetBy)
	}
	cells.Print(w)
}

// planGates prints the number of gates and their error rates.
func planGates(w io.Writer, o *schedule.Outline) {
	if o.Gates == 0 {
		fmt.Fprintln(w, "no gates: nothing will be judged")
		return
	}
	fmt.Fprintf(w, "%s: ", Counted(o.Gates, "gate"))
	printRates(w, o.Alpha, o.Beta, o.Short, false)
}

// countUnits formats a number of units so that the table fits a screen; --json has all digits.
func countUnits(n int64, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	if n >= 1e9 {
		return digits.TwoDigits(float64(n)) + " " + unit + "s"
	}
	return digits.Count(n) + " " + unit + "s"
}

// seconds converts seconds, up to the longest Duration.
func seconds(s float64) time.Duration {
	return time.Duration(min(s*float64(time.Second), float64(1<<62)))
}

// Duration formats a time: to seconds below ten minutes, else to minutes.
func Duration(d time.Duration) string {
	if d < 10*time.Minute {
		return "about " + d.Round(time.Second).String()
	}
	return "about " + strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}

// Nodes prints what a file of nodes holds, a line for each experiment, seed and attempt.
func Nodes(w io.Writer, groups []store.Group) {
	rows := NewRows("experiment", "seed", "attempt", "cells", "nodes", "kB")
	for _, g := range groups {
		old := ""
		if g.Outdated {
			old = "old"
		}
		rows.Add(names.Printable(g.Experiment), g.Seed, g.Attempt, g.Cells, g.Nodes, Kilobytes(g.Bytes), old)
	}
	rows.Print(w)
}

// Kilobytes returns a number of bytes in kB, rounded up.
func Kilobytes(bytes int64) int64 { return (bytes + 999) / 1000 }
