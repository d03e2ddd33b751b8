package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"mcsim/report/digits"
	"mcsim/sim/experiment"
	"mcsim/sim/plan"
	"mcsim/sim/schedule"
)

func planCommand() *cobra.Command {
	var show string
	var schema bool
	c := &cobra.Command{
		Use:   "plan [FILE]",
		Short: "print a plan's cells, samples, cost and error budget",
		Long: `Print what a plan will draw, before anything is drawn: its cells, the samples
of each (derived from the declared error rates), an estimate of the time, and
the error budget. FILE is a YAML file or the name of a ready plan; without it
the default plan.`,
		Args: onePlan,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case show != "":
				text, err := plan.Embedded(show)
				if err != nil {
					return err
				}
				_, err = c.OutOrStdout().Write(text)
				return err
			case schema:
				return writeJSON(c.OutOrStdout(), plan.Schema())
			}
			p, err := loadPlan(args)
			if err != nil {
				return err
			}
			return printPlan(c.OutOrStdout(), p)
		},
	}
	c.Flags().StringVar(&show, "show", "", "print the text of the ready plan `NAME`: "+strings.Join(plan.Names(), ", "))
	c.Flags().BoolVar(&schema, "schema", false, "print the JSON schema of plans")
	return c
}

// loadPlan reads the plan that an optional argument names: a file, or a ready
// plan, by default the one called default.
func loadPlan(args []string) (*plan.Plan, error) {
	name := "default"
	if len(args) > 0 {
		name = args[0]
	}
	text, err := readPlan(name)
	if err == nil {
		return plan.Parse(name, text)
	}
	ready := slices.Contains(plan.Names(), name)
	switch {
	case ready:
		text, err := plan.Embedded(name)
		if err != nil {
			return nil, err
		}
		return plan.Parse(name+".yaml (ready plan)", text)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s is neither a file nor a ready plan%s", name, experiment.Suggest(name, plan.Names()))
	}
	if info, statErr := os.Stat(name); statErr == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: is a directory, not a plan file", name)
	}
	return nil, err
}

// readPlan reads a file, but no more of it than a plan may have.
func readPlan(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, plan.MaxSize+1))
}

func printPlan(w io.Writer, p *plan.Plan) error {
	s, err := schedule.New(p)
	if err != nil {
		return fmt.Errorf("plan %s: %w", p.Name, err)
	}
	fmt.Fprintf(w, "plan %s, seed %d\n\n", p.Name, p.Seed)
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
	fmt.Fprintf(w, "\n%s, %s components, %s on this machine\n", counted(len(s.Works), "cell"), digits.Magnitude(components), lasting(s.Estimate()))
	if s.Checks() == 0 {
		fmt.Fprintln(w, "no gates: nothing will be judged")
		return nil
	}
	short := s.Short()
	fmt.Fprintf(w, "%s: α = %s that any %s though all is as theory says", counted(s.Checks(), "gate"), digits.Short(alpha), chance(short))
	if beta == 0 { // gates on shares alone, which declare no β
		fmt.Fprintln(w)
		return nil
	}
	fmt.Fprintf(w, ",\nβ = %s that all pass though a quantity lies on or beyond its band\n", digits.Short(beta))
	if short > 0 {
		fmt.Fprintf(w, "%s with fewer samples than these rates ask for, and so likely to stay undecided\n", counted(short, "gate"))
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

// counted is a number of things in words.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
