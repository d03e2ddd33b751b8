package run

import (
	"context"

	"golang.org/x/sync/errgroup"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/schedule"
)

// samplePilots samples the pilots of the schedule's cells that the store lacks, adds them to the
// store, and sets the pilot of every cell.
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

// samplePilot sets the pilot of one cell. If the store does not have the pilot, it samples it and
// adds it to the store.
func samplePilot(ctx context.Context, job *schedule.Job, nodes *store.Store) error {
	node, isStored, err := nodes.Total(job.Cell.PilotStoreID(), 1)
	if err != nil {
		return err
	}
	if !isStored || job.Cell.CheckPilot(node) != nil {
		var isComplete bool
		node, isComplete = job.Cell.SamplePilot(ctx)
		if !isComplete {
			return ctx.Err()
		}
		if err := nodes.Add(job.Cell.PilotStoreID(), moments.BlockRange{}, node); err != nil {
			return err
		}
	}
	job.Cell.SetPilot(node)
	return nil
}
