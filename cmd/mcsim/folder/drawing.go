package folder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync/atomic"

	"mcsim/cmd/mcsim/show"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/names"
)

// Tidying is set while a command ends by itself when the context does, since it has to
// save what it drew, or to end other programs.
var Tidying atomic.Bool

// recorded is the path of the file that what is drawn is recorded in.
var recorded atomic.Value

// Recorded is the path of the file that what is drawn is recorded in; empty where there is none.
func Recorded() string {
	path, _ := recorded.Load().(string)
	return path
}

// Say says something in one line.
func Say(status io.Writer, format string, args ...any) {
	fmt.Fprintf(status, "mcsim: %s\n", names.Printable(fmt.Sprintf(format, args...)))
}

// OpenNodes opens the file of nodes of a folder, which nobody else has until it is closed. Fresh forgets what it
// has of the schedule.
func OpenNodes(dir string, s *schedule.Schedule, fresh bool) (*store.Store, error) {
	sweep(dir)
	nodes, err := store.Open(filepath.Join(dir, Nodes), run.Origin(s.Plan))
	if err != nil {
		return nil, err
	}
	if fresh {
		if _, err := nodes.Drop(nodes.Of(s.Keys())); err != nil {
			return nil, errors.Join(err, nodes.Close())
		}
	}
	return nodes, nil
}

// Found says what is damaged in a file of nodes, and how much of a schedule stands in it that was begun. It
// returns how much is drawn, of 1.
func Found(status io.Writer, s *schedule.Schedule, nodes *store.Store) (before float64) {
	before = 1 - s.Left(nodes)/s.Components()
	Damage(status, nodes)
	if nodes.Found().Nodes > 0 && before > 0 && before < 1 {
		Say(status, "%s holds %s of what is to be drawn; the run goes on from there", nodes.Path(), show.Portion(before))
	}
	return before
}

// Damage says what is damaged in a file of nodes.
func Damage(status io.Writer, nodes *store.Store) {
	what := nodes.Found()
	switch {
	case what.Foreign:
		Say(status, "%s is no file of nodes of this version; it is replaced", nodes.Path())
	case what.Lost > 0:
		Say(status, "%s is damaged (%s lost); what stood there is drawn again", nodes.Path(), show.Counted(int(what.Lost), "byte"))
	}
}

// Into draws what a store lacks of a schedule; status, if it is a terminal, shows
// how far it is.
func Into(ctx context.Context, nodes *store.Store, s *schedule.Schedule, opt run.Options, status io.Writer) error {
	bar := newBar(status, s, nodes)
	defer bar.End()
	opt.Progress = bar.Add
	return run.Draw(ctx, s, nodes, opt)
}

// Draw draws what a store lacks of a schedule and records it in the store's file on the way.
func Draw(ctx context.Context, nodes *store.Store, s *schedule.Schedule, workers int, status io.Writer) error {
	recorded.Store(nodes.Path())
	Tidying.Store(true)
	defer Tidying.Store(false)
	return cmp.Or(Into(ctx, nodes, s, run.Options{Workers: workers, Keep: true}, status), ctx.Err())
}
