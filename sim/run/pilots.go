package run

import (
	"context"
	"sync"
	"sync/atomic"

	"mcsim/sim/moments"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
)

// pilots adds to the store the pilots that it lacks, and lets every cell learn from its
// own.
func pilots(ctx context.Context, s *schedule.Schedule, into *store.Store, opt Options) error {
	var next atomic.Int64
	var group sync.WaitGroup
	errs := make(chan error, opt.Workers)
	for range opt.Workers {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(s.Works)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				if err := pilot(ctx, &s.Works[i], into, opt.Pilots); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	group.Wait()
	close(errs)
	for err := range errs {
		return err
	}
	return ctx.Err()
}

// pilot draws the pilot of one cell, if it has one that the store lacks.
func pilot(ctx context.Context, w *schedule.Work, into *store.Store, others Pilots) error {
	if !w.Cell.Piloted() {
		return nil
	}
	node, ok, err := into.Total(w.Cell.PilotKey(), 1)
	if err != nil {
		return err
	}
	if !ok {
		if node, ok = drawnPilot(ctx, w, others); !ok {
			return ctx.Err()
		}
		if err := into.Add(w.Cell.PilotKey(), moments.Place{}, node); err != nil {
			return err
		}
	}
	w.Cell.Learn(node)
	return nil
}

// drawnPilot is the pilot of a cell that others drew, or draws it for them too; false if the context ended first.
func drawnPilot(ctx context.Context, w *schedule.Work, others Pilots) (moments.Node, bool) {
	if others == nil {
		return w.Cell.DrawPilot(ctx)
	}
	key := w.Cell.PilotKey()
	node, ok := others.Pilot(key)
	if !ok {
		if node, ok = w.Cell.DrawPilot(ctx); ok {
			others.Keep(key, node)
		}
	}
	return node, ok
}
