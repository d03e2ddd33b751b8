package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/model"
	"mcsim/cmd/mcsim/progress"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/advice"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/weights"
)

type adviseFlags struct {
	model   *model.Flags
	keys    flag.Number
	draws   flag.Number
	seed    flag.Number
	band    band
	workers int
	json    bool
}

func adviseCommand() *cobra.Command {
	f, flags := newAdviseFlags()
	c := &cobra.Command{
		Use:   "advise",
		Short: "say whether a score scale suits a model at initialisation",
		Long: fmt.Sprintf(`Say whether the score scale suits a model at initialisation, why, and which
scale or gain would mend it; then what softmax makes of the scores. W_Q and W_K
are drawn, and their logits measured. A row of softmax has one query, and as
many keys of other tokens as --keys says. Tokens are normal numbers behind
LayerNorm, or with --norm none independent normal numbers of mean 0 and variance
1.

The verdict is on rows of --keys keys: freezes where the median row lets less
than half of the gradient through that equal weights would, too soft where the
greatest weight is on average less than %v times that of equal weights, else
safe; two of these where the draws do not tell. A causal model has shorter rows
too. The site's tables label rows of %d keys with normal logits, by the standard
deviation of these: too soft below about %g, and from about %g on they freeze. A
note says so where that is not the verdict.

--gate LO..HI makes it a check of the standard deviation of the logits: exit
code 0 if it lies in LO..HI, 1 if it does not, 3 if the draws do not tell, which
more --draws mend unless it is LO or HI itself. It passes or fails wrongly one
time in %.0f at most.

With --kv-heads below --heads, W_K has fewer outputs than W_Q, which
initialisations that count outputs (glorot-fused, keras) see; torch-mha counts
those of all three matrices.

%s`, names.TooSoftBelow, names.SafeKeys, names.SafeFrom, names.FreezesFrom, 1/advice.GateRate, model.Lists()),
		Example: `  mcsim advise --d-model 768 --d-k 64 --init torch-mha --keys 1024
  mcsim advise --model gpt-3 --keys 2048
  mcsim advise --d-model 4096 --d-k 128 --kv-heads 8 --scale 1/d_k
  mcsim advise --d-model 1024 --d-k 64 --init glorot-fused
  mcsim advise --d-model 512 --d-k 64 --init-sd 0.01 --gate 0.2..3 --json`,
		Args: flag.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error { return advise(c.Context(), c.OutOrStdout(), f) },
	}
	c.Flags().AddFlagSet(flags)
	return c
}

// newAdviseFlags returns what advice is asked, and the flags that ask it.
func newAdviseFlags() (*adviseFlags, *pflag.FlagSet) {
	f := &adviseFlags{}
	flags := pflag.NewFlagSet("advise", pflag.ContinueOnError)
	f.model = model.Add(flags)
	flags.Var(&f.keys, "keys", fmt.Sprintf("keys of a row, %d..%d (default %d)", advice.LeastKeys, advice.MostKeys, usualKeys))
	flags.Var(&f.draws, "draws", "draws of the weights (default 64, of large heads fewer, down to 16)")
	flags.Var(&f.seed, "seed", "seed of the random streams (default 1)")
	flags.Var(&f.band, "gate", "check that the standard deviation of the logits is in `LO..HI`, such as 0.2..3, and set the exit code")
	flag.AddWorkers(flags, &f.workers)
	flags.BoolVar(&f.json, "json", false, "print a JSON object")
	return f, flags
}

func advise(ctx context.Context, out io.Writer, f *adviseFlags) error {
	q, published, err := f.question()
	if err != nil {
		return err
	}
	bar := progress.Counting(os.Stderr, q.Planned())
	q.Drawn = func() { bar.Add(1) }
	found, err := advice.Ask(ctx, q)
	bar.End()
	if err != nil {
		return err
	}
	a := show.NewAdvice(q, published, found)
	verdict := result.Pass
	if f.band.given {
		gate := found.Judge(f.band.lo, f.band.hi)
		a.Judged(gate)
		verdict = gate.Verdict
	}
	if f.json {
		err = show.JSON(out, a)
	} else {
		a.Print(out)
	}
	return cmp.Or(err, verdictError(verdict))
}

// usualKeys is the length of a row where nothing is said.
const usualKeys = 1024

// question is what the flags ask, and the published model that it is about.
func (f *adviseFlags) question() (q advice.Question, published weights.Model, err error) {
	q.Keys, q.Seed, q.Workers = usualKeys, 1, f.workers
	if q.Workers == 0 {
		q.Workers = runtime.GOMAXPROCS(0)
	}
	if err := cmp.Or(flag.Whole(&f.keys, "keys", advice.LeastKeys, advice.MostKeys, &q.Keys),
		flag.Whole(&f.draws, "draws", advice.LeastDraws, advice.MostDraws, &q.Draws), f.seed.Seed(&q.Seed)); err != nil {
		return q, published, err
	}
	q.Head, published, err = f.model.Head(q.Keys)
	return q, published, err
}

// band is what --gate asks for.
type band struct {
	lo, hi float64
	given  bool
}

func (b *band) Type() string { return "LO..HI" }

func (b *band) String() string {
	if !b.given {
		return ""
	}
	return fmt.Sprintf("%v..%v", b.lo, b.hi)
}

// Set reads two numbers from 0 on, the lower one first.
func (b *band) Set(text string) error {
	low, high, two := strings.Cut(text, "..")
	if !two {
		return fmt.Errorf("%q is no band; write LO..HI, such as 0.2..3", text)
	}
	var err error
	if b.lo, err = experiment.Number(low); err == nil {
		b.hi, err = experiment.Number(high)
	}
	switch {
	case err != nil:
		return err
	case b.lo < 0 || b.lo >= b.hi:
		return fmt.Errorf("%q is no band: it needs 0 ≤ LO < HI", text)
	}
	b.given = true
	return nil
}
