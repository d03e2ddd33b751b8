package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/cmd/mcsim/show"
	"mcsim/cmd/mcsim/view"
	"mcsim/sim/engine/compare"
	"mcsim/sim/experiment"
)

// compareAlpha is the default probability that a comparison reports a difference although nothing
// changed. It is larger than the error rates of the gates: a person reads the comparison and can
// judge a false alarm, and a smaller rate would hide more differences. For a thousand estimates a
// difference is significant above 5 standard errors; with a rate of 10⁻⁶ the limit would be 6.
const compareAlpha = 1e-3

type compareFlags struct {
	alpha                  float64
	printAll, json, strict bool
}

func newCompareCommand() *cobra.Command {
	f := compareFlags{alpha: compareAlpha}
	c := &cobra.Command{
		Use:  "compare OLD NEW",
		Args: cmdline.RequireArgs(2, 2, "two results, old and new"), ValidArgsFunction: cmdline.CompleteResults(2),
		RunE: func(c *cobra.Command, args []string) error { return compareResults(c.OutOrStdout(), args, f) },
	}
	c.Flags().Var(cmdline.NewNumber(&f.alpha, experiment.Rates.Parse), "alpha", fmt.Sprintf(
		"%s: a row differs significantly although nothing changed (default %v)", cmdline.AlphaUsage, compareAlpha))
	c.Flags().BoolVarP(&f.printAll, "all", "a", false, cmdline.AllUsage)
	c.Flags().BoolVar(&f.json, "json", false, cmdline.JSONUsage)
	cmdline.Exclude(c, "json", "all")
	c.Flags().BoolVar(&f.strict, "strict", false, cmdline.StrictUsage+": exit code 1 if a row is in only one result")
	return c
}

// compareResults compares two results and prints the differences.
func compareResults(w io.Writer, paths []string, f compareFlags) error {
	_, oldDoc, err := results.LocateAndRead(paths[:1])
	if err != nil {
		return err
	}
	_, newDoc, err := results.LocateAndRead(paths[1:])
	if err != nil {
		return err
	}
	c, err := compare.Documents(oldDoc, newDoc, f.alpha)
	if err != nil {
		return fmt.Errorf("%s and %s: %w", paths[0], paths[1], err)
	}
	err = show.Print(w, f.json, c, func() { view.Comparison(w, c, f.printAll) })
	if err != nil {
		return err
	}
	hasUnpaired := len(c.OnlyOld)+len(c.OnlyNew) > 0
	if c.Verdict == compare.Differs || f.strict && hasUnpaired {
		return program.Exit(program.Failed)
	}
	return nil
}
