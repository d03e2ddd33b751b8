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
		Long: fmt.Sprintf(`Say whether a score scale suits a model at initialisation, why, and which scale
or gain would be right. mcsim draws W_Q and W_K, measures the logits, and shows
what softmax does with them. A row of softmax has one query and --keys keys of
other tokens. Tokens are normal numbers after LayerNorm, or with --norm none
independent normal numbers with mean 0 and variance 1. RMSNorm counts as
LayerNorm, with a note.

The verdict describes rows of --keys keys before training. Concentrated: few
keys have most of the weight, since the sum of squared weights is on average
above that of normal logits with a standard deviation of √(2 ln keys). Dead:
besides, more than half of the rows pass hardly any gradient to their keys.
Spread: neither. You get two labels if the draws cannot tell. No label says how
well the model will learn.

--gate LO..HI checks that the standard deviation of the logits lies in LO..HI:
exit code 0 if it does, 1 if not, 3 if the draws cannot tell. More --draws help
then, unless the value is LO or HI itself. --check 1%% checks that it is within
1 %% of theory. Either is wrong one time in %.0f at most.

If --kv-heads is below --heads, W_K has fewer outputs than W_Q. That matters for
initialisations that count outputs (glorot-fused, keras); torch-mha counts those
of all three matrices. For a model with QK-norm, use --init qk-norm.

--model takes a released model from the list of mcsim models: its shape, norms,
scale, context, and its initialisation. If only a library's default is known, a
note says so.

%s`, 1/advice.GateRate, modelLists()),
		Example: `  mcsim advise --d-model 768 --d-k 64 --init torch-mha --keys 1024
  mcsim advise --model gpt-3
  mcsim advise --d-model 4096 --d-k 128 --kv-heads 8 --scale 1/d_k
  mcsim advise --d-model 1024 --d-k 64 --init glorot-fused
  mcsim advise --d-model 512 --d-k 64 --init-sd 0.01 --gate 0.2..3 --json`,
		Args: cmdline.NoArgs,
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
