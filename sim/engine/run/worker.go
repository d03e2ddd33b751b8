package run

import (
	"context"
	"time"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/experiment"
)

// worker samples tasks, one at a time.
type worker struct {
	plan     *plan.Plan
	tasks    *queue
	nodes    *store.Store
	progress func(components float64) // may be nil
	sampler  experiment.BlockSampler

	job      *schedule.Job // of the current task
	cell     store.CellID  // of its nodes
	maxLevel int           // log₂ of the number of blocks sampled before their node is handed over
}

// maxUnflushed limits how long a worker samples before it hands its node to the store; a single
// block may take longer.
const maxUnflushed = 200 * time.Millisecond

// run samples tasks until none is left or ctx ends.
func (w *worker) run(ctx context.Context) error {
	for t, ok := w.tasks.next(); ok; t, ok = w.tasks.next() {
		if w.job != t.job {
			w.job, w.cell, w.maxLevel = t.job, t.job.Cell.StoreID(), defaultLevel(t.job)
			w.sampler.Open(w.plan.Seed, uint64(w.plan.Attempt), *t.job.Cell)
		}
		finished, err := w.sample(ctx, t.blocks)
		if err != nil || !finished {
			return err
		}
	}
	return nil
}

// sample adds the node of a range to the store, half by half if the range would take too long. It
// returns false if ctx ended first.
func (w *worker) sample(ctx context.Context, blocks moments.BlockRange) (finished bool, err error) {
	if blocks.Level > w.maxLevel {
		first, second := blocks.Halves()
		if finished, err := w.sample(ctx, first); !finished || err != nil {
			return finished, err
		}
		return w.sample(ctx, second)
	}
	begun := time.Now()
	node, ok := w.sampler.Sample(ctx, blocks)
	if !ok {
		return false, nil
	}
	w.adaptLevel(blocks.Level, time.Since(begun))
	if err := w.nodes.Add(w.cell, blocks, node); err != nil {
		return false, err
	}
	if w.progress != nil {
		w.progress(w.job.Cost(blocks.Blocks()))
	}
	return true, nil
}

// adaptLevel sets maxLevel from the time that a range of the given level took.
func (w *worker) adaptLevel(level int, took time.Duration) {
	switch {
	case took > maxUnflushed/2 && level > 0:
		w.maxLevel = level - 1
	case took < maxUnflushed/8 && level == w.maxLevel:
		w.maxLevel++
	}
}
