package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/engine/compare"
	"mcsim/sim/engine/plan"
)

// compareAlpha is the default chance that a comparison finds a difference
// which is none. It is larger than that of the gates, since people read a
// comparison, and a smaller one would hide more: with a thousand rows the
// limit is at 5 standard errors, with 10⁻⁶ it would be at 6.
const compareAlpha = 1e-3

type compareFlags struct {
	alpha             float64
	all, json, strict bool
}

func compareCommand() *cobra.Command {
	f := compareFlags{alpha: compareAlpha}
	c := &cobra.Command{
		Use:  "compare OLD NEW",
		Args: cmdline.RequireArgs(2, 2, "two results, old and new"), ValidArgsFunction: cmdline.CompleteResults(2),
		RunE: func(c *cobra.Command, args []string) error { return compareResults(c.OutOrStdout(), args, f) },
	}
	c.Flags().Var(cmdline.Number(&f.alpha, plan.Rate), "alpha", fmt.Sprintf(
		"%s: that any row differs significantly though all are alike (default %v)", cmdline.Alpha, compareAlpha))
	c.Flags().BoolVarP(&f.all, "all", "a", false, cmdline.All)
	c.Flags().BoolVar(&f.json, "json", false, cmdline.JSON)
	cmdline.Exclude(c, "json", "all")
	c.Flags().BoolVar(&f.strict, "strict", false, cmdline.Strict+": exit code 1 where rows are not in both")
	return c
}

// compareResults reads two results, compares them and prints what differs.
func compareResults(out io.Writer, paths []string, f compareFlags) error {
	_, before, err := results.LocateAndRead(paths[:1])
	if err != nil {
		return err
	}
	_, after, err := results.LocateAndRead(paths[1:])
	if err != nil {
		return err
	}
	c, err := compare.Documents(before, after, f.alpha)
	if err != nil {
		return fmt.Errorf("%s and %s: %w", paths[0], paths[1], err)
	}
	err = show.Print(out, f.json, c, func() { show.Comparison(out, c, f.all) })
	lone := f.strict && len(c.OnlyOld)+len(c.OnlyNew) > 0
	if err == nil && (lone || c.Verdict == compare.Differs) {
		return program.Exit(program.Failed)
	}
	return err
}
