// Package flag holds what the flags of all commands share: numbers as people write them,
// values of the axes of experiments, and one clear line for whatever is refused.
package flag

import (
	"runtime"

	"github.com/spf13/pflag"

	"mcsim/sim/engine/plan"
	"mcsim/sim/experiment"
)

// What flags say that several commands have. Behind a colon a command may say more.
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

// reader is the value of a flag that a function reads: a number, as people write it
// (1e6, 2^10, 1/3), or something like it.
type reader struct {
	set  func(text string) error
	text string
}

func (r *reader) String() string { return r.text }
func (r *reader) Type() string   { return "number" }

func (r *reader) Set(text string) error {
	r.text = text
	return r.set(text)
}

// Read is a value that a function reads.
func Read(set func(text string) error) pflag.Value { return &reader{set: set} }

// Number is a value that a function reads as a number.
func Number(to *float64, read func(text string) (float64, error)) pflag.Value {
	return Read(func(text string) (err error) {
		*to, err = read(text)
		return err
	})
}

// Whole is a whole number between bounds.
func Whole[T int | int64 | uint64](to *T, least, most int64) pflag.Value {
	return Read(func(text string) error {
		x, err := experiment.Integer(text, least, most)
		*to = T(x)
		return err
	})
}

// AddSeed makes the flag --seed; without it the seed is 1.
func AddSeed(flags *pflag.FlagSet, to *uint64) {
	*to = 1
	flags.Var(Whole(to, 0, plan.MaxSeed), "seed", Seed+" (default 1)")
}

// MaxWorkers bounds --workers.
const MaxWorkers = 4096

// AddWorkers makes the flag --workers, all cores where nothing is said.
func AddWorkers(flags *pflag.FlagSet, to *int) {
	*to = runtime.NumCPU()
	flags.Var(Whole(to, 1, MaxWorkers), "workers", "how many cores draw; results do not depend on it (default all)")
}
