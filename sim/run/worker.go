package run

import (
	"context"
	"time"

	"mcsim/sim/checkpoint"
	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/plan"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
)

// worker draws tasks, one at a time.
type worker struct {
	plan   *plan.Plan
	tasks  *queue
	into   *store.Store
	opt    Options
	drawer experiment.Drawer
	of     *schedule.Work // whose task it draws
	key    store.Cell     // of its nodes
	level  int            // of the longest places that it draws before it hands their node over
}

// longest is how long a worker may draw what it has not handed over, unless a single block takes longer.
const longest = 200 * time.Millisecond

// work draws tasks until there are none.
func (w *worker) work(ctx context.Context) error {
	for t, ok := w.tasks.next(); ok; t, ok = w.tasks.next() {
		if w.of != t.work {
			w.of, w.key, w.level = t.work, t.work.Cell.Key(), usualLevel(t.work)
			w.open()
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
	node, ok, done := w.drawn(ctx, at)
	if !ok {
		return false, nil
	}
	w.pace(at.Level, time.Since(begun))
	if err := w.into.Add(w.key, at, node); err != nil {
		return false, err
	}
	done()
	if w.opt.Progress != nil {
		w.opt.Progress(w.of.Cost(at.Blocks()))
	}
	return true, nil
}

// drawn draws a place. done is to be called when its node was added.
func (w *worker) drawn(ctx context.Context, at moments.Place) (n moments.Node, ok bool, done func()) {
	if at.Level > 0 || !w.opt.Keep {
		w.drawer.Track = nil
		n, ok = w.drawer.Draw(ctx, at)
		return n, ok, func() {}
	}
	return tracked(ctx, w.into, w.key, at, func(track *checkpoint.Track, again bool) (moments.Node, bool) {
		if again {
			w.drawer = experiment.Drawer{}
			w.open()
		}
		w.drawer.Track = track
		return w.drawer.Draw(ctx, at)
	})
}

// open prepares to draw blocks of the work's cell.
func (w *worker) open() { w.drawer.Open(w.plan.Seed, uint64(w.plan.Attempt), *w.of.Cell) }

// pace learns from how long a place took how long places may be.
func (w *worker) pace(level int, took time.Duration) {
	switch {
	case took > longest/2 && level > 0:
		w.level = level - 1
	case took < longest/8 && level == w.level:
		w.level++
	}
}
