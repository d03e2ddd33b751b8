// Package measure has the commands that draw, and that say what would be drawn: probe, plan
// and run, and for many machines script and merge.
package measure

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/document"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/names"
)

// Commands are those that draw, and that say what would be drawn.
func Commands() []*cobra.Command {
	return []*cobra.Command{probeCommand(), planCommand(), runCommand(), scriptCommand(), mergeCommand()}
}

// conclusion says where results are written that all nodes are there for, and what is said of how they came about.
type conclusion struct {
	dir     string
	from    *store.Store // that the results are made of; nil for the nodes of the folder
	workers int
	shards  int // that they were merged from; 0 where they were drawn here
	begun   time.Time
	how     string
}

// conclude makes the document of a schedule whose nodes are all there, replaces the folder's files by those of the run, and
// sums up its gates.
func conclude(out io.Writer, s *schedule.Schedule, nodes *store.Store, c conclusion) error {
	doc, err := document.Build(s, cmp.Or(c.from, nodes))
	if err != nil {
		return err
	}
	controls := s.Controls()
	info := folder.RecordOf(c.begun, c.workers)
	info.Shards = c.shards
	if err := folder.Write(c.dir, doc, info); err != nil {
		return err
	}
	_ = nodes.Compact() // where there is no room to write it anew, the file is whole as it is
	if err := nodes.Close(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s in %v%s\n", names.Printable(folder.Of(c.dir, folder.Results)), show.Counted(len(doc.Estimates), "estimate"),
		time.Since(c.begun).Round(10*time.Millisecond), c.how)
	show.Controls(out, controls)
	show.Summary(out, doc.Gates, doc.Budget)
	return show.ExitOf(doc.Budget.Verdict)
}
