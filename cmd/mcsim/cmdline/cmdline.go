// Package cmdline has the common parts of the command lines: flags for numbers, for names and for
// values of the axes of experiments; completion; help; and errors of one line.
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
	"mcsim/sim/experiment"
	"mcsim/sim/names"
)

// Usage texts of flags that several commands have. A command may add details after a colon, a comma
// or a bracket.
const (
	AllUsage       = "print every row, gate or cell, not only a summary"
	AlphaUsage     = "chance of any false alarm"
	BetaUsage      = "chance of a missed error"
	CheckUsage     = "judge the result and set the exit code"
	GateUsage      = CheckUsage + ": the standard deviation of the logits is in `LO..HI`, such as 0.2..3"
	CSVUsage       = "print CSV"
	JSONUsage      = "print JSON, for programs"
	OutUsage       = "where to write"
	ShardsUsage    = "number of shards of the plan"
	TemplatesUsage = "folder `DIR` whose files replace built-in templates"
	QuietUsage     = "print only errors"
	ScaleUsage     = "`RULE` that scales q·k, written as above"
	RowsUsage      = "row by row"
	SeedUsage      = "seed of the random streams"
	SetUsage       = "set an axis"
	StrictUsage    = "count skipped rows against the verdict"
)

// ScalesHelp lists the notations of a scale.
func ScalesHelp() string {
	var b strings.Builder
	show.Paragraph(&b, "Scales:", 8, rule.DescribeScales()+".")
	return strings.TrimSuffix(b.String(), "\n")
}

// funcValue is a flag value that a function parses.
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

// NewValue returns a flag value. Its Set calls parse, which must parse and store the text.
func NewValue(parse func(text string) error) pflag.Value { return &funcValue{parse: parse} }

// NewNumber returns a flag value that stores in number what parse returns.
func NewNumber(number *float64, parse func(text string) (float64, error)) pflag.Value {
	return NewValue(func(text string) (err error) {
		*number, err = parse(text)
		return err
	})
}

// NewInteger returns a flag value for an integer in [minValue, maxValue]. The user may write it as
// 64, 1e6 or 2^10.
func NewInteger[T int | int64 | uint64](number *T, minValue, maxValue int64) pflag.Value {
	return NewValue(func(text string) error {
		x, err := experiment.Integer(text, minValue, maxValue)
		*number = T(x)
		return err
	})
}

// AddSeed adds the flag --seed with the default 1.
func AddSeed(flags *pflag.FlagSet, seed *uint64) {
	*seed = 1
	flags.Var(NewInteger(seed, 0, experiment.MaxSeed), "seed", SeedUsage+" (default 1)")
}

// MaxWorkers is the largest value of --workers.
const MaxWorkers = 4096

// AddWorkers adds the flag --workers. Its default is the number of cores.
func AddWorkers(flags *pflag.FlagSet, workers *int) {
	*workers = runtime.NumCPU()
	flags.Var(NewInteger(workers, 1, MaxWorkers), "workers",
		"how many cores draw; results do not depend on it (default: all)")
}

// RefuseUnknown returns an error if name is not in known; kind describes the names in the error.
func RefuseUnknown(kind, name string, known []string) error {
	if slices.Contains(known, name) {
		return nil
	}
	return names.UnknownError{Kind: kind, Name: name, Names: known}
}

// AddChoice adds a flag whose value is one of the known names.
func AddChoice(c *cobra.Command, choice *string, flag, usage string, known []string) {
	c.Flags().Var(&funcValue{text: *choice, parse: func(text string) error {
		*choice = text
		return RefuseUnknown(flag, text, known)
	}}, flag, usage+": "+strings.Join(known, ", "))
	CompleteValues(c, flag, known...)
}

// AddChoices adds a flag whose value is a comma-separated list of known names. The first use of the
// flag replaces the default; each later use adds names.
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
		*choices = RemoveDuplicates(*choices)
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

// Set parses LO..HI.
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
