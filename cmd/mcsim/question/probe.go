// Package question reads what mcsim probe is asked: a plan of one cell, or one of its rows.
package question

import (
	"cmp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/cmd/mcsim/flag"
)

// Probe is what mcsim probe is asked.
type Probe struct {
	axes     flag.Axes
	samples  flag.Number
	rows     flag.Number
	draws    flag.Number
	relative flag.Number
	check    flag.Number
	seed     flag.Number
	row      rowFlags
	Workers  int
	JSON     bool // whether it is answered so
}

// New returns what a probe is asked, and the flags that ask it.
func New() (*Probe, *pflag.FlagSet) {
	f := &Probe{axes: map[string]*flag.Axis{}}
	flags := pflag.NewFlagSet("probe", pflag.ContinueOnError)
	f.axes.AddProbed(flags)
	flags.Var(&f.samples, "samples", "pairs to draw, rounded up to whole blocks (default 1e5)")
	flags.Var(&f.rows, "rows", "rows of --keys or --rho to draw, rounded up to whole blocks (default 1e5)")
	flags.Var(&f.draws, "draws", "draws of the weights of --init (default 64)")
	flags.Var(&f.relative, "rel-se", "draw enough for this relative standard error of Var(q·k), in place of --samples")
	flags.Var(&f.check, "check", "judge what is measured against theory within this tolerance, such as 1%, and set the exit code")
	flags.Var(&f.seed, "seed", "seed of the random streams (default 1)")
	f.row.add(flags)
	flag.AddWorkers(flags, &f.Workers)
	flags.BoolVar(&f.JSON, "json", false, "print a JSON object whose array estimates holds the rows")
	return f, flags
}

// AsksRow reports whether one row is asked for, and AsksCheck whether a verdict is.
func (f *Probe) AsksRow() bool   { return f.row.row.Given() }
func (f *Probe) AsksCheck() bool { return f.check.Given() }

// Refuse refuses flags of the command that exclude each other, or mean nothing without
// another.
func (f *Probe) Refuse(c *cobra.Command) error {
	return cmp.Or(flag.Exclusive(c, "samples", "rel-se"), flag.Exclusive(c, "row", "rows"), flag.Exclusive(c, "row", "samples"),
		flag.Exclusive(c, "row", "rel-se"), flag.Exclusive(c, "row", "check"), f.refuse(), f.checkRow())
}

// Blame names the flag that an error of the plan is about.
func (f *Probe) Blame(err error) error { return f.axes.Blame(err) }

// Flag is the name of the flag of an axis.
func (f *Probe) Flag(param string) string { return f.axes[param].Axis.Flag() }
