package measure

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/cmd/mcsim/sampling"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/schedule"
)

type runFlags struct {
	dir        string
	change     changeFlags
	attempt    int
	workers    int
	fresh      bool
	status     bool
	forget     bool
	quiet      bool
	shardIndex int // from 0
	shardCount int // 0 if the whole plan is drawn
}

func runCommand(stop *program.Shutdown) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:  "run [PLAN]",
		Args: cmdline.RequireArgs(0, 1, "one plan"), ValidArgsFunction: completePlan,
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args, stop) },
	}
	f.add(c)
	return c
}

func (f *runFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVarP(&f.dir, "out", "o", results.DefaultDir,
		cmdline.Out+": folder `DIR` of the results; with --shard the file of the shard")
	f.change.add(c)
	flags.Var(cmdline.Integer(&f.attempt, 0, plan.MaxAttempt), "attempt",
		"after \"undecided\": 1, then 2, …: draw anew and twice as much, at half the error rates, "+
			"so that all attempts together spend at most twice the declared ones")
	cmdline.AddWorkers(flags, &f.workers)
	flags.BoolVar(&f.fresh, "fresh", false, "draw everything again: forget what DIR/nodes.bin has of the plan")
	flags.BoolVar(&f.status, "status", false, "say what DIR/nodes.bin holds, and draw nothing")
	flags.BoolVar(&f.forget, "forget", false, "forget what DIR/nodes.bin has of the plan, and draw nothing")
	flags.Var(cmdline.Func(f.parseShard), "shard",
		"draw the `i/N`-th of N parts alone, i from 0 to N−1, into the file that -o names; "+
			"mcsim merge makes the results of all")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, cmdline.Quiet)
	cmdline.Exclude(c, "fresh", "forget", "status")
	cmdline.Exclude(c, "forget", "status")
	cmdline.Exclude(c, "shard", "status", "forget")
}

// run loads the plan and does what the flags ask for.
func (f *runFlags) run(c *cobra.Command, args []string, stop *program.Shutdown) error {
	p, err := loadPlan(args, c.InOrStdin(), &f.change)
	if err != nil {
		return err
	}
	if f.attempt > 0 {
		p.Attempt = f.attempt
	}
	s, err := schedule.New(p)
	if err != nil {
		return fmt.Errorf("%s: %w", p.Title(), err)
	}
	out, status := c.OutOrStdout(), c.ErrOrStderr()
	if f.quiet {
		out, status = io.Discard, io.Discard
	}
	switch {
	case f.shardCount > 0 && !c.Flags().Changed("out"):
		return fmt.Errorf("--shard: give the file of the shard with -o, such as -o shards/%d%s",
			f.shardIndex, shardExtension)
	case f.shardCount > 0:
		return f.drawShard(out, status, s, stop)
	case f.status:
		return f.printStatus(out, s)
	case f.forget:
		return f.forgetPlan(out, s, stop)
	}
	return f.drawPlan(out, status, s, stop)
}

// drawPlan draws what the folder lacks of a plan, writes the results and sums up the gates.
func (f *runFlags) drawPlan(out, status io.Writer, s *schedule.Schedule, stop *program.Shutdown) error {
	setHeap(s)
	session := session{schedule: s, dir: f.dir, out: out, status: status, stop: stop, started: time.Now(),
		only: f.change.Selection, fresh: f.fresh, workers: f.workers}
	nodes, err := session.open()
	if err != nil {
		return err
	}
	defer nodes.Close()
	drawnBefore := sampling.PrintFound(status, s, nodes)
	sampling.PrintPlanDuration(status, s, nodes, f.workers, drawnBefore)
	if err := sampling.Record(stop, nodes, s, f.workers, status); err != nil {
		return err
	}
	return session.conclude(nodes, nodes, show.DrawnBefore(drawnBefore))
}

// setHeap sets the size of the heap for a schedule. Nodes of many columns, such as those of
// softmax, would otherwise be collected all the time.
func setHeap(s *schedule.Schedule) {
	const fewColumns = 32
	size := int64(program.SamplingHeap)
	for _, w := range s.Jobs {
		if len(w.Cell.Experiment.Sampler.Columns(*w.Cell)) > fewColumns {
			size = program.WideSamplingHeap
		}
	}
	program.SetHeap(size, len(s.Jobs))
}
