// Package cmdline holds what the command lines of all commands share: numbers as people write
// them, values of the axes of experiments, completion, help, and one clear line for whatever
// is refused.
package cmdline

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/cmd/mcsim/show"
	"mcsim/sim/attention/rule"
	"mcsim/sim/engine/plan"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
)

// Help of flags that several commands have. After a colon a command may say more.
const (
	All       = "print every row, gate or cell, not only a summary"
	Alpha     = "chance of any false alarm"
	Beta      = "chance of a missed error"
	Check     = "judge what is found, and set the exit code"
	Gate      = Check + ": the standard deviation of the logits is in `LO..HI`, such as 0.2..3"
	CSV       = "print CSV"
	JSON      = "print JSON, for programs"
	Out       = "where to write"
	Parts     = "in how many shards a plan is drawn"
	Templates = "folder `DIR` whose files replace built-in templates"
	Quiet     = "say nothing but errors"
	Scale     = "`RULE` by which q·k is scaled, written as above"
	Rows      = "rows by themselves"
	Seed      = "seed of the random streams"
	SetAxis   = "set an axis"
	Strict    = "let what is passed over count against the verdict"
)

// ScalesHelp lists the ways to write a scale.
func ScalesHelp() string {
	var b strings.Builder
	show.Paragraph(&b, "Scales:", 8, rule.DescribeScales()+".")
	return strings.TrimSuffix(b.String(), "\n")
}

// funcValue is the value of a flag that a function parses.
type funcValue struct {
	parse func(text string) error
	text  string
}

func (v *funcValue) String() string { return v.text }
func (v *funcValue) Type() string   { return "number" }

func (v *funcValue) Set(text string) error {
	v.text = text
	return v.parse(text)
}

// Func returns a value that a function parses.
func Func(parse func(text string) error) pflag.Value { return &funcValue{parse: parse} }

// Number returns a value that a function parses as a number.
func Number(number *float64, parse func(text string) (float64, error)) pflag.Value {
	return Func(func(text string) (err error) {
		*number, err = parse(text)
		return err
	})
}

// Integer returns a value in [min, max], as people write it: 64, 1e6, 2^10.
func Integer[T int | int64 | uint64](number *T, min, max int64) pflag.Value {
	return Func(func(text string) error {
		x, err := experiment.Integer(text, min, max)
		*number = T(x)
		return err
	})
}

// AddSeed adds the flag --seed, which is 1 by default.
func AddSeed(flags *pflag.FlagSet, seed *uint64) {
	*seed = 1
	flags.Var(Integer(seed, 0, plan.MaxSeed), "seed", Seed+" (default 1)")
}

// MaxWorkers is the largest value of --workers.
const MaxWorkers = 4096

// AddWorkers adds the flag --workers, which is the number of cores by default.
func AddWorkers(flags *pflag.FlagSet, workers *int) {
	*workers = runtime.NumCPU()
	flags.Var(Integer(workers, 1, MaxWorkers), "workers",
		"how many cores draw; results do not depend on it (default all)")
}

// RefuseUnknown refuses a name that is not in a list.
func RefuseUnknown(kind, name string, known []string) error {
	if slices.Contains(known, name) {
		return nil
	}
	return names.UnknownError{Kind: kind, Name: name, Names: known}
}

// AddChoice adds a flag that takes one of some names.
func AddChoice(c *cobra.Command, choice *string, flag, usage string, known []string) {
	c.Flags().Var(&funcValue{text: *choice, parse: func(text string) error {
		*choice = text
		return RefuseUnknown(flag, text, known)
	}}, flag, usage+": "+strings.Join(known, ", "))
	CompleteValues(c, flag, known...)
}

// AddChoices adds a flag that takes several names, separated by commas, in place of its default.
func AddChoices(c *cobra.Command, choices *[]string, flag, usage string, known []string) {
	isSet := false
	value := &funcValue{text: strings.Join(*choices, ","), parse: func(text string) error {
		if !isSet {
			*choices, isSet = nil, true
		}
		for _, name := range strings.Split(text, ",") {
			if err := RefuseUnknown(flag, name, known); err != nil {
				return err
			}
			*choices = append(*choices, name)
		}
		*choices = Distinct(*choices)
		return nil
	}}
	c.Flags().Var(value, flag, usage)
	complete := func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return CompleteList(known, typed), cobra.ShellCompDirectiveNoFileComp
	}
	CompleteWith(c, flag, complete)
}

// Band is the value of --gate: LO..HI with 0 ≤ LO < HI.
type Band struct {
	text   string
	Lo, Hi float64
}

func (b *Band) Type() string { return "LO..HI" }

func (b *Band) String() string { return b.text }

// IsSet reports whether the flag was given.
func (b *Band) IsSet() bool { return b.Hi > 0 }

// Set parses the ends.
func (b *Band) Set(text string) (err error) {
	lo, hi, ok := strings.Cut(text, "..")
	if !ok {
		return fmt.Errorf("%q is not a band LO..HI, such as 0.2..3", text)
	}
	b.text = text
	b.Lo, err = experiment.Number(lo)
	if err != nil {
		return err
	}
	b.Hi, err = experiment.Number(hi)
	if err == nil && (b.Lo < 0 || b.Lo >= b.Hi) {
		return fmt.Errorf("%q is not a band: it needs 0 ≤ LO < HI", text)
	}
	return err
}
