// Package measure has the commands that draw samples, or say what would be drawn: probe, plan
// and run, and for many machines script and merge.
package measure

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/cmd/mcsim/sampling"
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

// session makes the results of a schedule in a folder.
type session struct {
	schedule    *schedule.Schedule
	dir         string
	out, status io.Writer
	stop        *program.Shutdown
	started     time.Time
	only        []string // experiments that the user requested
	fresh       bool     // drop the nodes of the plan
	workers     int
	shards      int // number of merged shards; 0 if the run draws all
}

// open refuses a folder that the results must not, or cannot, be written to, says which results they
// replace, and opens the folder's nodes.
func (s *session) open() (*store.Store, error) {
	if err := results.RefuseLoss(s.dir, s.schedule.Plan, s.only); err != nil {
		return nil, err
	}
	if !s.fresh {
		if err := s.refuseMoreSamples(); err != nil {
			return nil, err
		}
	}
	if err := s.stop.Finish(func() error { return results.PrepareDir(s.dir) }); err != nil {
		return nil, err
	}
	if replaced := results.DescribeReplaced(s.dir, s.schedule.Plan); replaced != "" {
		program.Printf(s.status, "%s", replaced)
	}
	return sampling.OpenNodes(s.dir, s.schedule, s.stop, s.fresh)
}

// refuseMoreSamples refuses to draw more, under the same attempt, for a gate that did not pass in
// the folder's results: to look, and to go on until it passes, would spend the error rates each
// time.
func (s *session) refuseMoreSamples() error {
	doc := results.Outline(s.dir)
	if doc == nil || doc.Seed != s.schedule.Plan.Seed {
		return nil
	}
	cell, ok := s.schedule.Extends(doc)
	if !ok {
		return nil
	}
	var plan struct{ Attempt int }
	if err := json.Unmarshal(doc.Plan, &plan); err != nil {
		return err
	}
	advice := "give --attempt %d, or --fresh with another seed or folder"
	if s.shards > 0 {
		advice = "draw shards with --attempt %d, or merge these into another folder"
	}
	return fmt.Errorf("%s: a gate of %s did not pass there; more samples are a new attempt: "+advice,
		results.Path(s.dir, results.DocumentFile), cell, plan.Attempt+1)
}

// conclude builds the document from the nodes of source, replaces the files of the folder, closes its
// nodes, and prints a summary of the gates. The first line ends with origin.
func (s *session) conclude(source, nodes *store.Store, origin string) error {
	doc, err := document.Build(s.schedule, source)
	if err != nil {
		return err
	}
	controls := s.schedule.Controls()
	record := results.NewRecord(s.started, s.workers)
	record.Shards = s.shards
	err = s.stop.Replace(func() error {
		if err := results.Write(s.dir, doc, record); err != nil {
			return err
		}
		_ = nodes.Compact() // if there is no room for a smaller copy, the file stays as it is
		return nodes.Close()
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s: %s in %v%s\n", names.Printable(results.Path(s.dir, results.DocumentFile)),
		show.Counted(len(doc.Estimates), "estimate"), time.Since(s.started).Round(10*time.Millisecond), origin)
	show.Controls(s.out, controls)
	show.Summary(s.out, doc.Gates, doc.Budget)
	return program.ExitOf(doc.Budget.Verdict)
}
