package measure

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/cmd/mcsim/sampling"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/names"
)

// readNodes reads the file of nodes of the folder, which must exist.
func (f *runFlags) readNodes(s *schedule.Schedule) (*store.Store, error) {
	path := filepath.Join(f.dir, results.NodesFile)
	nodes, err := store.Read(path, run.Origin(s.Plan))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: does not exist; `mcsim run` records there what it draws", path)
	}
	if err != nil {
		return nil, err
	}
	if nodes.Found().Foreign {
		return nil, errors.Join(fmt.Errorf("%s is not a file of nodes of this version", path), nodes.Close())
	}
	return nodes, nil
}

// printStatus prints how much of a plan is drawn, and a line for each experiment, seed and attempt
// in the folder's file of nodes. A damaged file is a failure.
func (f *runFlags) printStatus(out io.Writer, s *schedule.Schedule) error {
	nodes, err := f.readNodes(s)
	if err != nil {
		return err
	}
	defer nodes.Close()
	drawn := show.Portion(1 - s.RemainingCost(nodes)/s.Components())
	fmt.Fprintf(out, "%s holds %s of what %s draws, and in all:\n\n",
		names.Printable(nodes.Path()), drawn, names.Printable(s.Plan.Title()))
	show.Nodes(out, nodes.Groups())
	if lost := nodes.Found().Lost; lost > 0 {
		fmt.Fprintf(out, "\ndamaged: %s lost; what stood there is drawn again\n", show.Counted(int(lost), "byte"))
		return program.Exit(program.Failed)
	}
	return nil
}

// forgetPlan removes from the folder's file of nodes what belongs to a plan, and what another
// version drew and this one cannot use.
func (f *runFlags) forgetPlan(out io.Writer, s *schedule.Schedule, stop *program.Shutdown) error {
	existing, err := f.readNodes(s) // since OpenNodes replaces a foreign file
	if err != nil {
		return err
	}
	existing.Close()
	nodes, err := sampling.OpenNodes(f.dir, s, stop, false)
	if err != nil {
		return err
	}
	defer nodes.Close()
	isOfPlan, origin, cells, bytes := nodes.CellSelector(s.StoreCells()), run.Origin(s.Plan), 0, int64(0)
	err = stop.Replace(func() (err error) {
		bytes, err = nodes.Drop(func(k store.ID) bool {
			isDropped := isOfPlan(k) || origin.IsOutdated(k)
			if isDropped && !k.IsPilot() {
				cells++
			}
			return isDropped
		})
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s removed, %d kB less\n",
		names.Printable(nodes.Path()), show.Counted(cells, "cell"), show.Kilobytes(bytes))
	return nil
}
