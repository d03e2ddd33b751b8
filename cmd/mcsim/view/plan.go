package view

import (
	"fmt"
	"io"
	"strings"
	"time"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/names"
)

// Plan prints the outline of a plan: the totals, the error rates and a line for each experiment. If
// printAll is true, it also prints a line for each cell.
func Plan(w io.Writer, title string, o *schedule.Outline, printAll bool) {
	show.Linef(w, "%s, seed %d", title, o.Seed)
	if len(o.Selection) > 0 {
		show.Linef(w, "only %s; gates and samples are those of the whole plan", strings.Join(o.Selection, ", "))
	}
	show.Linef(w, "%s, %s, %s components: %s on %s",
		show.FormatCount(o.Cells, "cell"), show.FormatCount(o.Variants, "variant"),
		digits.TwoDigits(o.Components), FormatDuration(schedule.ToDuration(o.Seconds)),
		show.FormatCount(o.Workers, "core"))
	printPlanGates(w, o)
	fmt.Fprintln(w)
	readerNotes := "" // which experiments read the cells of others
	experiments := show.NewTable("experiment", "cells", "variants", "samples", "time", "gates")
	for _, x := range o.Experiments {
		if x.Reads != "" {
			experiments.Add(x.Experiment, digits.None, x.Variants, digits.None, digits.None, x.Gates)
			readerNotes += fmt.Sprintf("%s reads the cells of %s; ", x.Experiment, x.Reads)
			continue
		}
		duration := FormatDuration(schedule.ToDuration(x.Seconds))
		experiments.Add(x.Experiment, x.Cells, x.Variants, countUnits(x.Samples, x.Unit), duration, x.Gates)
	}
	experiments.Print(w)
	fmt.Fprintln(w)
	if !printAll {
		show.Paragraph(w, "", 0, readerNotes+"a variant is a cell under one of its scalings; --all lists the cells")
		return
	}
	cells := show.NewTable("cell", "variants", "samples", "unit", "set by")
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
	printRates(w, show.FormatCount(o.Gates, "gate")+": ", o.Alpha, o.Beta, o.Short, o.Needed, false)
}

// countUnits formats a number with its unit. A large number has only two digits, so that the table
// fits a screen.
func countUnits(n int64, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	if n >= 1e9 {
		return digits.TwoDigits(float64(n)) + " " + unit + "s"
	}
	return digits.Count(n) + " " + unit + "s"
}

// FormatDuration rounds a duration below ten minutes to seconds, and a longer one to minutes.
func FormatDuration(d time.Duration) string {
	if d < 10*time.Minute {
		return "about " + d.Round(time.Second).String()
	}
	return "about " + strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}

// Nodes prints a line for each experiment, seed and attempt in a file of nodes.
func Nodes(w io.Writer, groups []store.Group) {
	rows := show.NewTable("experiment", "seed", "attempt", "cells", "nodes", "kB")
	for _, g := range groups {
		ageNote := ""
		if g.Outdated {
			ageNote = "old"
		}
		rows.Add(names.Printable(g.Experiment), g.Seed, g.Attempt, g.Cells, g.Nodes, Kilobytes(g.Bytes), ageNote)
	}
	rows.Print(w)
}

// Kilobytes converts a number of bytes to kB, rounded up.
func Kilobytes(bytes int64) int64 { return (bytes + 999) / 1000 }
