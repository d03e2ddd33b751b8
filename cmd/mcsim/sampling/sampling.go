// Package sampling draws the samples of a schedule for the commands that need them. It opens the
// file in which a run saves its nodes, prints how long sampling takes, and shows the progress.
package sampling

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"time"

	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
)

// OpenNodes opens and locks the file of nodes of a folder; the caller must close the store. If
// fresh is true, it drops the nodes of the schedule.
func OpenNodes(dir string, s *schedule.Schedule, shutdown *program.Shutdown, fresh bool) (*store.Store, error) {
	results.Sweep(dir)
	nodes, err := store.Open(filepath.Join(dir, results.NodesFile), run.Origin(s.Plan))
	if err != nil || !fresh {
		return nodes, err
	}
	err = shutdown.Finish(func() error {
		_, err := nodes.Drop(nodes.CellSelector(s.StoreCells()))
		return err
	})
	if err != nil {
		return nil, errors.Join(err, nodes.Close())
	}
	return nodes, nil
}

// PrintNodesState prints whether a file of nodes is damaged and which proportion of the schedule's
// samples it contains. It returns this proportion, weighted by the samples' cost.
func PrintNodesState(status io.Writer, s *schedule.Schedule, nodes *store.Store) (drawnProportion float64) {
	drawnProportion = 1 - s.RemainingCost(nodes)/s.Components()
	PrintDamage(status, nodes)
	if nodes.Found().Nodes > 0 && drawnProportion > 0 && drawnProportion < 1 {
		program.Printf(status, "%s holds %s of the samples; the run continues from there",
			nodes.Path(), show.FormatProportion(drawnProportion))
	}
	return drawnProportion
}

// PrintDamage prints a note if a file of nodes is damaged or is of another version.
func PrintDamage(status io.Writer, nodes *store.Store) {
	found := nodes.Found()
	switch {
	case found.Foreign:
		program.Printf(status, "%s is not a file of nodes of this version; it is replaced", nodes.Path())
	case found.Lost > 0:
		program.Printf(status, "%s is damaged (%s lost); the lost samples are drawn again",
			nodes.Path(), show.FormatCount(int(found.Lost), "byte"))
	}
}

// Draw draws the samples of a schedule that a store lacks. If status is a terminal, it shows the
// progress.
func Draw(ctx context.Context, nodes *store.Store, s *schedule.Schedule, options run.Options, status io.Writer) error {
	bar := newScheduleBar(status, s, nodes)
	defer bar.End()
	options.Progress = bar.Add
	return run.Sample(ctx, s, nodes, options)
}

// Record draws the samples of a schedule that a store lacks. If the user interrupts it, it saves
// the samples drawn so far in the store's file.
func Record(shutdown *program.Shutdown, nodes *store.Store, s *schedule.Schedule, workers int, status io.Writer) error {
	return shutdown.Record(nodes.Path(), func(ctx context.Context) error {
		return Draw(ctx, nodes, s, run.Options{Workers: workers, Keep: true}, status)
	})
}

// newScheduleBar returns a bar for the components of a schedule. Components in the nodes count as
// done.
func newScheduleBar(w io.Writer, s *schedule.Schedule, nodes *store.Store) *show.Bar {
	start := s.Components() - s.RemainingCost(nodes)
	return show.NewBar(w, start, s.Components(), func(done float64, elapsed time.Duration) string {
		return digits.TwoDigits((done-start)/elapsed.Seconds()) + " components/s"
	})
}
