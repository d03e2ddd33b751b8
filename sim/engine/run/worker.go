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

// worker draws tasks, one at a time.
type worker struct {
	plan     *plan.Plan
	tasks    *queue
	into     *store.Store
	progress func(float64) // may be nil
	drawer   experiment.Drawer
	of       *schedule.Work // whose task it draws
	key      store.Cell     // of its nodes
	level    int            // of the longest places that it draws before it hands their node over
}

// longest is how long a worker may draw what it has not handed over, unless a single block takes longer.
const longest = 200 * time.Millisecond

// work draws tasks until there are none.
func (w *worker) work(ctx context.Context) error {
	for t, ok := w.tasks.next(); ok; t, ok = w.tasks.next() {
		if w.of != t.work {
			w.of, w.key, w.level = t.work, t.work.Cell.Key(), usualLevel(t.work)
			w.drawer.Open(w.plan.Seed, uint64(w.plan.Attempt), *t.work.Cell)
		}
		if ok, err := w.draw(ctx, t.place); !ok || err != nil {
			return err
		}
	}
	return nil
}

// draw draws a place, in parts where it would take too long; false if the context ended first.
func (w *worker) draw(ctx context.Context, at moments.Place) (bool, error) {
	if at.Level > w.level {
		first, second := at.Halves()
		if ok, err := w.draw(ctx, first); !ok || err != nil {
			return ok, err
		}
		return w.draw(ctx, second)
	}
	begun := time.Now()
	node, ok := w.drawer.Draw(ctx, at)
	if !ok {
		return false, nil
	}
	w.pace(at.Level, time.Since(begun))
	if err := w.into.Add(w.key, at, node); err != nil {
		return false, err
	}
	if w.progress != nil {
		w.progress(w.of.Cost(at.Blocks()))
	}
	return true, nil
}

// pace learns from how long a place took how long places may be.
func (w *worker) pace(level int, took time.Duration) {
	switch {
	case took > longest/2 && level > 0:
		w.level = level - 1
	case took < longest/8 && level == w.level:
		w.level++
	}
}
