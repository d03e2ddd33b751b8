package main

import (
	"fmt"
	"runtime"
	"strconv"

	"github.com/spf13/pflag"

	"mcsim/sim/experiment"
	"mcsim/sim/plan"
)

// numberFlag takes a number as people write it: 1e6, 2^10, 1/3.
type numberFlag struct {
	value float64
	text  string // empty: not given
}

func (n *numberFlag) String() string { return n.text }
func (n *numberFlag) Type() string   { return "number" }

func (n *numberFlag) Set(text string) error {
	x, err := experiment.Number(text)
	n.value, n.text = x, text
	return err
}

// given reports whether the flag has a number.
func (n *numberFlag) given() bool { return n.text != "" }

// whole sets to to the number of the flag of that name, if it has one: a whole one
// between bounds.
func whole[T int | int64 | uint64](n *numberFlag, name string, least, most int64, to *T) error {
	if !n.given() {
		return nil
	}
	x, err := experiment.Integer(n.text, least, most)
	if err != nil {
		return fmt.Errorf("--%s: %w", name, err)
	}
	*to = T(x)
	return nil
}

// seedInto sets a seed if the flag --seed has one.
func (n *numberFlag) seedInto(seed *uint64) error { return whole(n, "seed", 0, plan.MaxSeed, seed) }

// maxWorkers bounds --workers.
const maxWorkers = 4096

// workersFlag is how many goroutines draw.
type workersFlag int

func (w *workersFlag) String() string { return strconv.Itoa(int(*w)) }
func (w *workersFlag) Type() string   { return "number" }

// Set reads a whole number from 1 on.
func (w *workersFlag) Set(text string) error {
	n, err := experiment.Integer(text, 1, maxWorkers)
	if err != nil {
		return err
	}
	*w = workersFlag(n)
	return nil
}

// addWorkers makes the flag --workers, all cores where nothing is said.
func addWorkers(flags *pflag.FlagSet, to *int) {
	*to = runtime.NumCPU()
	flags.Var((*workersFlag)(to), "workers", "how many cores draw; results do not depend on it")
}
