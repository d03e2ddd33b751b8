package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/screen"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/cost"
	"mcsim/sim/names"
)

// costFlags are the shape of a layer, GPT-2 small's where nothing is said.
type costFlags struct {
	layer cost.Layer
	sizes []costSize
	json  bool
}

// costSize is a flag for one size of a layer. Without a default it is like another one.
type costSize struct {
	flag, param string
	given       flag.Number
	to, like    *int64
}

// newCostFlags returns what a count is asked for, and the flags that set it, whose
// descriptions are those of the table of names.
func newCostFlags() (*costFlags, *pflag.FlagSet) {
	f := &costFlags{}
	l := &f.layer
	usual := func(text string) flag.Number { return flag.Number{Text: text} }
	f.sizes = []costSize{
		{flag: "n", param: names.ParamContext, given: usual("1024"), to: &l.Context},
		{flag: "d-model", param: names.ParamModel, given: usual("768"), to: &l.Model},
		{flag: "heads", param: names.ParamHeads, given: usual("12"), to: &l.Heads},
		{flag: "kv-heads", param: names.ParamKeyHeads, to: &l.KeyHeads, like: &l.Heads},
		{flag: "d-k", param: names.ParamDimension, given: usual("64"), to: &l.Key},
		{flag: "d-v", param: names.ParamValueDimension, to: &l.Value, like: &l.Key},
		{flag: "bytes", param: names.ParamNumberBytes, given: usual("2"), to: &l.Bytes},
	}
	flags := pflag.NewFlagSet("cost", pflag.ContinueOnError)
	for i := range f.sizes {
		s := &f.sizes[i]
		usage := names.Of(names.GroupParameter, s.param).Title
		if s.like != nil {
			usage += " (default as many as --" + f.sizes[i-1].flag + ")"
		}
		flags.Var(&s.given, s.flag, usage)
	}
	flags.BoolVar(&l.Causal, "causal", false, names.Of(names.GroupColumn, names.ColumnCausal).Title)
	flags.BoolVar(&f.json, "json", false, "print a JSON object")
	return f, flags
}

// read sets the layer to what the flags say.
func (f *costFlags) read() error {
	for i := range f.sizes {
		s := &f.sizes[i]
		if s.like != nil {
			*s.to = *s.like
		}
		if err := flag.Whole(&s.given, s.flag, 1, cost.Most, s.to); err != nil {
			return err
		}
	}
	return f.named(f.layer.Check())
}

// named calls the size that an error is about by its flag.
func (f *costFlags) named(err error) error {
	shape, ok := errors.AsType[*cost.ShapeError](err)
	if !ok {
		return err
	}
	i := slices.IndexFunc(f.sizes, func(s costSize) bool { return s.param == shape.Param })
	return fmt.Errorf("--%s: %s", f.sizes[i].flag, shape.Problem)
}

func costCommand() *cobra.Command {
	f, flags := newCostFlags()
	c := &cobra.Command{
		Use:   "cost",
		Short: "count the operations and bytes of an attention layer",
		Long: `Count the floating-point operations of the forward pass of one attention layer
for one text, step by step, what doubling the text does to each, and the bytes
that they store. A multiplication with the addition that follows it is two
operations; a comparison, a subtraction, an exponential and a division are one
each. Biases, norms and positions are not counted. Nothing is drawn or measured.
Without flags it is a layer of the shape of GPT-2 small. Numbers may be written
1e6, 2^10.

All pairs of tokens are counted. With --causal the operations are those of the
pairs that the mask leaves; the bytes stay those of the whole square of scores,
whose hidden half usually is stored too.

Columns:` + defined(names.ColumnOperations, names.ColumnShare, names.ColumnGrowth, names.ColumnWeightBytes, names.ColumnMadeBytes) + `
--json has these of the whole layer and of each part, and moreover:
` + defined(names.ColumnCrossing, names.ColumnScoreBytes, names.ColumnTileBytes, names.ColumnKeyBytes),
		Example: `  mcsim cost --n 131072
  mcsim cost --d-model 8192 --heads 64 --kv-heads 8 --d-k 128 --n 4096 --causal
  mcsim cost --n 2^17 --json`,
		Args: flag.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error { return runCost(c.OutOrStdout(), f) },
	}
	c.Flags().SortFlags = false
	c.Flags().AddFlagSet(flags)
	return c
}

// defined lists columns with what the table of names says of them.
func defined(columns ...string) string {
	var b strings.Builder
	for _, c := range columns {
		screen.Paragraph(&b, "  "+c, 22, names.Of(names.GroupColumn, c).Title)
	}
	return b.String()
}

func runCost(out io.Writer, f *costFlags) error {
	if err := f.read(); err != nil {
		return err
	}
	if f.json {
		return show.JSON(out, show.NewCost(f.layer))
	}
	return show.Cost(out, f.layer)
}
