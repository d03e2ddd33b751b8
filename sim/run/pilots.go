package run

import (
	"context"
	"sync"
	"sync/atomic"

	"mcsim/sim/checkpoint"
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
				if err := pilot(ctx, &s.Works[i], into, opt); err != nil {
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
func pilot(ctx context.Context, w *schedule.Work, into *store.Store, opt Options) error {
	if !w.Cell.Piloted() {
		return nil
	}
	node, ok, err := into.Total(w.Cell.PilotKey(), 1)
	if err != nil {
		return err
	}
	if !ok {
		done := func() {}
		if node, ok = known(w, opt.Pilots); !ok {
			if node, ok, done = drawnPilot(ctx, w, into, opt); !ok {
				return ctx.Err()
			}
		}
		if err := into.Add(w.Cell.PilotKey(), moments.Place{}, node); err != nil {
			return err
		}
		done()
	}
	w.Cell.Learn(node)
	return nil
}

// known is the pilot of a cell that another run drew.
func known(w *schedule.Work, others Pilots) (moments.Node, bool) {
	if others == nil {
		return moments.Node{}, false
	}
	return others.Pilot(w.Cell.PilotKey())
}

// drawnPilot draws the pilot of a cell, for others too; false if the context ended first. done is to be called when it was
// added.
func drawnPilot(ctx context.Context, w *schedule.Work, into *store.Store, opt Options) (n moments.Node, ok bool, done func()) {
	done = func() {}
	if opt.Keep {
		n, ok, done = tracked(ctx, into, w.Cell.PilotKey(), moments.Place{}, func(track *checkpoint.Track, _ bool) (moments.Node, bool) {
			return w.Cell.DrawPilot(ctx, track)
		})
	} else {
		n, ok = w.Cell.DrawPilot(ctx, nil)
	}
	if ok && opt.Pilots != nil {
		opt.Pilots.Keep(w.Cell.PilotKey(), n)
	}
	return n, ok, done
}
