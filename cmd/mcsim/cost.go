package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/cmd/mcsim/show"
	"mcsim/sim/cost"
	"mcsim/sim/names"
)

// costFlags are the shape of a layer, GPT-2 small's where nothing is said.
type costFlags struct {
	sizes        []costSize
	causal, json bool
}

// costSize is a flag for one size of a layer.
type costSize struct {
	flag, param string
	given       numberFlag
	usual       func(cost.Layer) int64
	to          func(*cost.Layer) *int64
}

func newCostFlags() *costFlags {
	always := func(n int64) func(cost.Layer) int64 { return func(cost.Layer) int64 { return n } }
	return &costFlags{sizes: []costSize{
		{flag: "n", param: names.ParamContext, usual: always(1024), to: func(l *cost.Layer) *int64 { return &l.Context }},
		{flag: "d-model", param: names.ParamModel, usual: always(768), to: func(l *cost.Layer) *int64 { return &l.Model }},
		{flag: "heads", param: names.ParamHeads, usual: always(12), to: func(l *cost.Layer) *int64 { return &l.Heads }},
		{flag: "kv-heads", param: names.ParamKeyHeads, usual: func(l cost.Layer) int64 { return l.Heads }, to: func(l *cost.Layer) *int64 { return &l.KeyHeads }},
		{flag: "d-k", param: names.ParamDimension, usual: always(64), to: func(l *cost.Layer) *int64 { return &l.Key }},
		{flag: "d-v", param: names.ParamValueDimension, usual: func(l cost.Layer) int64 { return l.Key }, to: func(l *cost.Layer) *int64 { return &l.Value }},
		{flag: "bytes", param: names.ParamNumberBytes, usual: always(cost.StoredBytes), to: func(l *cost.Layer) *int64 { return &l.Bytes }},
	}}
}

// add makes the flags, whose descriptions are those of the table of names.
func (f *costFlags) add(flags *pflag.FlagSet) {
	for i := range f.sizes {
		s := &f.sizes[i]
		usage := names.Of(names.GroupParameter, s.param).Title
		switch s.flag {
		case "kv-heads":
			usage += " (default as many as --heads)"
		case "d-v":
			usage += " (default d_k)"
		default:
			usage += fmt.Sprintf(" (default %d)", s.usual(cost.Layer{}))
		}
		flags.Var(&s.given, s.flag, usage)
	}
	flags.BoolVar(&f.causal, "causal", false, "a token sees itself and those before it, which is about half of the pairs")
	flags.BoolVar(&f.json, "json", false, "print a JSON object")
}

// layer is what the flags ask for.
func (f *costFlags) layer() (cost.Layer, error) {
	l := cost.Layer{Causal: f.causal}
	for i := range f.sizes {
		s := &f.sizes[i]
		*s.to(&l) = s.usual(l)
		if err := whole(&s.given, s.flag, 1, cost.Most, s.to(&l)); err != nil {
			return l, err
		}
	}
	return l, l.Check()
}

func costCommand() *cobra.Command {
	f := newCostFlags()
	c := &cobra.Command{
		Use:   "cost",
		Short: "count the operations and bytes of an attention layer",
		Long: `Count the floating-point operations of the forward pass of one attention layer for
one text, step by step, what doubling the text does to each, and the bytes that they
store. A multiplication with the addition that follows it is two operations; a
comparison, a subtraction, an exponential and a division are one each. Biases, norms and
positions are not counted. Nothing is drawn or measured. Without flags it is a layer of
GPT-2 small. Numbers may be written 1e6, 2^10.`,
		Example: `  mcsim cost --n 131072
  mcsim cost --d-model 8192 --heads 64 --kv-heads 8 --d-k 128 --n 4096 --causal
  mcsim cost --n 2^17 --json`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return runCost(c.OutOrStdout(), f) },
	}
	c.Flags().SortFlags = false
	f.add(c.Flags())
	return c
}

func runCost(out io.Writer, f *costFlags) error {
	l, err := f.layer()
	if err != nil {
		return err
	}
	if f.json {
		return show.JSON(out, show.NewCost(l))
	}
	return show.Cost(out, l)
}
