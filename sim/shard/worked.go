package shard

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"mcsim/sim/moments"
	"mcsim/sim/plan"
	"mcsim/sim/replace"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
	"mcsim/sim/strict"
)

// worked is what the first of a plan's shards leaves beside its file for the others: working out how many blocks
// each cell needs takes longer than drawing a small shard. Where it does not
// hold, the shard is none of the plan's, which [Merge] sees.
type worked struct {
	PlanDigest string  `json:"plan_sha256"`
	Program    string  `json:"program"` // that worked it out; another does so again
	Blocks     []int64 `json:"blocks"`
	Sum        string  `json:"sum"` // SHA-256 of the rest
}

// sum is the SHA-256 of the rest.
func (w worked) sum() string {
	return digest(fmt.Appendf(nil, "%s %s %v", w.PlanDigest, w.Program, w.Blocks))
}

// shared is the folder, beside the files of shards, of what their programs leave for each other. Whoever removes it
// costs them time alone.
const shared = ".shared"

// Shared reports whether a file is one of these.
func Shared(path string) bool { return filepath.Base(filepath.Dir(path)) == shared }

// sharedFile is the name of a file in it, of what has that digest.
func sharedFile(dir, kind, digest, end string) string {
	const enough = 16
	return filepath.Join(dir, shared, kind+"-"+digest[:enough]+end)
}

// Schedule is the schedule of a plan for one of its shards, whose file is to stand in the folder. It is read from what an earlier shard by the same
// program left there, or worked out and left there for later ones, if it can be. It says what is drawn, and may have no gates.
func Schedule(p *plan.Plan, dir, program string) (*schedule.Schedule, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	id := digest(text)
	path := sharedFile(dir, "schedule", id, ".json")
	if s, ok := readWorked(p, path, id, program); ok {
		return s, nil
	}
	s, err := schedule.New(p)
	if err != nil {
		return nil, err
	}
	w := worked{PlanDigest: id, Program: program, Blocks: s.Blocks()}
	w.Sum = w.sum()
	if text, err = json.Marshal(w); err != nil {
		return nil, err
	}
	leave(path, text)
	return s, nil
}

// leave leaves a file for others, if it can be: it spares them work, and no more.
func leave(path string, text []byte) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
		_ = replace.Text(path, text)
	}
}

// Pilots are those that shards of a plan draw for each other: that of a cell takes as long as a thirtieth of the cell,
// and each of its shards needs it.
type Pilots struct {
	Dir    string // of the files of shards
	Origin store.Origin
}

// file is the name of the file of a pilot.
func (p Pilots) file(c store.Cell) string {
	return sharedFile(p.Dir, "pilot", digest(p.Origin.Append(nil, c, nil)), ".bin")
}

// pilotAt is the place of a pilot.
var pilotAt = []moments.Place{{}}

// Pilot reads what another shard left.
func (p Pilots) Pilot(c store.Cell) (moments.Node, bool) {
	b, err := os.ReadFile(p.file(c))
	if err != nil {
		return moments.Node{}, false
	}
	all, rest, err := p.Origin.Next(b, c, pilotAt)
	if err != nil || len(rest) > 0 {
		return moments.Node{}, false
	}
	n, err := all[0].Decoded()
	return n, err == nil
}

// Keep leaves a pilot for others.
func (p Pilots) Keep(c store.Cell, n moments.Node) {
	leave(p.file(c), p.Origin.Append(nil, c, []store.Entry{{At: pilotAt[0], Node: n}}))
}

// readWorked reads what an earlier shard left.
func readWorked(p *plan.Plan, path, id, program string) (*schedule.Schedule, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, false
	}
	var w worked
	if err := strict.Unmarshal(text, &w); err != nil || w.PlanDigest != id || w.Program != program || w.Sum != w.sum() {
		return nil, false
	}
	s, err := schedule.Worked(p, w.Blocks)
	return s, err == nil
}
