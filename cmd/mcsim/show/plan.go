package show

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"mcsim/report/digits"
	"mcsim/sim/schedule"
)

// Plan prints what a plan will draw: in all, with its error budget, then a line an
// experiment, and, if all is set, a line a cell.
func Plan(w io.Writer, title string, o *schedule.Outline, all bool) error {
	fmt.Fprintf(w, "%s, seed %d\n", title, o.Seed)
	if len(o.Only) > 0 {
		fmt.Fprintf(w, "of it %s alone; gates and samples are those of the whole plan\n", strings.Join(o.Only, ", "))
	}
	fmt.Fprintf(w, "%s, %s, %s components: %s on %s of this machine\n", Counted(o.Cells, "cell"), Counted(o.Variants, "variant"),
		digits.Magnitude(o.Components), Lasting(o.Time()), Counted(o.Workers, "core"))
	planGates(w, o)
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "experiment\tcells\tvariants\tsamples\tcomponents\ttime\tgates")
	for _, x := range o.Experiments {
		cells, samples, components, lasts := fmt.Sprint(x.Cells), manyOf(x.Samples, x.Unit), digits.Magnitude(x.Components), Lasting(seconds(x.Seconds))
		if x.Reads != "" {
			cells, samples, components, lasts = "those of "+x.Reads, digits.None, digits.None, digits.None
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\t%s\t%d\n", x.Experiment, cells, x.Variants, samples, components, lasts, x.Gates)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if !all {
		fmt.Fprintln(w, "\na variant is a cell under one of its scalings; --all lists the cells")
		return nil
	}
	fmt.Fprintln(w)
	fmt.Fprintln(t, "cell\tvariants\tsamples\tunit\tset by")
	for _, c := range o.Rows {
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\n", c.Cell, c.Variants, digits.Count(c.Samples), c.Unit, c.SetBy)
	}
	return t.Flush()
}

// planGates prints how many gates there are, and what they may spend.
func planGates(w io.Writer, o *schedule.Outline) {
	if o.Gates == 0 {
		fmt.Fprintln(w, "no gates: nothing will be judged")
		return
	}
	fmt.Fprintf(w, "%s: α = %s that any %s though all is as theory says", Counted(o.Gates, "gate"), digits.Short(o.Alpha), chance(o.Short))
	if o.Beta == 0 { // gates on shares alone, which declare no β
		fmt.Fprintln(w)
		return
	}
	fmt.Fprintf(w, ",\nβ = %s that all pass though a quantity lies on or beyond its band\n", digits.Short(o.Beta))
	if o.Short > 0 {
		fmt.Fprintf(w, "%s with fewer samples than these rates ask for, and so likely to stay undecided\n", Counted(o.Short, "gate"))
	}
}

// PlanJSON prints the same as a JSON object, its rows of cells if all is set.
func PlanJSON(w io.Writer, o *schedule.Outline, all bool) error {
	if !all {
		o.Rows = nil
	}
	return JSON(w, o)
}

// manyOf is a number of units.
func manyOf(n int64, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return digits.Count(n) + " " + unit + "s"
}

// seconds is so long a time, or the longest there is.
func seconds(s float64) time.Duration {
	return time.Duration(min(s*float64(time.Second), float64(1<<62)))
}

const year = 365 * 24 * time.Hour

// Lasting says how long something takes: to a tenth of a second, from ten seconds
// on to whole ones, from two days on to whole days.
func Lasting(d time.Duration) string {
	switch {
	case d >= year:
		return "more than a year"
	case d >= 48*time.Hour:
		return fmt.Sprintf("about %.0f days", d.Hours()/24)
	case d >= 10*time.Second:
		return "about " + d.Round(time.Second).String()
	}
	return "about " + d.Round(time.Second/10).String()
}
