package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/sampling"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/attention/models"
	"mcsim/sim/engine/plan"
	"mcsim/sim/model/advice"
	"mcsim/sim/result"
)

type adviseFlags struct {
	model modelFlags
	ask   advice.Question
	check float64
	gate  cmdline.Band
	json  bool
}

func adviseCommand() *cobra.Command {
	var f adviseFlags
	c := &cobra.Command{
		Use:   "advise",
		Short: "say whether a score scale suits a model at initialisation",
		Long:  modelLists(),
		Args:  cmdline.NoArgs,
		PreRunE: func(c *cobra.Command, _ []string) error {
			return cmp.Or(f.model.check(c), cmdline.RefuseTogether(c, "check", "gate"))
		},
		RunE: func(c *cobra.Command, _ []string) error { return f.advise(c.Context(), c.OutOrStdout()) },
	}
	flags := c.Flags()
	f.model.add(c)
	flags.Var(cmdline.Integer(&f.ask.Keys, advice.LeastKeys, advice.MostKeys), "keys", fmt.Sprintf("keys of a row, %d..%d (default the context of --model, or %d)", advice.LeastKeys, advice.MostKeys, usualKeys))
	flags.Var(cmdline.Integer(&f.ask.Draws, advice.LeastDraws, advice.MostDraws), "draws", "draws of the weights (default 64, of large heads fewer, down to 16)")
	cmdline.AddSeed(flags, &f.ask.Seed)
	flags.Var(cmdline.Number(&f.check, plan.Tolerance), "check", cmdline.Check+": how far the standard deviation of the logits may be from theory, such as 1%")
	flags.Var(&f.gate, "gate", cmdline.Gate)
	cmdline.AddWorkers(flags, &f.ask.Workers)
	flags.BoolVar(&f.json, "json", false, cmdline.JSON)
	return c
}

func (f *adviseFlags) advise(ctx context.Context, out io.Writer) error {
	q, published, err := f.question()
	if err != nil {
		return err
	}
	bar := sampling.CountTo(os.Stderr, q.Planned())
	q.Drawn = func() { bar.Add(1) }
	found, err := advice.Ask(ctx, q)
	bar.End()
	if err != nil {
		return err
	}
	a := show.NewAdvice(q, published, found)
	verdict := result.Pass
	if f.check > 0 {
		theory := math.Sqrt(q.Head.LogitVariance())
		f.gate = cmdline.Band{Lo: theory * (1 - f.check), Hi: theory * (1 + f.check)}
	}
	if f.gate.IsSet() {
		gate := found.Judge(f.gate.Lo, f.gate.Hi)
		a.Gate = &gate
		verdict = gate.Verdict
	}
	return cmp.Or(show.Print(out, f.json, a, func() { a.Print(out) }), program.ExitOf(verdict))
}

// usualKeys is the length of a row where nothing is said.
const usualKeys = 1024

// question is what the flags ask, and the published model that it is about.
func (f *adviseFlags) question() (q advice.Question, published models.Model, err error) {
	q = f.ask
	if q.Head, published, err = f.model.head(); err != nil {
		return q, published, err
	}
	q.Keys = cmp.Or(q.Keys, min(published.Context, advice.MostKeys), usualKeys)
	return q, published, f.model.rescale(&q.Head, q.Keys)
}
