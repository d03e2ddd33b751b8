package measure

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/result"
)

type runFlags struct {
	dir     string
	change  changeFlags
	attempt int
	workers int
	fresh   bool
	status  bool
	forget  bool
	quiet   bool
	shard   int  // of so many
	of      int  // 0: all is drawn
	shards  bool // that were drawn before are merged
}

func runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run [PLAN]",
		Short: "draw a plan, judge its gates and write DIR/results.json",
		Long: `Draw a plan and write results.json, estimates.csv and run.json into the folder
that -o names. Large results are packed: results.json.gz, estimates.csv.gz. PLAN
is a YAML file, the name of a ready plan, or - for the standard input; the
default is the plan "default".

A run saves its progress in DIR/nodes.bin. If it is interrupted, the same
command goes on from there. If you change the plan, only what is new is drawn. A
folder takes one run at a time. --only draws a part of the plan, with the rows
and verdicts of the whole; it does not replace other results.

--status says how much of the plan nodes.bin holds; exit code 1 means that the
file is damaged, and the next run draws again what is lost. --forget removes the
plan's part, or that of --only, and what another version drew. To forget
everything, remove the file.`,
		Example: `  mcsim run
  mcsim run quick -o quick
  mcsim run --only variance,exponents -o part
  mcsim run --set variance.d_k=64,128 --tolerance 5% -o coarse
  mcsim run my.yaml --status
  mcsim run my.yaml --alpha 1e-3 --beta 1e-3 --seed 8 -o other
  mcsim run my.yaml --shard 3/200 -o shards/3.shard`,
		Args: flag.Takes(0, 1, "one plan"), ValidArgsFunction: completePlan,
		PreRunE: func(c *cobra.Command, _ []string) error { return flag.Exclusive(c, "fresh", "forget", "status") },
		RunE:    func(c *cobra.Command, args []string) error { return runPlan(c, args, f) },
	}
	c.Flags().StringVarP(&f.dir, "out", "o", folder.Usual, flag.Out+": folder `DIR` of the results; with --shard the file of the shard")
	f.change.add(c)
	c.Flags().Var(flag.Whole(&f.attempt, 0, plan.MaxAttempt), "attempt", "after \"undecided\": 1, then 2, …: draw anew and twice as much, at half the error rates, so that all attempts together spend at most twice the declared ones")
	flag.AddWorkers(c.Flags(), &f.workers)
	c.Flags().BoolVar(&f.fresh, "fresh", false, "draw everything again: forget what DIR/nodes.bin has of the plan")
	c.Flags().BoolVar(&f.status, "status", false, "say what DIR/nodes.bin holds, and draw nothing")
	c.Flags().BoolVar(&f.forget, "forget", false, "forget what DIR/nodes.bin has of the plan, and draw nothing")
	c.Flags().Var(flag.Read(f.readShard), "shard", "draw the `i/N`-th of N parts alone, i from 0 to N−1, into the file that -o names; mcsim merge makes the results of all")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, flag.Quiet)
	return c
}

// heapLimit is where the garbage collector works harder, so that even ten thousand cells stay near 64 MiB.
// Nodes of many columns, with their histograms, want more: those of softmax would be collected all the time.
func heapLimit(s *schedule.Schedule) int64 {
	const fewColumns = 32
	for _, w := range s.Works {
		if len(w.Cell.Experiment.Sampler.Columns(*w.Cell)) > fewColumns {
			return folder.UsualHeap
		}
	}
	return 40 << 20
}

// runPlan draws a plan, writes what it found and sums up its gates.
func runPlan(c *cobra.Command, args []string, f runFlags) error {
	p, err := f.load(c.InOrStdin(), args)
	if err != nil {
		return err
	}
	out, status := c.OutOrStdout(), c.ErrOrStderr()
	if f.quiet {
		out, status = io.Discard, io.Discard
	}
	if f.of > 0 {
		if err := cmp.Or(flag.Exclusive(c, "shard", "status"), flag.Exclusive(c, "shard", "forget")); err != nil {
			return err
		}
		if !c.Flags().Changed("out") {
			return fmt.Errorf("--shard: give the file of the shard with -o, such as -o shards/%d%s", f.shard, extension)
		}
		return f.drawShard(c.Context(), out, status, p)
	}
	s, err := schedule.New(p)
	if err != nil {
		return fmt.Errorf("%s: %w", p.Title(), err)
	}
	switch {
	case f.status:
		return f.printStatus(out, s)
	case f.forget:
		return f.forgetPlan(out, s)
	}
	folder.LimitHeap(heapLimit(s), len(s.Works))
	if err := f.admit(s); err != nil {
		return err
	}
	if replaced := folder.Replaced(f.dir, s.Plan); replaced != "" {
		folder.Say(status, "%s", replaced)
	}
	begun := time.Now()
	nodes, err := folder.OpenNodes(f.dir, s, f.fresh)
	if err != nil {
		return err
	}
	defer nodes.Close()
	before := folder.Found(status, s, nodes)
	folder.WarnOfPlan(status, s, nodes, f.workers, before)
	if err := folder.Draw(c.Context(), nodes, s, f.workers, status); err != nil {
		return err
	}
	return conclude(out, s, nodes, conclusion{dir: f.dir, workers: f.workers, begun: begun, how: show.DrawnBefore(before)})
}

// load reads the plan that the flags and arguments ask for.
func (f *runFlags) load(in io.Reader, args []string) (*plan.Plan, error) {
	p, err := loadPlan(args, in, &f.change)
	if err != nil {
		return nil, err
	}
	if f.attempt > 0 {
		p.Attempt = f.attempt
	}
	return p, nil
}

// admit refuses a folder that the results of the schedule may not, or cannot, stand in.
func (f *runFlags) admit(s *schedule.Schedule) error {
	if err := folder.Spares(f.dir, s.Plan, f.change.Only); err != nil {
		return err
	}
	if !f.fresh {
		if err := f.newAttempt(s); err != nil {
			return err
		}
	}
	return folder.Writable(f.dir)
}

// attemptOf is which attempt a document is of.
func attemptOf(doc *result.Document) int {
	var plan struct{ Attempt int }
	_ = json.Unmarshal(doc.Plan, &plan) // Extends has read it
	return plan.Attempt
}

// newAttempt refuses to draw more, under the same attempt, for a gate that did
// not pass in the folder's results: to look, and to go on until it passes, would
// spend the error rates again each time.
func (f *runFlags) newAttempt(s *schedule.Schedule) error {
	doc := folder.Outline(f.dir)
	if doc == nil || doc.Seed != s.Plan.Seed {
		return nil // nobody has looked yet
	}
	cell, ok := s.Extends(doc)
	if !ok {
		return nil
	}
	advice := fmt.Sprintf("give --attempt %d, or --fresh with another seed or folder", attemptOf(doc)+1)
	if f.shards {
		advice = fmt.Sprintf("draw shards with --attempt %d, or merge these into another folder", attemptOf(doc)+1)
	}
	return fmt.Errorf("%s: a gate of %s did not pass there; more samples are a new attempt: %s", folder.Of(f.dir, folder.Results), cell, advice)
}
