package run

import (
	"cmp"
	"context"

	"golang.org/x/sync/errgroup"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/schedule"
)

// pilots adds to the store the pilots that it lacks, and lets every cell learn from its
// own.
func pilots(ctx context.Context, s *schedule.Schedule, into *store.Store, workers int) error {
	group, drawing := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for i := range s.Works {
		if w := &s.Works[i]; w.Cell.Piloted() {
			group.Go(func() error { return pilot(drawing, w, into) })
		}
	}
	return cmp.Or(group.Wait(), ctx.Err())
}

// pilot draws the pilot of one cell if the store lacks it.
func pilot(ctx context.Context, w *schedule.Work, into *store.Store) error {
	node, ok, err := into.Total(w.Cell.PilotKey(), 1)
	if err != nil {
		return err
	}
	if !ok {
		if node, ok = w.Cell.DrawPilot(ctx); !ok {
			return ctx.Err()
		}
		if err := into.Add(w.Cell.PilotKey(), moments.Place{}, node); err != nil {
			return err
		}
	}
	w.Cell.Learn(node)
	return nil
}
