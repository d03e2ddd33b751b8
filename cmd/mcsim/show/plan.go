package show

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"mcsim/report/digits"
	"mcsim/sim/schedule"
)

// Plan prints what a plan will draw, how long that takes, and its error budget.
func Plan(w io.Writer, s *schedule.Schedule) error {
	fmt.Fprintf(w, "plan %s, seed %d\n\n", s.Plan.Name, s.Plan.Seed)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "cell\tsamples\tunit\tset by")
	var components float64
	for _, work := range s.Works {
		components += work.Components()
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", work.Cell.ID, digits.Count(work.Drawn()), work.Cell.Experiment.Unit, work.Reason)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	alpha, beta := s.Budget()
	fmt.Fprintf(w, "\n%s, %s components, %s on this machine\n", Counted(len(s.Works), "cell"), digits.Magnitude(components), lasting(s.Estimate()))
	if s.Checks() == 0 {
		fmt.Fprintln(w, "no gates: nothing will be judged")
		return nil
	}
	short := s.Short()
	fmt.Fprintf(w, "%s: α = %s that any %s though all is as theory says", Counted(s.Checks(), "gate"), digits.Short(alpha), chance(short))
	if beta == 0 { // gates on shares alone, which declare no β
		fmt.Fprintln(w)
		return nil
	}
	fmt.Fprintf(w, ",\nβ = %s that all pass though a quantity lies on or beyond its band\n", digits.Short(beta))
	if short > 0 {
		fmt.Fprintf(w, "%s with fewer samples than these rates ask for, and so likely to stay undecided\n", Counted(short, "gate"))
	}
	return nil
}

const year = 365 * 24 * time.Hour

// lasting says how long something takes: to a tenth of a second, from ten seconds
// on to whole ones, from two days on to whole days.
func lasting(d time.Duration) string {
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
