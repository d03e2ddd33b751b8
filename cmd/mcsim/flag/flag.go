// Package flag holds what the flags of all commands share: numbers as people write them,
// values of the axes of experiments, and one clear line for whatever is refused.
package flag

import (
	"fmt"
	"runtime"
	"strconv"

	"github.com/spf13/pflag"

	"mcsim/sim/experiment"
	"mcsim/sim/plan"
)

// What flags say that many commands have.
const (
	JSON  = "print JSON, for programs"
	All   = "print every row, gate or cell, not only a summary"
	Quiet = "say nothing but errors"
)

// Number takes a number as people write it: 1e6, 2^10, 1/3.
type Number struct {
	Value float64
	Text  string // empty: not given
	set   bool   // by the user, and not what is usual
}

func (n *Number) String() string { return n.Text }
func (n *Number) Type() string   { return "number" }

func (n *Number) Set(text string) error {
	if n.set {
		return fmt.Errorf("%s is a second number, after %s; give it once", text, n.Text)
	}
	x, err := experiment.Number(text)
	n.Value, n.Text, n.set = x, text, true
	return err
}

// Given reports whether the flag has a number.
func (n *Number) Given() bool { return n.Text != "" }

// Whole sets to to the number of the flag of that name, if it has one: a whole one
// between bounds.
func Whole[T int | int64 | uint64](n *Number, name string, least, most int64, to *T) error {
	if !n.Given() {
		return nil
	}
	x, err := experiment.Integer(n.Text, least, most)
	if err != nil {
		return fmt.Errorf("--%s: %w", name, err)
	}
	*to = T(x)
	return nil
}

// Seed sets a seed if the flag --seed has one.
func (n *Number) Seed(seed *uint64) error { return Whole(n, "seed", 0, plan.MaxSeed, seed) }

// MaxWorkers bounds --workers.
const MaxWorkers = 4096

// workers is how many goroutines draw.
type workers int

func (w *workers) String() string { return strconv.Itoa(int(*w)) }
func (w *workers) Type() string   { return "number" }

// Set reads a whole number from 1 on.
func (w *workers) Set(text string) error {
	n, err := experiment.Integer(text, 1, MaxWorkers)
	if err != nil {
		return err
	}
	*w = workers(n)
	return nil
}

// AddWorkers makes the flag --workers, all cores where nothing is said.
func AddWorkers(flags *pflag.FlagSet, to *int) {
	*to = runtime.NumCPU()
	flags.Var((*workers)(to), "workers", "how many cores draw; results do not depend on it")
	flags.Lookup("workers").DefValue = "all" // help is the same on every machine
}
