package measure

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/names"
)

// recorded reads the file of nodes of the folder, which must be there.
func (f *runFlags) recorded(s *schedule.Schedule) (*store.Store, error) {
	path := filepath.Join(f.dir, folder.Nodes)
	nodes, err := store.Read(path, run.Origin(s.Plan))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: does not exist; `mcsim run` records there what it draws", path)
	case err != nil:
		return nil, err
	case nodes.Found().Foreign:
		return nil, errors.Join(fmt.Errorf("%s is no file of nodes of this version", path), nodes.Close())
	}
	return nodes, nil
}

// printStatus prints how much of a plan is drawn, and what else the folder's file of nodes has: a
// line for each experiment, seed and attempt. A file that is damaged is a failure.
func (f *runFlags) printStatus(out io.Writer, s *schedule.Schedule) error {
	nodes, err := f.recorded(s)
	if err != nil {
		return err
	}
	defer nodes.Close()
	drawn := 1 - s.Left(nodes)/s.Components()
	fmt.Fprintf(out, "%s holds %s of what %s draws, and in all:\n\n", names.Printable(nodes.Path()), show.Portion(drawn), names.Printable(s.Plan.Title()))
	show.Table(out, "experiment\tseed\tattempt\tcells\tnodes\tkB", nodes.Groups(), func(g store.Group) string {
		old := ""
		if g.Old {
			old = "old"
		}
		return fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%d\t%s", names.Printable(g.Experiment), g.Seed, g.Attempt, g.Cells, g.Nodes, kilo(g.Bytes), old)
	})
	if lost := nodes.Found().Lost; lost > 0 {
		fmt.Fprintf(out, "\ndamaged: %s lost; what stood there is drawn again\n", show.Counted(int(lost), "byte"))
		return show.Exit(show.Failed)
	}
	return nil
}

// forgetPlan removes what the folder's file of nodes has of a plan, and what another version
// drew, for which this one has no use.
func (f *runFlags) forgetPlan(out io.Writer, s *schedule.Schedule) error {
	there, err := f.recorded(s) // since another file of that name is not to be replaced
	if err != nil {
		return err
	}
	there.Close()
	nodes, err := folder.OpenNodes(f.dir, s, false)
	if err != nil {
		return err
	}
	defer nodes.Close()
	of, origin, removed := nodes.Of(s.Keys()), run.Origin(s.Plan), 0
	bytes, err := nodes.Drop(func(k store.Key) bool {
		drop := of(k) || origin.Old(k)
		if drop && !k.IsPilot() {
			removed++
		}
		return drop
	})
	if err == nil {
		fmt.Fprintf(out, "%s: %s removed, %d kB less\n", names.Printable(nodes.Path()), show.Counted(removed, "cell"), kilo(bytes))
	}
	return err
}

// kilo is so many bytes in thousands, rounded up.
func kilo(bytes int64) int64 { return (bytes + 999) / 1000 }
