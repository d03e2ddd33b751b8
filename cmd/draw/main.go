// Command draw writes components of a law, or the raw bits of the generator, for programs
// that test random numbers, such as dieharder:
//
//	go run ./cmd/draw --bits --lane 3 | dieharder -a -g 200
//
// They come from block 0 of a cell of their own, the sixteen lanes in turn.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/kernel"
	"mcsim/sim/law"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/stream"
)

func main() {
	err := cmp.Or(kernel.Select(), draw(os.Stdout, os.Args[1:]))
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(2)
	}
}

// asked is what the flags ask for.
type asked struct {
	law, dimension   string
	seed, count      string
	lane             int
	raw, bits, first bool
}

// draw writes what the arguments ask for.
func draw(w io.Writer, args []string) error {
	var a asked
	flags := flag.NewFlagSet("draw", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&a.law, "law", names.LawNormal, "distribution of a component")
	flags.StringVar(&a.dimension, "d-k", "64", "dimension of the vectors of the law sphere")
	flags.StringVar(&a.count, "count", "", "how many components, or words of --bits (default 16; with --bits without end)")
	flags.StringVar(&a.seed, "seed", "1", "seed of the random streams")
	flags.BoolVar(&a.raw, "raw", false, "little-endian float32 in place of a component a line")
	flags.BoolVar(&a.bits, "bits", false, "the generator's 32-bit words, little-endian, of all lanes in turn")
	flags.IntVar(&a.lane, "lane", 0, fmt.Sprintf("with --bits: this lane alone, 0..%d", stream.Width-1))
	flags.BoolVar(&a.first, "first", false, "with --bits: the first word of every lane of successive blocks")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(w)
		flags.PrintDefaults()
		return err
	} else if err != nil {
		return err
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if err := apart(given, flags.Args()); err != nil {
		return err
	}
	return a.write(w, given)
}

// apart refuses what does not go together.
func apart(given map[string]bool, rest []string) error {
	for _, pair := range [][2]string{{"lane", "first"}, {"bits", "law"}, {"bits", "d-k"}, {"bits", "raw"}} {
		if given[pair[0]] && given[pair[1]] {
			return fmt.Errorf("--%s and --%s exclude each other", pair[0], pair[1])
		}
	}
	switch {
	case len(rest) > 0:
		return fmt.Errorf("takes no argument, but got %q", rest[0])
	case !given["bits"] && (given["lane"] || given["first"]):
		return errors.New("--lane and --first go with --bits")
	}
	return nil
}

// write writes what is asked for, by flags of which some were given.
func (a *asked) write(w io.Writer, given map[string]bool) error {
	seed, err := experiment.Integer(a.seed, 0, plan.MaxSeed)
	if err != nil {
		return fmt.Errorf("--seed: %w", err)
	}
	count := int64(16)
	if a.bits {
		count = stream.Forever
	}
	if given["count"] {
		if count, err = experiment.Integer(a.count, 1, plan.MaxSamples); err != nil {
			return fmt.Errorf("--count: %w", err)
		}
	}
	switch {
	case !a.bits:
		l, d, err := a.target(given["d-k"])
		if err != nil {
			return err
		}
		return kernel.WriteComponents(w, l, d, uint64(seed), count, a.raw)
	case a.lane < 0 || a.lane >= stream.Width:
		return fmt.Errorf("--lane: %d is not in 0..%d", a.lane, stream.Width-1)
	case given["lane"]:
		return stream.WriteBits(w, stream.OneLane, a.lane, uint64(seed), count)
	case a.first:
		return stream.WriteBits(w, stream.FirstWords, 0, uint64(seed), count)
	}
	return stream.WriteBits(w, stream.Interleaved, 0, uint64(seed), count)
}

// target is the law and the dimension that the flags name.
func (a *asked) target(dimensioned bool) (law.Law, int, error) {
	var l law.Law
	named, err := scores.Variance.Axis(names.ParamLaw).Parse(a.law)
	if err == nil {
		l, err = law.Parse(named.Name, experiment.Number)
	}
	if err != nil {
		return l, 0, fmt.Errorf("--law: %w", err)
	}
	d, err := scores.Variance.Axis(names.ParamDimension).Parse(a.dimension)
	if err == nil && dimensioned && l.Independent() {
		err = fmt.Errorf("the components of %v do not depend on a dimension; it is for the law sphere", l)
	}
	if err != nil {
		return l, 0, fmt.Errorf("--d-k: %w", err)
	}
	return l, int(d.Number), nil
}
