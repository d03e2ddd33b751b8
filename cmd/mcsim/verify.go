package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/junit"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/result"
	"mcsim/sim/verify"
)

type verifyFlags struct {
	dir, junit       string
	all, quiet, json bool
}

func verifyCommand() *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use:   "verify",
		Short: "judge DIR/results.json again and set the exit code",
		Long: `Judge every gate again from the rows of DIR/results.json, hold theory, standard
errors, slopes and recorded verdicts against what the rows give, print a table
and exit with 0 (all pass), 1 (a check failed) or 3 (undecided). It draws
nothing. In a JUnit report a gate that fails is a failure, one that is
undecided an error.`,
		Args:    noArguments,
		PreRunE: func(c *cobra.Command, _ []string) error { return f.check(c) },
		RunE:    func(c *cobra.Command, _ []string) error { return verifyResults(c.OutOrStdout(), f) },
	}
	c.Flags().StringVarP(&f.dir, "out", "o", "out", "folder `DIR` of the results")
	c.Flags().BoolVarP(&f.all, "all", "a", false, "print every gate, not only a summary and those that do not pass")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "say nothing; the exit code tells")
	c.Flags().BoolVar(&f.json, "json", false, "print a JSON object with verdict, budget, gates, mismatches and controls")
	c.Flags().StringVar(&f.junit, "junit", "", "write a JUnit report to `FILE`; - prints it, in place of the table")
	return c
}

// check refuses flags that do not go together.
func (f verifyFlags) check(c *cobra.Command) error {
	if f.junit == "-" && (f.json || f.all) {
		return errors.New("--junit - has the standard output for itself; leave out --json and --all")
	}
	if c.Flags().Changed("junit") && f.junit == "" {
		return errors.New("--junit needs a file")
	}
	return errors.Join(exclusive(c, "json", "all"), exclusive(c, "json", "quiet"))
}

// verifyResults judges a folder's document again and prints what it finds.
func verifyResults(out io.Writer, f verifyFlags) error {
	doc, err := readResults(f.dir)
	if err != nil {
		return err
	}
	v, err := verify.Document(doc)
	if err != nil {
		return err
	}
	if f.junit != "" {
		text, err := junit.Encode(doc, v)
		if err != nil {
			return err
		}
		if err := writeJUnit(out, f.junit, text); err != nil {
			return err
		}
	}
	switch {
	case f.quiet || f.junit == "-":
	case f.json:
		if err := show.VerificationJSON(out, v); err != nil {
			return err
		}
	default:
		show.Verification(out, v, f.all)
	}
	return verdictError(v.Verdict())
}

// verdictError is a verdict as the exit code of the program; nil for a pass.
func verdictError(v result.Verdict) error {
	switch v {
	case result.Pass:
		return nil
	case result.Undecided:
		return exitError{exitUndecided}
	}
	return exitError{exitFailed}
}
