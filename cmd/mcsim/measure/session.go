// Package measure has the commands that plan and draw samples: probe, plan and run, and, for
// sampling on many machines, script and merge.
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
	"mcsim/cmd/mcsim/view"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/document"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// NewCommands returns the commands of the package.
func NewCommands(shutdown *program.Shutdown) []*cobra.Command {
	return []*cobra.Command{
		newProbeCommand(shutdown), newPlanCommand(), newRunCommand(shutdown), newScriptCommand(),
		newMergeCommand(shutdown), newPrecisionCommand(),
	}
}

// session is one run or merge that writes the results of a schedule to a folder.
type session struct {
	schedule       *schedule.Schedule
	dir            string
	stdout, status io.Writer
	quietVerdict   io.Writer // prints a verdict other than pass, in place of stdout; nil if not quiet
	shutdown       *program.Shutdown
	started        time.Time
	selection      []string // experiments that the user requested
	inputs         []string // files that the session reads
	fresh          bool     // drop the existing nodes of the plan
	workers        int
	shardCount     int // number of merged shards; 0 for a run without shards
}

// open checks that the session may and can write results to the folder. It prints which results
// they will replace, and opens the folder's file of nodes.
func (s *session) open() (*store.Store, error) {
	if err := results.RefuseInputs(s.dir, s.inputs); err != nil {
		return nil, err
	}
	if err := results.RefuseLoss(s.dir, s.schedule.Plan, s.selection); err != nil {
		return nil, err
	}
	if !s.fresh {
		if err := s.refuseMoreSamples(); err != nil {
			return nil, err
		}
	}
	if err := s.shutdown.Finish(func() error { return results.PrepareDir(s.dir) }); err != nil {
		return nil, err
	}
	if replaced := results.DescribeReplaced(s.dir, s.schedule.Plan); replaced != "" {
		program.Printf(s.status, "%s", replaced)
	}
	return sampling.OpenNodes(s.dir, s.schedule, s.shutdown, s.fresh)
}

// refuseMoreSamples refuses to draw more samples of a cell under the same attempt if a gate of the
// cell did not pass in the folder's results. A user who could draw more samples until the gate
// passes would exceed the declared error rates.
func (s *session) refuseMoreSamples() error {
	doc := results.Outline(s.dir)
	if doc == nil || doc.Seed != s.schedule.Plan.Seed {
		return nil
	}
	cell, isExtended := s.schedule.Extends(doc)
	if !isExtended {
		return nil
	}
	var existingPlan struct{ Attempt int }
	if err := json.Unmarshal(doc.Plan, &existingPlan); err != nil {
		return err
	}
	advice := "give --attempt %d, or --fresh with another seed or folder"
	if s.shardCount > 0 {
		advice = "draw shards with --attempt %d, or merge these into another folder"
	}
	return fmt.Errorf("%s: a gate of %s did not pass there; more samples are a new attempt: "+advice,
		results.Path(s.dir, results.DocumentFile), cell, existingPlan.Attempt+1)
}

// conclude builds the document from the nodes of source, replaces the files of the folder, and
// closes nodes, the folder's file of nodes. Then it prints the path of the document, with the text
// origin at the end of the line, and a summary of the gates.
func (s *session) conclude(source, nodes *store.Store, origin string) error {
	doc, err := document.Build(s.schedule, source)
	if err != nil {
		return err
	}
	controls := s.schedule.Controls()
	record := results.NewRecord(s.started, s.workers)
	record.Shards = s.shardCount
	err = s.shutdown.Replace(func() error {
		if err := results.Write(s.dir, doc, record); err != nil {
			return err
		}
		_ = nodes.Compact() // if it fails, for example on a full disk, the file only stays larger
		return nodes.Close()
	})
	if err != nil {
		return err
	}
	path, verdict := results.Path(s.dir, results.DocumentFile), doc.Budget.Verdict
	fmt.Fprintf(s.stdout, "%s: %s in %v%s\n", names.Printable(path),
		show.FormatCount(len(doc.Estimates), "estimate"), time.Since(s.started).Round(10*time.Millisecond), origin)
	view.Controls(s.stdout, controls)
	view.Summary(s.stdout, doc.Gates, doc.Budget, verdict)
	view.Digest(s.stdout, doc.Digest)
	if s.quietVerdict != nil && verdict != result.Pass {
		program.Printf(s.quietVerdict, "%s: %s: %s", path, verdict, view.DescribeCause(verdict, doc.Gates, "no gates"))
	}
	return program.ExitWith(verdict)
}
