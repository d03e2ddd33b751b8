package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/inspect"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statedict"
	"mcsim/sim/tensor"
)

// weightFlags describe a state dict where its names do not.
type weightFlags struct {
	statedict.Options
	given string // a flag that samples have no use for
}

// usualTokens is how many tokens are drawn for queries and for keys.
const usualTokens, leastTokens, mostTokens = 128, 16, 1 << 14

// add makes the flags.
func (f *weightFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.Query, "wq", "", "`NAME` of the array of W_Q, or of a packed one; {} stands for the number of a layer")
	flags.StringVar(&f.Key, "wk", "", "the same of W_K")
	flags.Var(flag.Whole(&f.Dimension, 1, 1<<16), "d-k", names.Of(names.GroupParameter, names.ParamDimension).Title+", of weights (default found)")
	flag.Choice(c, &f.Layout, "layout", "`HOW` W_Q and W_K are arranged in their arrays (default by name and model)", statedict.Layouts)
	flags.StringVar(&f.X, "x", "", "`NAME` of an array of activations that go into W_Q and W_K (default drawn tokens)")
	flag.Choice(c, &f.Norm, "norm", "`KIND` of norm before W_Q and W_K (default the model's)", norms)
	f.Tokens = usualTokens
	flags.Var(flag.Whole(&f.Tokens, leastTokens, mostTokens), "keys",
		fmt.Sprintf("keys of a row, that are drawn for weights, %d..%d", leastTokens, mostTokens))
}

// asked reports whether weights are, whatever else the files hold.
func (f *weightFlags) asked() bool {
	return f.Query != "" || f.Key != "" || f.Layout != "" || f.X != ""
}

// model looks at the heads of a state dict.
func (f *inspectFlags) model(ctx context.Context, files *tensor.Files, paths []string) (*show.Inspected, error) {
	o := f.weights.Options
	o.Heads, o.KeyHeads, o.Path, o.Seed = f.heads, f.keyHeads, paths[0], 1
	m, err := statedict.Open(files, o)
	if err != nil {
		return nil, err
	}
	if f.options.Paired || f.options.Causal {
		return nil, errors.New("--paired and --causal are for samples; here are weights, whose tokens have no order")
	}
	l := m.Layers[0]
	factor, err := f.factor(l.Dimension, o.Tokens)
	if err != nil {
		return nil, err
	}
	f.options.Scale = cmp.Or(factor, m.Scale)
	bar := folder.Counting(os.Stderr, m.Count())
	all, err := m.Measure(ctx, f.options, func() { bar.Add(1) })
	bar.End()
	if err != nil {
		return nil, err
	}
	var parts []inspect.Part
	for _, of := range all {
		parts = append(parts, of.Part)
	}
	heads := m.Heads()
	s := inspect.Summarise(parts, heads, f.options)
	for i, of := range all[:heads] {
		h := &s.Heads[i]
		h.Layer, h.Head, h.Participation = of.Layer, of.Head, result.Number(of.Participation)
	}
	s.Notes = m.Notes
	s.WarnAlike()
	if o.X == "" {
		s.Dependence = "Tokens are drawn, for queries and for keys apart. The error of a head is that over tokens; that of all is between heads."
	}
	return &show.Inspected{QueryName: "W_Q", KeyName: "W_K", Summary: s}, nil
}
