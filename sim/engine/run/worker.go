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

	job      *schedule.Job // job of the current task
	cell     store.CellID  // store ID of the job's cell
	maxLevel int           // log₂ of the largest number of blocks that are merged to one node
}

// maxUnflushed limits the time that a worker samples before it adds a node to the store. A single
// block may take longer.
const maxUnflushed = 200 * time.Millisecond

// run samples tasks of the queue until no task is left or ctx ends.
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

// sample samples a range of blocks and adds their node to the store. If the range would take too
// long, it adds a node for each half. finished is false if ctx ended first.
func (w *worker) sample(ctx context.Context, blocks moments.BlockRange) (finished bool, err error) {
	if blocks.Level > w.maxLevel {
		first, second := blocks.Halves()
		if finished, err := w.sample(ctx, first); !finished || err != nil {
			return finished, err
		}
		return w.sample(ctx, second)
	}
	start := time.Now()
	node, isComplete := w.sampler.Sample(ctx, blocks)
	if !isComplete {
		return false, nil
	}
	w.adaptLevel(blocks.Level, time.Since(start))
	if err := w.nodes.Add(w.cell, blocks, node); err != nil {
		return false, err
	}
	if w.progress != nil {
		w.progress(w.job.Cost(blocks.Blocks()))
	}
	return true, nil
}

// adaptLevel changes maxLevel if a range of the given level took too long or only a short time.
func (w *worker) adaptLevel(level int, duration time.Duration) {
	isTooLong := duration > maxUnflushed/2
	isShort := duration < maxUnflushed/8
	switch {
	case isTooLong && level > 0:
		w.maxLevel = level - 1
	case isShort && level == w.maxLevel:
		w.maxLevel++
	}
}
