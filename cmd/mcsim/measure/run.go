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
	shardCount int // 0 if the run samples the whole plan
}

func newRunCommand(shutdown *program.Shutdown) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:  "run [PLAN]",
		Args: cmdline.RequireArgs(0, 1, "one plan"), ValidArgsFunction: completePlan,
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args, shutdown) },
	}
	f.add(c)
	return c
}

func (f *runFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVarP(&f.dir, "out", "o", results.DefaultDir,
		cmdline.OutUsage+": folder `DIR` of the results; with --shard, the file of the shard")
	f.change.add(c)
	flags.Var(cmdline.NewInteger(&f.attempt, 0, plan.MaxAttempt), "attempt",
		"after \"undecided\": 1, then 2, …: draw other numbers, twice as many each time, at half the error rates, "+
			"so that all attempts together spend at most twice the declared ones")
	cmdline.AddWorkers(flags, &f.workers)
	flags.BoolVar(&f.fresh, "fresh", false, "draw everything again: forget the plan's draws in DIR/nodes.bin")
	flags.BoolVar(&f.status, "status", false, "print what DIR/nodes.bin contains, and draw nothing")
	flags.BoolVar(&f.forget, "forget", false, "forget the plan's draws in DIR/nodes.bin, and draw nothing")
	flags.Var(cmdline.NewValue(f.parseShard), "shard",
		"draw only shard `i/N`, i from 0 to N−1, into the file that -o names; mcsim merge combines all shards")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, cmdline.QuietUsage+", and a verdict other than pass")
	cmdline.Exclude(c, "fresh", "forget", "status")
	cmdline.Exclude(c, "forget", "status")
	cmdline.Exclude(c, "shard", "status", "forget")
}

// run loads the plan. Then it draws the plan or a shard of it, or it prints the state of the plan's
// nodes, or it removes these nodes, as the flags request.
func (f *runFlags) run(c *cobra.Command, args []string, shutdown *program.Shutdown) error {
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
	stdout, status := c.OutOrStdout(), c.ErrOrStderr()
	var quietVerdict io.Writer
	if f.quiet {
		stdout, status, quietVerdict = io.Discard, io.Discard, status
	}
	switch {
	case f.shardCount > 0 && !c.Flags().Changed("out"):
		return fmt.Errorf("--shard: give the file of the shard with -o, such as -o shards/%d%s",
			f.shardIndex, shardExtension)
	case f.shardCount > 0:
		return f.sampleShard(stdout, status, s, shutdown)
	case f.status:
		return f.printStatus(stdout, s)
	case f.forget:
		return f.forgetPlan(stdout, s, shutdown)
	}
	return f.drawPlan(session{
		schedule: s, stdout: stdout, status: status, quietVerdict: quietVerdict, shutdown: shutdown,
		inputs: args,
	})
}

// drawPlan draws the samples of a plan that the folder lacks, writes the results and prints a
// summary of the gates.
func (f *runFlags) drawPlan(session session) error {
	s, status := session.schedule, session.status
	setHeap(s)
	session.dir, session.started, session.selection = f.dir, time.Now(), f.change.Selection
	session.fresh, session.workers = f.fresh, f.workers
	nodes, err := session.open()
	if err != nil {
		return err
	}
	defer nodes.Close()
	drawnProportion := sampling.PrintNodesState(status, s, nodes)
	sampling.PrintPlanDuration(status, s, nodes, f.workers, drawnProportion)
	if err := sampling.Record(session.shutdown, nodes, s, f.workers, status); err != nil {
		return err
	}
	return session.conclude(nodes, nodes, show.DescribeDrawnBefore(drawnProportion))
}

// setHeap sets the size of the heap for a schedule. Nodes with many columns, such as the nodes of
// softmax, need a larger heap; in a smaller one the garbage collector would run all the time.
func setHeap(s *schedule.Schedule) {
	const fewColumns = 32
	size := int64(program.SamplingHeap)
	for _, job := range s.Jobs {
		if len(job.Cell.Experiment.Sampler.Columns(*job.Cell)) > fewColumns {
			size = program.WideSamplingHeap
		}
	}
	program.SetHeap(size, len(s.Jobs))
}
