package ask

import (
	"cmp"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/attention/models"
	"mcsim/sim/experiment"
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

func newAdviseCommand() *cobra.Command {
	var f adviseFlags
	c := &cobra.Command{
		Use:  "advise",
		Long: modelLists(),
		Args: cmdline.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	flags := c.Flags()
	f.model.add(c)
	flags.Var(cmdline.NewInteger(&f.question.Keys, advice.MinKeys, advice.MaxKeys), "keys",
		fmt.Sprintf("keys of a row, %d..%d (default: the context of --model, or %d)",
			advice.MinKeys, advice.MaxKeys, defaultKeys))
	flags.Var(cmdline.NewInteger(&f.question.Draws, advice.MinDraws, advice.MaxDraws), "draws",
		"draws of the weights (default: 64, or fewer for large heads, at least 16)")
	cmdline.AddSeed(flags, &f.question.Seed)
	flags.Var(cmdline.NewNumber(&f.check, experiment.Tolerances.Parse), "check",
		cmdline.CheckUsage+": how far the standard deviation of the logits may be from theory, such as 1%")
	flags.Var(&f.gate, "gate", cmdline.GateUsage)
	cmdline.Exclude(c, "check", "gate")
	cmdline.AddWorkers(flags, &f.question.Workers)
	flags.BoolVar(&f.json, "json", false, cmdline.JSONUsage)
	return c
}

// defaultKeys is the number of keys of a row if neither --keys nor --model gives it.
const defaultKeys = 1024

// run measures the head that the flags describe, and prints the advice.
func (f *adviseFlags) run(c *cobra.Command) (err error) {
	q := f.question
	var released models.Model
	q.Head, released, err = f.model.buildHead()
	if err != nil {
		return err
	}
	q.Keys = cmp.Or(q.Keys, min(released.Context, advice.MaxKeys), defaultKeys)
	if err := f.model.setScale(&q.Head, q.Keys); err != nil {
		return err
	}
	bar := show.NewCounter(c.ErrOrStderr(), q.DrawCount())
	q.AfterDraw = func() { bar.Add(1) }
	answer, err := advice.Ask(c.Context(), q)
	bar.End()
	if err != nil {
		return err
	}
	a := show.NewAdvice(q, released, answer)
	verdict := result.Pass
	if f.check > 0 {
		sigma := math.Sqrt(q.Head.LogitVariance()) // standard deviation of the logits in theory
		f.gate = cmdline.Band{Lo: sigma * (1 - f.check), Hi: sigma * (1 + f.check)}
	}
	if f.gate.IsSet() {
		gate := answer.Judge(f.gate.Lo, f.gate.Hi)
		a.Gate, verdict = &gate, gate.Verdict
	}
	stdout := c.OutOrStdout()
	if err := show.Print(stdout, f.json, a, func() { a.Print(stdout) }); err != nil {
		return err
	}
	return program.ExitWith(verdict)
}
