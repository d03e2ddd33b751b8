package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/progress"
	"mcsim/cmd/mcsim/record"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/document"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/result"
	"mcsim/sim/run"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
)

type runFlags struct {
	dir     string
	plan    string
	change  flag.Change
	attempt int
	workers int
	fresh   bool
	quiet   bool
}

func runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run [PLAN]",
		Short: "draw a plan, judge its gates and write DIR/results.json",
		Long: `Draw a plan and write DIR/results.json, DIR/estimates.csv and DIR/run.json. PLAN
is a YAML file, the name of a ready plan, or - for the standard input; without
it the default plan. With --only a part of it is drawn, whose rows and verdicts
are those of the whole plan; it takes the place of no other results. A whole
plan takes the place of those of another plan or seed in DIR, and says so. What
is drawn is recorded in DIR/nodes.bin a few times a second: a run that was
interrupted or killed goes on where it stopped, and a plan that changes only
draws what no plan drew there before. One folder takes one run at a time.`,
		Example: `  mcsim run
  mcsim run --only variance,exponents -o part
  mcsim run --set variance.d_k=64,128 --tolerance 5% -o coarse
  mcsim run my.yaml --alpha 1e-3 --beta 1e-3 --seed 8 -o other`,
		Args: flag.OneAtMost("plan"), ValidArgsFunction: completePlan,
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("plan") {
				if len(args) > 0 {
					return errors.New("give the plan once: as an argument or with --plan")
				}
				args = []string{f.plan}
			}
			return runPlan(c, args, f)
		},
	}
	c.Flags().StringVarP(&f.dir, "out", "o", folder.Usual, "folder `DIR` of the results")
	c.Flags().StringVar(&f.plan, "plan", "", "the `PLAN`, in place of the argument")
	f.change.Add(c)
	c.Flags().IntVar(&f.attempt, "attempt", 0, "after \"undecided\": 1, then 2, …: draw anew and twice as much, at half the error rates, so that all attempts together spend at most twice the declared ones")
	flag.AddWorkers(c.Flags(), &f.workers)
	c.Flags().BoolVar(&f.fresh, "fresh", false, "draw everything again: forget what DIR/nodes.bin has of the plan")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "say nothing but errors")
	flag.OfferFolders(c.Flags(), "out")
	flag.OfferBy(c, "plan", completePlan)
	return c
}

// heapLimit makes the garbage collector work harder beyond it, so that even
// ten thousand cells stay within 64 MiB; a run needs a fraction of it else. More cells
// have more to hold, and nodes of many columns, with their histograms, want more: those of
// softmax would be collected all the time. GOMEMLIMIT in the environment overrides it.
func heapLimit(s *schedule.Schedule) int64 {
	const fewColumns, more, fewCells, perCell = 32, 96 << 20, 10_000, 1 << 10
	usual := int64(40<<20 + perCell*max(len(s.Works)-fewCells, 0))
	for _, w := range s.Works {
		if len(w.Cell.Experiment.Columns(*w.Cell)) > fewColumns {
			return max(usual, more)
		}
	}
	return usual
}

// runPlan draws a plan, writes what it found and sums up its gates.
func runPlan(c *cobra.Command, args []string, f runFlags) error {
	s, err := f.schedule(c.InOrStdin(), args)
	if err != nil {
		return err
	}
	if err := f.admit(s); err != nil {
		return err
	}
	out, status := c.OutOrStdout(), c.ErrOrStderr()
	if f.quiet {
		out, status = io.Discard, io.Discard
	}
	if replaced := folder.Replaced(f.dir, s.Plan); replaced != "" {
		complain(status, errors.New(replaced))
	}
	begun := time.Now()
	nodes, err := open(s, f, status)
	if err != nil {
		return err
	}
	defer nodes.Close()
	before := 1 - s.Left(nodes)/s.Components()
	found(status, nodes, before)
	warn(status, s, nodes, f.workers)
	doc, controls, err := f.write(c.Context(), s, nodes, begun, status)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s in %v%s\n", names.Printable(filepath.Join(f.dir, folder.Results)), show.Counted(len(doc.Estimates), "estimate"),
		time.Since(begun).Round(10*time.Millisecond), show.DrawnBefore(before))
	show.Controls(out, controls)
	show.Summary(out, doc.Gates, doc.Budget)
	return verdictError(doc.Budget.Verdict)
}

// schedule works out the plan that the flags and arguments ask for.
func (f *runFlags) schedule(in io.Reader, args []string) (*schedule.Schedule, error) {
	p, err := loadPlan(args, in, &f.change)
	if err != nil {
		return nil, err
	}
	if f.attempt < 0 || f.attempt > plan.MaxAttempt {
		return nil, fmt.Errorf("--attempt: %d is not in 0..%d", f.attempt, plan.MaxAttempt)
	}
	if f.attempt > 0 {
		p.Attempt = f.attempt
	}
	s, err := schedule.New(p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Title(), err)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(heapLimit(s))
	}
	return s, nil
}

// admit refuses a folder that the results of the schedule may not, or cannot, stand in.
func (f *runFlags) admit(s *schedule.Schedule) error {
	if err := folder.Spares(f.dir, s.Plan); err != nil {
		return err
	}
	if !f.fresh {
		if err := newAttempt(f.dir, s); err != nil {
			return err
		}
	}
	return folder.Writable(f.dir)
}

// write draws what the nodes lack, and replaces the folder's files by those of the run. The
// controls are those of the schedule, which is half of what many cells hold and ends here.
func (f *runFlags) write(ctx context.Context, s *schedule.Schedule, nodes *store.Store, begun time.Time, status io.Writer) (*result.Document, []schedule.ControlLine, error) {
	if err := draw(ctx, s, nodes, f.workers, status); err != nil {
		return nil, nil, err
	}
	doc, err := document.Build(s, nodes)
	if err != nil {
		return nil, nil, err
	}
	controls := s.Controls()
	version, revision := buildVersion()
	info, err := record.Of(begun, f.workers, version, revision)
	if err != nil {
		return nil, nil, err
	}
	if err := folder.Write(f.dir, doc, info); err != nil {
		return nil, nil, err
	}
	return doc, controls, nodes.Compact()
}

// patience is how long a command may take without having said so.
const patience = 10 * time.Minute

// warn says how long drawing takes, where that is long.
func warn(status io.Writer, s *schedule.Schedule, nodes *store.Store, workers int) {
	if status == io.Discard {
		return
	}
	if lasts, long := s.Lasts(patience, nodes, workers); long {
		fmt.Fprintf(status, "mcsim: what is to be drawn takes %s on %s\n", show.Lasting(lasts), show.Counted(workers, "core"))
	}
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
func newAttempt(dir string, s *schedule.Schedule) error {
	file, err := os.Open(filepath.Join(dir, folder.Results))
	if err != nil {
		return nil // nobody has looked yet
	}
	defer file.Close()
	doc, err := result.Outline(file)
	if err != nil || doc.Seed != s.Plan.Seed {
		return nil
	}
	cell, ok := s.Extends(doc)
	if !ok {
		return nil
	}
	return fmt.Errorf("%s: a gate of %s did not pass there; more samples are a new attempt: give --attempt %d, or --fresh with another seed or folder",
		filepath.Join(dir, folder.Results), cell, attemptOf(doc)+1)
}

// open opens the file of what earlier runs drew, which nobody else has until it is closed.
func open(s *schedule.Schedule, f runFlags, status io.Writer) (*store.Store, error) {
	nodes, err := store.Open(filepath.Join(f.dir, folder.Nodes), run.Origin(s.Plan))
	if err != nil {
		return nil, err
	}
	if f.fresh {
		if _, err := nodes.Drop(nodes.Of(s.Keys())); err != nil {
			return nil, errors.Join(err, nodes.Close())
		}
	}
	return nodes, nil
}

// found says what is damaged in the file of nodes, and how much of a plan stands in it that was begun.
func found(status io.Writer, nodes *store.Store, before float64) {
	const percent = 100
	what := nodes.Found()
	switch {
	case what.Foreign:
		complain(status, fmt.Errorf("%s is no file of nodes of this version; it is replaced", nodes.Path()))
	case what.Damaged > 0:
		complain(status, fmt.Errorf("%s is damaged in %s (%s); what stood there is drawn again", nodes.Path(), show.Counted(what.Damaged, "place"), show.Counted(int(what.Lost), "byte")))
	}
	if what.Nodes > 0 && before > 0 && before < 1 {
		complain(status, fmt.Errorf("%s holds %s %% of what the plan draws; the run goes on from there", nodes.Path(), wholePercent(percent*before)))
	}
}

// wholePercent is a percentage above 0 and below 100, in whole ones.
func wholePercent(p float64) string {
	if p < 1 {
		return "less than 1"
	}
	return strconv.Itoa(int(p))
}

// drawInto draws what a store lacks of a schedule; status, if it is a terminal, shows
// how far it is.
func drawInto(ctx context.Context, nodes *store.Store, s *schedule.Schedule, opt run.Options, status io.Writer) error {
	bar := progress.New(status, s, nodes)
	defer bar.End()
	opt.Progress = bar.Add
	return run.Draw(ctx, s, nodes, opt)
}

// draw draws what a store lacks of a schedule and records it in the store's file on the way.
func draw(ctx context.Context, s *schedule.Schedule, nodes *store.Store, workers int, status io.Writer) error {
	kept.Store(nodes.Path())
	tidying.Store(true)
	defer tidying.Store(false)
	return cmp.Or(drawInto(ctx, nodes, s, run.Options{Workers: workers, Keep: true}, status), ctx.Err())
}
