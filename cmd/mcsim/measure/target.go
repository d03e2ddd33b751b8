package measure

import (
	"encoding/json"
	"fmt"
	"io"

	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/sim/engine/schedule"
)

// target is the folder that the results of a schedule are written to.
type target struct {
	dir      string
	schedule *schedule.Schedule
	only     []string // experiments that the user requested
	fresh    bool     // drop the nodes of the plan
	ofShards bool     // the results are merged from shards
}

// prepare refuses a folder that the results must not, or cannot, be written to, and says which
// results they replace.
func (t target) prepare(status io.Writer, stop *program.Shutdown) error {
	if err := results.RefuseLoss(t.dir, t.schedule.Plan, t.only); err != nil {
		return err
	}
	if !t.fresh {
		if err := t.refuseMoreSamples(); err != nil {
			return err
		}
	}
	if err := stop.Finish(func() error { return results.PrepareDir(t.dir) }); err != nil {
		return err
	}
	if replaced := results.DescribeReplaced(t.dir, t.schedule.Plan); replaced != "" {
		program.Printf(status, "%s", replaced)
	}
	return nil
}

// refuseMoreSamples refuses to draw more, under the same attempt, for a gate that did not pass in
// the folder's results: to look, and to go on until it passes, would spend the error rates each
// time.
func (t target) refuseMoreSamples() error {
	doc := results.Outline(t.dir)
	if doc == nil || doc.Seed != t.schedule.Plan.Seed {
		return nil
	}
	cell, ok := t.schedule.Extends(doc)
	if !ok {
		return nil
	}
	var plan struct{ Attempt int }
	if err := json.Unmarshal(doc.Plan, &plan); err != nil {
		return err
	}
	advice := "give --attempt %d, or --fresh with another seed or folder"
	if t.ofShards {
		advice = "draw shards with --attempt %d, or merge these into another folder"
	}
	return fmt.Errorf("%s: a gate of %s did not pass there; more samples are a new attempt: "+advice,
		results.Path(t.dir, results.DocumentFile), cell, plan.Attempt+1)
}
