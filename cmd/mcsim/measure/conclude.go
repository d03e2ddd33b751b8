// Package measure has the commands that draw samples, or say what would be drawn: probe, plan
// and run, and for many machines script and merge.
package measure

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/document"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/names"
)

// Commands returns the commands of the package.
func Commands(stop *program.Shutdown) []*cobra.Command {
	return []*cobra.Command{probeCommand(), planCommand(), runCommand(stop), scriptCommand(), mergeCommand(stop)}
}

// conclusion makes the results of a schedule whose nodes are complete.
type conclusion struct {
	stop     *program.Shutdown
	schedule *schedule.Schedule
	source   *store.Store // of the nodes for the document
	nodes    *store.Store // of the folder, which conclude closes
	dir      string
	workers  int
	shards   int // number of merged shards; 0 if the run drew all
	started  time.Time
	origin   string // what the first line of the summary ends with
}

// conclude builds the document, replaces the files of the folder, and prints a summary of the gates.
func (c conclusion) conclude(out io.Writer) error {
	doc, err := document.Build(c.schedule, c.source)
	if err != nil {
		return err
	}
	controls := c.schedule.Controls()
	record := results.NewRecord(c.started, c.workers)
	record.Shards = c.shards
	err = c.stop.Replace(func() error {
		if err := results.Write(c.dir, doc, record); err != nil {
			return err
		}
		_ = c.nodes.Compact() // if there is no room for a smaller copy, the file stays as it is
		return c.nodes.Close()
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s in %v%s\n", names.Printable(results.Path(c.dir, results.DocumentFile)),
		show.Counted(len(doc.Estimates), "estimate"), time.Since(c.started).Round(10*time.Millisecond), c.origin)
	show.Controls(out, controls)
	show.Summary(out, doc.Gates, doc.Budget)
	return program.ExitOf(doc.Budget.Verdict)
}
