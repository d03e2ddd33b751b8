package shard

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"mcsim/sim/plan"
	"mcsim/sim/replace"
	"mcsim/sim/schedule"
	"mcsim/sim/strict"
)

// worked is what the first of a plan's shards leaves beside its file for the others: working out how many blocks
// each cell needs takes longer than drawing a small shard. Where it does not
// hold, the shard is none of the plan's, which [Merge] sees.
type worked struct {
	PlanDigest string  `json:"plan_sha256"`
	Program    string  `json:"program"` // that worked it out; another does so again
	Blocks     []int64 `json:"blocks"`
}

// workedOut is the name of the file for a plan.
func workedOut(dir, plan string) string {
	const enough = 12
	return filepath.Join(dir, fmt.Sprintf(".schedule-%s.json", plan[:enough]))
}

// Schedule is the schedule of a plan for one of its shards, whose file is to stand in the folder. It is read from what an earlier shard by the same
// program left there, or worked out and left there for later ones, if it can be. It says what is drawn, and may have no gates.
func Schedule(p *plan.Plan, dir, program string) (*schedule.Schedule, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	id := digest(text)
	path := workedOut(dir, id)
	if s, ok := readWorked(p, path, id, program); ok {
		return s, nil
	}
	s, err := schedule.New(p)
	if err != nil {
		return nil, err
	}
	if text, err = json.Marshal(worked{id, program, s.Blocks()}); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err == nil {
		_ = replace.Text(path, text) // which spares others the work, and no more
	}
	return s, nil
}

// readWorked reads what an earlier shard left.
func readWorked(p *plan.Plan, path, id, program string) (*schedule.Schedule, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, false
	}
	var w worked
	if err := strict.Unmarshal(text, &w); err != nil || w.PlanDigest != id || w.Program != program {
		return nil, false
	}
	s, err := schedule.Worked(p, w.Blocks)
	return s, err == nil
}
