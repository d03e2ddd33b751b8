package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/sim"
	"mcsim/sim/experiment"
	"mcsim/sim/weights"
)

type adviseFlags struct {
	axes    map[string]*axisFlag
	keys    *axisFlag
	draws   numberFlag
	seed    numberFlag
	workers int
	json    bool
}

// adviseDraws is how many times the weights are drawn where nothing is said, and
// adviseRows how many rows of logits are.
const adviseDraws, adviseRows = 64, 1 << 14

func adviseCommand() *cobra.Command {
	f, flags := newAdviseFlags()
	c := &cobra.Command{
		Use:   "advise",
		Short: "say whether a score scale suits a model at initialisation",
		Long: `Say what softmax makes of the scores of a model at initialisation, and which
scale or gain would give the logits a standard deviation of one. Tokens are
normal numbers behind LayerNorm; W_Q and W_K are drawn as --init says, and their
logits measured. What softmax does follows by quadrature, as if the logits of a
row were independent normal numbers, which holds nearly for many dimensions.`,
		Example: `  mcsim advise --d-model 768 --d-k 64 --init torch-mha --keys 1024
  mcsim advise --d-model 12288 --d-k 128 --init normal-0.02 --keys 2048 --json`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return advise(c.Context(), c.OutOrStdout(), f) },
	}
	c.Flags().AddFlagSet(flags)
	return c
}

func newAdviseFlags() (*adviseFlags, *pflag.FlagSet) {
	f := &adviseFlags{axes: map[string]*axisFlag{}, keys: &axisFlag{axis: experiment.Softmax.Axis("keys")}}
	flags := pflag.NewFlagSet("advise", pflag.ContinueOnError)
	for i := range experiment.Init.Axes {
		a := &experiment.Init.Axes[i]
		f.axes[a.Name] = &axisFlag{axis: a}
		flags.Var(f.axes[a.Name], a.Flag(), a.Doc+" (default "+a.Probe+")")
	}
	flags.Var(f.keys, "keys", f.keys.axis.Doc+" (default 1024)")
	flags.Var(&f.draws, "draws", "draws of the weights (default 64)")
	flags.Var(&f.seed, "seed", "seed of the random streams (default 1)")
	addWorkers(flags, &f.workers)
	flags.BoolVar(&f.json, "json", false, "print a JSON object")
	return f, flags
}

func advise(ctx context.Context, out io.Writer, f *adviseFlags) error {
	a, err := f.ask(ctx)
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "mcsim: interrupted; advice keeps nothing")
		return exitError{exitInterrupted}
	}
	if err != nil {
		return err
	}
	if f.json {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(a)
	}
	a.print(out)
	return nil
}

// ask measures what the flags name: logits of the initialisation, and rows of
// normal logits of the predicted standard deviation.
func (f *adviseFlags) ask(ctx context.Context) (*advice, error) {
	values := map[string][]experiment.Value{}
	for name, a := range f.axes {
		v, err := a.or(a.axis.Probe)
		if err != nil {
			return nil, err
		}
		values[name] = v
	}
	keys, err := f.keys.or("1024")
	if err != nil {
		return nil, err
	}
	draws := int64(adviseDraws)
	if f.draws.given() {
		if draws, err = experiment.Integer(f.draws.text, 2, 1<<20); err != nil {
			return nil, fmt.Errorf("--draws: %w", err)
		}
	}
	p := &sim.Plan{Name: "advise", Seed: 1, Tolerance: 0.01, Alpha: 1e-6, Beta: 1e-6}
	if err := f.seed.into(&p.Seed); err != nil {
		return nil, err
	}
	scheme, _ := weights.Lookup(values["init"][0].Name)
	head := scheme.At(weights.Shape{Model: int(values["d_model"][0].Number), Key: int(values["d_k"][0].Number)})
	sigma := experiment.Value{Number: math.Sqrt(head.LogitVariance())}
	p.Entries = []sim.Entry{
		{Experiment: experiment.Init, Tolerance: 0.01, Samples: draws, Values: values},
		{Experiment: experiment.Freezing, Tolerance: 0.01, Samples: adviseRows, Values: map[string][]experiment.Value{"keys": keys, "sigma": {sigma}}},
	}
	doc, err := drawOnce(ctx, p, f.workers, nil)
	if err != nil {
		return nil, err
	}
	return newAdvice(head, int(keys[0].Number), doc), nil
}

// or are the flag's values, or those of a text.
func (a *axisFlag) or(text string) ([]experiment.Value, error) {
	if len(a.values) > 0 {
		return a.values, nil
	}
	return a.axis.ParseAll(text)
}
