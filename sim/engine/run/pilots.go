package run

import (
	"context"

	"golang.org/x/sync/errgroup"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/schedule"
)

// samplePilots adds the missing pilots of the schedule's cells to the store and gives every cell
// its own.
func samplePilots(ctx context.Context, s *schedule.Schedule, nodes *store.Store, workers int) error {
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for i := range s.Jobs {
		job := &s.Jobs[i]
		if job.Cell.HasPilot() {
			group.Go(func() error { return samplePilot(groupCtx, job, nodes) })
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// samplePilot samples the pilot of one cell if the store does not have it.
func samplePilot(ctx context.Context, job *schedule.Job, nodes *store.Store) error {
	node, ok, err := nodes.Total(job.Cell.PilotStoreID(), 1)
	if err != nil {
		return err
	}
	if !ok {
		if node, ok = job.Cell.SamplePilot(ctx); !ok {
			return ctx.Err()
		}
		if err := nodes.Add(job.Cell.PilotStoreID(), moments.BlockRange{}, node); err != nil {
			return err
		}
	}
	job.Cell.SetPilot(node)
	return nil
}
