package show

import (
	"fmt"
	"io"
	"strings"
	"time"

	"mcsim/report/digits"
	"mcsim/sim/engine/schedule"
)

// Plan prints what a plan will draw: in all, with its error budget, then a line an
// experiment, and, if all is set, a line a cell.
func Plan(w io.Writer, title string, o *schedule.Outline, all bool) {
	fmt.Fprintf(w, "%s, seed %d\n", title, o.Seed)
	if len(o.Only) > 0 {
		fmt.Fprintf(w, "of it %s alone; gates and samples are those of the whole plan\n", strings.Join(o.Only, ", "))
	}
	fmt.Fprintf(w, "%s, %s, %s components: %s on %s\n", Counted(o.Cells, "cell"), Counted(o.Variants, "variant"),
		digits.Rough(o.Components), Lasting(seconds(o.Seconds)), Counted(o.Workers, "core"))
	planGates(w, o)
	fmt.Fprintln(w)
	reads := ""
	Table(w, "experiment\tcells\tvariants\tsamples\ttime\tgates", o.Experiments, func(x schedule.ExperimentLine) string {
		cells, samples, lasts := fmt.Sprint(x.Cells), manyOf(x.Samples, x.Unit), Lasting(seconds(x.Seconds))
		if x.Reads != "" {
			cells, samples, lasts = digits.None, digits.None, digits.None
			reads += fmt.Sprintf("%s reads the cells of %s; ", x.Experiment, x.Reads)
		}
		return fmt.Sprintf("%s\t%s\t%d\t%s\t%s\t%d", x.Experiment, cells, x.Variants, samples, lasts, x.Gates)
	})
	fmt.Fprintln(w)
	if !all {
		Paragraph(w, "", 0, reads+"a variant is a cell under one of its scalings; --all lists the cells")
		return
	}
	Table(w, "cell\tvariants\tsamples\tunit\tset by", o.Rows, func(c schedule.CellLine) string {
		return fmt.Sprintf("%s\t%d\t%s\t%s\t%s", c.Cell, c.Variants, digits.Count(c.Samples), c.Unit, c.SetBy)
	})
}

// planGates prints how many gates there are, and what they may spend.
func planGates(w io.Writer, o *schedule.Outline) {
	if o.Gates == 0 {
		fmt.Fprintln(w, "no gates: nothing will be judged")
		return
	}
	fmt.Fprintf(w, "%s: α about %s for a %s", Counted(o.Gates, "gate"), digits.Short(o.Alpha), alarm(o.Short))
	if o.Beta > 0 {
		fmt.Fprintf(w, ", β about %s for a missed error", digits.Short(o.Beta))
	}
	fmt.Fprintln(w)
	printShort(w, o.Beta, o.Short)
}

// manyOf is a number of units.
func manyOf(n int64, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	if n >= 1e9 { // so that the table fits a screen; --json has all digits
		return digits.Rough(float64(n)) + " " + unit + "s"
	}
	return digits.Count(n) + " " + unit + "s"
}

// seconds is so long a time, or the longest there is.
func seconds(s float64) time.Duration {
	return time.Duration(min(s*float64(time.Second), float64(1<<62)))
}

// Lasting says how long something takes: to seconds below ten minutes, else to minutes.
func Lasting(d time.Duration) string {
	if d < 10*time.Minute {
		return "about " + d.Round(time.Second).String()
	}
	return "about " + strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}
