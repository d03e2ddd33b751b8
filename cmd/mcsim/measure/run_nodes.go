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
	"mcsim/cmd/mcsim/view"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/names"
)

// readNodes reads the folder's file of nodes, which must exist.
func (f *runFlags) readNodes(s *schedule.Schedule) (*store.Store, error) {
	path := filepath.Join(f.dir, results.NodesFile)
	nodes, err := store.Read(path, run.Origin(s.Plan))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: does not exist; `mcsim run` makes it", path)
	}
	if err != nil {
		return nil, err
	}
	if nodes.Found().Foreign {
		return nil, errors.Join(fmt.Errorf("%s is not a file of nodes of this version", path), nodes.Close())
	}
	return nodes, nil
}

// printStatus prints the proportion of the plan's samples that are drawn, and a line for each
// experiment, seed and attempt in the folder's file of nodes. If the file is damaged, it returns an
// error with exit code 1.
func (f *runFlags) printStatus(w io.Writer, s *schedule.Schedule) error {
	nodes, err := f.readNodes(s)
	if err != nil {
		return err
	}
	defer nodes.Close()
	drawn := show.FormatProportion(1 - s.RemainingCost(nodes)/s.Components())
	fmt.Fprintf(w, "%s holds %s of the samples of %s. It contains:\n\n",
		names.Printable(nodes.Path()), drawn, names.Printable(s.Plan.Title()))
	view.Nodes(w, nodes.Groups())
	if lost := nodes.Found().Lost; lost > 0 {
		fmt.Fprintf(w, "\ndamaged: %s lost; the lost samples are drawn again\n", show.FormatCount(int(lost), "byte"))
		return program.Exit(program.Failed)
	}
	return nil
}

// forgetPlan removes the nodes of the plan from the folder's file. It also removes the nodes of
// other versions, since this version cannot use them.
func (f *runFlags) forgetPlan(w io.Writer, s *schedule.Schedule, shutdown *program.Shutdown) error {
	existing, err := f.readNodes(s) // fails for a file that is not of this version; OpenNodes would replace it
	if err != nil {
		return err
	}
	existing.Close()
	nodes, err := sampling.OpenNodes(f.dir, s, shutdown, false)
	if err != nil {
		return err
	}
	defer nodes.Close()
	belongsToPlan, origin := nodes.CellSelector(s.StoreCells()), run.Origin(s.Plan)
	cells, bytes := 0, int64(0)
	err = shutdown.Replace(func() (err error) {
		bytes, err = nodes.Drop(func(id store.ID) bool {
			isUnwanted := belongsToPlan(id) || origin.IsOutdated(id)
			if isUnwanted && !id.IsPilot() {
				cells++
			}
			return isUnwanted
		})
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: %s removed, %d kB less\n",
		names.Printable(nodes.Path()), show.FormatCount(cells, "cell"), view.Kilobytes(bytes))
	return nil
}
