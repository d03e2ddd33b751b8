package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/advice"
	"mcsim/sim/models"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/result"
)

type adviseFlags struct {
	model modelFlags
	ask   advice.Question
	check float64
	gate  flag.Band
	json  bool
}

func adviseCommand() *cobra.Command {
	var f adviseFlags
	c := &cobra.Command{
		Use:   "advise",
		Short: "say whether a score scale suits a model at initialisation",
		Long: fmt.Sprintf(`Say whether the score scale suits a model at initialisation, why, and which
scale or gain would mend it; then what softmax makes of the scores. W_Q and W_K
are drawn, and their logits measured. A row of softmax has one query, and as
many keys of other tokens as --keys says. Tokens are normal numbers behind
LayerNorm, or with --norm none independent normal numbers of mean 0 and variance
1; RMSNorm is taken as LayerNorm, and a note says so.

The verdict is on rows of --keys keys: saturated where the median row lets less
than half of the gradient through that uniform weights would; too soft where the
greatest weight is on average less than %v times that of uniform weights; else
healthy; and two of these where the draws do not tell. The line Logits says what
is healthy in rows of 8 and of 1024 keys.

--gate LO..HI judges the standard deviation of the logits: exit code 0 if it
lies in LO..HI, 1 if it does not, 3 if the draws do not tell, which more --draws
mend unless it is LO or HI itself. --check 1%% wants it so near to what theory
predicts. Either passes or fails wrongly one time in %.0f at most.

With --kv-heads below --heads, W_K has fewer outputs than W_Q, which
initialisations that count outputs (glorot-fused, keras) see; torch-mha counts
those of all three matrices. Of a model with QK-norm, say --init qk-norm.

--model takes a row of the ledger of released models, which mcsim models lists:
its shape, norms, scale and context, and its initialisation, where that is known
or no more than the default of a library, of which a note then warns.

%s`, names.TooSoftBelow, 1/advice.GateRate, modelLists()),
		Example: `  mcsim advise --d-model 768 --d-k 64 --init torch-mha --keys 1024
  mcsim advise --model gpt-3
  mcsim advise --d-model 4096 --d-k 128 --kv-heads 8 --scale 1/d_k
  mcsim advise --d-model 1024 --d-k 64 --init glorot-fused
  mcsim advise --d-model 512 --d-k 64 --init-sd 0.01 --gate 0.2..3 --json`,
		Args: flag.NoArguments,
		PreRunE: func(c *cobra.Command, _ []string) error {
			return cmp.Or(f.model.check(c), flag.Exclusive(c, "check", "gate"))
		},
		RunE: func(c *cobra.Command, _ []string) error { return f.advise(c.Context(), c.OutOrStdout()) },
	}
	flags := c.Flags()
	f.model.add(c)
	flags.Var(flag.Whole(&f.ask.Keys, advice.LeastKeys, advice.MostKeys), "keys", fmt.Sprintf("keys of a row, %d..%d (default the context of --model, or %d)", advice.LeastKeys, advice.MostKeys, usualKeys))
	flags.Var(flag.Whole(&f.ask.Draws, advice.LeastDraws, advice.MostDraws), "draws", "draws of the weights (default 64, of large heads fewer, down to 16)")
	flag.AddSeed(flags, &f.ask.Seed)
	flags.Var(flag.Number(&f.check, plan.Tolerance), "check", flag.Check+": how far the standard deviation of the logits may be from theory, such as 1%")
	flags.Var(&f.gate, "gate", flag.Gate)
	flag.AddWorkers(flags, &f.ask.Workers)
	flags.BoolVar(&f.json, "json", false, flag.JSON)
	return c
}

func (f *adviseFlags) advise(ctx context.Context, out io.Writer) error {
	q, published, err := f.question()
	if err != nil {
		return err
	}
	bar := folder.Counting(os.Stderr, q.Planned())
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
		f.gate = flag.Band{Lo: theory * (1 - f.check), Hi: theory * (1 + f.check)}
	}
	if f.gate.Asked() {
		gate := found.Judge(f.gate.Lo, f.gate.Hi)
		a.Gate = &gate
		verdict = gate.Verdict
	}
	return cmp.Or(show.Printed(out, f.json, a, func() { a.Print(out) }), show.ExitOf(verdict))
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
