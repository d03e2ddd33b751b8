package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/advice"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/inits"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/schedule"
	"mcsim/sim/weights"
)

type adviseFlags struct {
	axes    flag.Axes
	keys    flag.Number
	draws   flag.Number
	seed    flag.Number
	workers int
	json    bool
}

func adviseCommand() *cobra.Command {
	f, flags := newAdviseFlags()
	c := &cobra.Command{
		Use:   "advise",
		Short: "say whether a score scale suits a model at initialisation",
		Long: `Say what softmax makes of the scores of a model at initialisation, and which
scale or gain would give the logits a standard deviation of one. Tokens are
normal numbers behind LayerNorm; W_Q and W_K are drawn as --init says, and their
logits measured. A row of softmax has one of these queries, and as many keys of other
tokens as --keys says.`,
		Example: `  mcsim advise --d-model 768 --d-k 64 --init torch-mha --keys 1024
  mcsim advise --d-model 12288 --d-k 128 --init normal-0.02 --keys 2048 --json`,
		Args: flag.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error { return advise(c.Context(), c.OutOrStdout(), f) },
	}
	c.Flags().AddFlagSet(flags)
	return c
}

// newAdviseFlags returns what advice is asked, and the flags that ask it.
func newAdviseFlags() (*adviseFlags, *pflag.FlagSet) {
	f := &adviseFlags{axes: flag.Axes{}}
	flags := pflag.NewFlagSet("advise", pflag.ContinueOnError)
	for i := range inits.Experiment.Axes {
		a := &inits.Experiment.Axes[i]
		f.axes[a.Name] = &flag.Axis{Axis: a}
		flags.Var(f.axes[a.Name], a.Flag(), a.Doc()+" (default "+a.Probe+")")
	}
	flags.Var(&f.keys, "keys", fmt.Sprintf("keys of a row, %d..%d (default %d)", advice.LeastKeys, advice.MostKeys, usualKeys))
	flags.Var(&f.draws, "draws", "draws of the weights (default 64, of large heads fewer, down to 16)")
	flags.Var(&f.seed, "seed", "seed of the random streams (default 1)")
	flag.AddWorkers(flags, &f.workers)
	flags.BoolVar(&f.json, "json", false, "print a JSON object")
	return f, flags
}

func advise(ctx context.Context, out io.Writer, f *adviseFlags) error {
	q, err := f.question()
	if err != nil {
		return err
	}
	found, err := advice.Ask(ctx, q)
	if err != nil {
		return err
	}
	a := show.NewAdvice(q, found)
	if f.json {
		return show.JSON(out, a)
	}
	a.Print(out)
	return nil
}

// usualKeys is the length of a row where nothing is said.
const usualKeys = 1024

// question is what the flags ask; what a plan refuses is refused.
func (f *adviseFlags) question() (q advice.Question, err error) {
	values := map[string][]experiment.Value{}
	for name, a := range f.axes {
		if values[name], err = a.Or(a.Axis.Probe); err != nil {
			return q, err
		}
	}
	q.Keys, q.Seed, q.Workers = usualKeys, 1, f.workers
	if q.Workers == 0 {
		q.Workers = runtime.GOMAXPROCS(0)
	}
	if err := cmp.Or(flag.Whole(&f.keys, "keys", advice.LeastKeys, advice.MostKeys, &q.Keys),
		flag.Whole(&f.draws, "draws", advice.LeastDraws, advice.MostDraws, &q.Draws), f.seed.Seed(&q.Seed)); err != nil {
		return q, err
	}
	p := &plan.Plan{Name: "advise", Tolerance: plan.DefaultTolerance, Alpha: plan.DefaultRate, Beta: plan.DefaultRate,
		Entries: []plan.Entry{{Experiment: inits.Experiment, Tolerance: 0.01, Samples: 1, Values: values}}}
	if _, err := schedule.New(p); err != nil {
		return q, f.axes.Blame(err)
	}
	scheme, _ := weights.Lookup(values[names.ParamInit][0].Name)
	q.Head = scheme.At(weights.Shape{Model: int(values[names.ParamModel][0].Number), Key: int(values[names.ParamDimension][0].Number)})
	return q, nil
}
