package run

import (
	"context"
	"sync/atomic"

	"mcsim/sim/moments"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
)

// pilots adds to the store the pilots that it lacks, and lets every cell learn from its
// own.
func pilots(ctx context.Context, s *schedule.Schedule, into *store.Store, workers int) error {
	var next atomic.Int64
	return together(ctx, workers, func() error {
		for i := next.Add(1) - 1; i < int64(len(s.Works)) && ctx.Err() == nil; i = next.Add(1) - 1 {
			if err := pilot(ctx, &s.Works[i], into); err != nil {
				return err
			}
		}
		return nil
	})
}

// pilot draws the pilot of one cell, if it has one that the store lacks.
func pilot(ctx context.Context, w *schedule.Work, into *store.Store) error {
	if !w.Cell.Piloted() {
		return nil
	}
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
