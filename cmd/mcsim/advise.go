package main

import (
	"cmp"
	"fmt"
	"math"

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
	model    modelFlags
	question advice.Question
	check    float64
	gate     cmdline.Band
	json     bool
}

func adviseCommand() *cobra.Command {
	var f adviseFlags
	c := &cobra.Command{
		Use:  "advise",
		Long: modelLists(),
		Args: cmdline.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	flags := c.Flags()
	f.model.add(c)
	flags.Var(cmdline.Integer(&f.question.Keys, advice.MinKeys, advice.MaxKeys), "keys",
		fmt.Sprintf("keys of a row, %d..%d (default the context of --model, or %d)",
			advice.MinKeys, advice.MaxKeys, defaultKeys))
	flags.Var(cmdline.Integer(&f.question.Draws, advice.MinDraws, advice.MaxDraws), "draws",
		"draws of the weights (default 64, of large heads fewer, down to 16)")
	cmdline.AddSeed(flags, &f.question.Seed)
	flags.Var(cmdline.Number(&f.check, plan.Tolerance), "check",
		cmdline.Check+": how far the standard deviation of the logits may be from theory, such as 1%")
	flags.Var(&f.gate, "gate", cmdline.Gate)
	cmdline.Exclude(c, "check", "gate")
	cmdline.AddWorkers(flags, &f.question.Workers)
	flags.BoolVar(&f.json, "json", false, cmdline.JSON)
	return c
}

// defaultKeys is the default length of a row.
const defaultKeys = 1024

// run draws the head that the flags describe, and prints the advice.
func (f *adviseFlags) run(c *cobra.Command) (err error) {
	q := f.question
	var published models.Model
	q.Head, published, err = f.model.head()
	if err != nil {
		return err
	}
	q.Keys = cmp.Or(q.Keys, min(published.Context, advice.MaxKeys), defaultKeys)
	if err := f.model.setScale(&q.Head, q.Keys); err != nil {
		return err
	}
	bar := sampling.CountTo(c.ErrOrStderr(), q.DrawCount())
	q.AfterDraw = func() { bar.Add(1) }
	answer, err := advice.Ask(c.Context(), q)
	bar.End()
	if err != nil {
		return err
	}
	a := show.NewAdvice(q, published, answer)
	verdict := result.Pass
	if f.check > 0 {
		theory := math.Sqrt(q.Head.LogitVariance())
		f.gate = cmdline.Band{Lo: theory * (1 - f.check), Hi: theory * (1 + f.check)}
	}
	if f.gate.IsSet() {
		gate := answer.Judge(f.gate.Lo, f.gate.Hi)
		a.Gate, verdict = &gate, gate.Verdict
	}
	out := c.OutOrStdout()
	if err := show.Print(out, f.json, a, func() { a.Print(out) }); err != nil {
		return err
	}
	return program.ExitOf(verdict)
}
