package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/schedule"
)

func planCommand() *cobra.Command {
	var ready string
	var schema bool
	c := &cobra.Command{
		Use:   "plan [FILE]",
		Short: "print a plan's cells, samples, cost and error budget",
		Long: `Print what a plan will draw, before anything is drawn: its cells, the samples
of each (derived from the declared error rates), an estimate of the time, and
the error budget. FILE is a YAML file or the name of a ready plan; without it
the default plan.`,
		Args: flag.OneAtMost("plan"),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case ready != "":
				text, err := plan.Copy(ready)
				if err != nil {
					return err
				}
				_, err = c.OutOrStdout().Write(text)
				return err
			case schema:
				return show.JSON(c.OutOrStdout(), plan.Schema())
			}
			p, err := loadPlan(args)
			if err != nil {
				return err
			}
			s, err := schedule.New(p)
			if err != nil {
				return fmt.Errorf("plan %s: %w", p.Name, err)
			}
			return show.Plan(c.OutOrStdout(), s)
		},
	}
	c.Flags().StringVar(&ready, "show", "", "print the text of the ready plan `NAME`: "+strings.Join(plan.Names(), ", "))
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
	if text, unknown := plan.Embedded(name); unknown == nil {
		return plan.Parse(name+".yaml (ready plan)", text)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is neither a file nor a ready plan%s", name, names.Suggest(name, plan.Names()))
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
