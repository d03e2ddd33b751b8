// Package sampling draws the samples of a schedule for the commands that need them: it opens the
// file of nodes that a run records, says how long sampling takes, and shows the progress.
package sampling

import (
	"context"
	"errors"
	"io"
	"path/filepath"

	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
)

// OpenNodes opens the file of nodes of a folder, which locks it until it is closed. If fresh is
// true, it drops the nodes of the schedule.
func OpenNodes(dir string, s *schedule.Schedule, stop *program.Shutdown, fresh bool) (*store.Store, error) {
	results.Sweep(dir)
	nodes, err := store.Open(filepath.Join(dir, results.NodesFile), run.Origin(s.Plan))
	if err != nil || !fresh {
		return nodes, err
	}
	err = stop.Finish(func() error {
		_, err := nodes.Drop(nodes.CellSelector(s.StoreCells()))
		return err
	})
	if err != nil {
		return nil, errors.Join(err, nodes.Close())
	}
	return nodes, nil
}

// PrintFound says what is damaged in a file of nodes and, if it holds a part of a schedule, how
// large that is. It returns the part as a proportion.
func PrintFound(status io.Writer, s *schedule.Schedule, nodes *store.Store) (drawnBefore float64) {
	drawnBefore = 1 - s.RemainingCost(nodes)/s.Components()
	PrintDamage(status, nodes)
	if nodes.Found().Nodes > 0 && drawnBefore > 0 && drawnBefore < 1 {
		program.Printf(status, "%s holds %s of what is to be drawn; the run goes on from there",
			nodes.Path(), show.Portion(drawnBefore))
	}
	return drawnBefore
}

// PrintDamage says what is damaged in a file of nodes.
func PrintDamage(status io.Writer, nodes *store.Store) {
	found := nodes.Found()
	switch {
	case found.Foreign:
		program.Printf(status, "%s is not a file of nodes of this version; it is replaced", nodes.Path())
	case found.Lost > 0:
		program.Printf(status, "%s is damaged (%s lost); what stood there is drawn again",
			nodes.Path(), show.Counted(int(found.Lost), "byte"))
	}
}

// Draw samples what a store lacks of a schedule. If status is a terminal, it shows the progress.
func Draw(ctx context.Context, nodes *store.Store, s *schedule.Schedule, o run.Options, status io.Writer) error {
	bar := newBar(status, s, nodes)
	defer bar.End()
	o.Progress = bar.Add
	return run.Sample(ctx, s, nodes, o)
}

// Record samples what a store lacks of a schedule and saves the progress in the store's file.
func Record(stop *program.Shutdown, nodes *store.Store, s *schedule.Schedule, workers int, status io.Writer) error {
	return stop.Record(nodes.Path(), func(ctx context.Context) error {
		return Draw(ctx, nodes, s, run.Options{Workers: workers, Keep: true}, status)
	})
}
