package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/kernel"
	"mcsim/sim/law"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/stream"
)

type drawFlags struct {
	law         flag.Axis
	dimension   flag.Axis
	seed, count flag.Number
	raw         bool
	bits        bool
	lane        int
	interleave  bool
	first       bool
}

func drawCommand() *cobra.Command {
	f := drawFlags{law: flag.Axis{Axis: scores.Variance.Axis(names.ParamLaw)}, dimension: flag.Axis{Axis: scores.Variance.Axis(names.ParamDimension)}}
	c := &cobra.Command{
		Use:   "draw",
		Short: "write components of a law, or raw random bits, for outside tests",
		Long: `Write components of a law as text, one a line, or with --raw as little-endian
float32; or with --bits the 32-bit words of the generator, little-endian. They
come from block 0 of a cell of their own, the sixteen lanes in turn.`,
		Example: `  mcsim draw --law laplace --count 5
  mcsim draw --bits --lane 3 | dieharder -a -g 200`,
		Args: flag.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := cmp.Or(flag.Exclusive(c, "lane", "interleave", "first"), flag.Exclusive(c, "bits", f.law.Axis.Flag()),
				flag.Exclusive(c, "bits", f.dimension.Axis.Flag()), flag.Exclusive(c, "bits", "raw")); err != nil {
				return err
			}
			return f.write(c.OutOrStdout(), c.Flags().Changed("lane"))
		},
	}
	c.Flags().Var(&f.law, f.law.Axis.Flag(), "distribution of a component (default normal)")
	c.Flags().Var(&f.dimension, f.dimension.Axis.Flag(), "dimension of the vectors of the law sphere (default 64)")
	c.Flags().Var(&f.count, "count", "how many components, or words of --bits (default 16; with --bits without end)")
	c.Flags().Var(&f.seed, "seed", "seed of the random streams (default 1)")
	c.Flags().BoolVar(&f.raw, "raw", false, "little-endian float32 in place of text")
	c.Flags().BoolVar(&f.bits, "bits", false, "the generator's 32-bit words, little-endian")
	c.Flags().IntVar(&f.lane, "lane", 0, fmt.Sprintf("with --bits: this lane alone, 0..%d", stream.Width-1))
	c.Flags().BoolVar(&f.interleave, "interleave", false, "with --bits: the lanes in turn (what it does anyhow)")
	c.Flags().BoolVar(&f.first, "first", false, "with --bits: the first word of every lane of successive blocks")
	return c
}

// write writes what the flags ask for; oneLane says that --lane was given.
func (f *drawFlags) write(w io.Writer, oneLane bool) error {
	seed, count := uint64(1), int64(16)
	if f.bits {
		count = stream.Forever
	}
	if err := cmp.Or(f.seed.Seed(&seed), flag.Whole(&f.count, "count", 1, plan.MaxSamples, &count)); err != nil {
		return err
	}
	switch {
	case !f.bits && (oneLane || f.interleave || f.first):
		return errors.New("--lane, --interleave and --first go with --bits")
	case !f.bits:
		l, d, err := f.target()
		if err != nil {
			return err
		}
		return kernel.WriteComponents(w, l, d, seed, count, f.raw)
	case f.lane < 0 || f.lane >= stream.Width:
		return fmt.Errorf("--lane: %d is not in 0..%d", f.lane, stream.Width-1)
	case oneLane:
		return stream.WriteBits(w, stream.OneLane, f.lane, seed, count)
	case f.first:
		return stream.WriteBits(w, stream.FirstWords, 0, seed, count)
	}
	return stream.WriteBits(w, stream.Interleaved, 0, seed, count)
}

// target is the law and the dimension that the flags name.
func (f *drawFlags) target() (law.Law, int, error) {
	name, d := names.LawNormal, 64
	if v := f.law.Values; len(v) > 0 {
		name = v[0].Name
	}
	if v := f.dimension.Values; len(v) > 0 {
		d = int(v[0].Number)
	}
	l, err := law.Parse(name, experiment.Number)
	if err == nil && l.Independent() && len(f.dimension.Values) > 0 {
		err = fmt.Errorf("--d-k: the components of %v do not depend on a dimension; it is for the law sphere", l)
	}
	return l, d, err
}
