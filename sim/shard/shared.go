package shard

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"os"
	"path/filepath"

	"mcsim/sim/moments"
	"mcsim/sim/plan"
	"mcsim/sim/replace"
	"mcsim/sim/run"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
)

// shared is the folder, beside the files of shards, of what their programs leave for each other. Whoever removes it
// costs them time alone. Where something in it does not hold, the shard is none of the plan's, which [Merge] sees.
const shared = ".shared"

// Shared reports whether a file is one of these.
func Shared(path string) bool { return filepath.Base(filepath.Dir(path)) == shared }

// Tidy removes what the programs of shards left for each other beside these files: once they
// are merged nobody needs it.
func Tidy(paths []string) {
	for _, p := range paths {
		_ = os.RemoveAll(filepath.Join(filepath.Dir(p), shared))
	}
}

// sharedFile is the file of what is the same for all that have the key.
func sharedFile(dir, kind string, key []byte) string {
	const enough = 16
	return filepath.Join(dir, shared, kind+"-"+digest(key)[:enough])
}

// leave leaves a text for others, if it can be: it spares them work, and no more. Its SHA-256 stands before it.
func leave(path string, text []byte) {
	sum := sha256.Sum256(text)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
		_ = replace.Text(path, append(sum[:], text...))
	}
}

// left is what another shard left; false if there is nothing, or something else.
func left(path string) ([]byte, bool) {
	b, err := os.ReadFile(path)
	if err != nil || len(b) < sha256.Size {
		return nil, false
	}
	text := b[sha256.Size:]
	sum := sha256.Sum256(text)
	return text, bytes.HasPrefix(b, sum[:])
}

// Schedule is the schedule of a plan for one of its shards, whose file is to stand in the folder. To work out how
// many blocks each cell needs takes longer than drawing a small shard: it is read from what an earlier shard by the
// same program left there, or left there for later ones. It says what is drawn, and may have no gates.
func Schedule(p *plan.Plan, dir, program string) (*schedule.Schedule, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	path := sharedFile(dir, "schedule", append(text, program...))
	if s, ok := worked(p, path); ok {
		return s, nil
	}
	s, err := schedule.New(p)
	if err != nil {
		return nil, err
	}
	if text, err = json.Marshal(s.Blocks()); err != nil {
		return nil, err
	}
	leave(path, text)
	return s, nil
}

// worked is the schedule of a plan that an earlier shard worked out.
func worked(p *plan.Plan, path string) (*schedule.Schedule, bool) {
	text, ok := left(path)
	var blocks []int64
	if !ok || json.Unmarshal(text, &blocks) != nil {
		return nil, false
	}
	s, err := schedule.Worked(p, blocks)
	return s, err == nil
}

// pilotFile is the file of a cell's pilot.
func pilotFile(dir string, o store.Origin, pilot store.Cell) string {
	return sharedFile(dir, "pilot", o.Append(nil, pilot, nil))
}

// TakePilots adds to the nodes of a shard, whose file is to stand in the folder, the pilots that others left: that of
// a cell takes as long as a thirtieth of the cell, and each of its shards needs it.
func TakePilots(dir string, s *schedule.Schedule, nodes *store.Store) error {
	o := run.Origin(s.Plan)
	for _, w := range s.Works {
		c := w.Cell.PilotKey()
		if !w.Cell.Piloted() || len(nodes.Missing(c, 0, 1, 0)) == 0 {
			continue
		}
		if n, ok := readPilot(pilotFile(dir, o, c), o, c); ok {
			if err := nodes.Add(c, moments.Place{}, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// LeavePilots leaves those of a shard that is drawn for others.
func LeavePilots(dir string, s *schedule.Schedule, nodes *store.Store) {
	o := run.Origin(s.Plan)
	for _, w := range s.Works {
		c := w.Cell.PilotKey()
		path := pilotFile(dir, o, c)
		if _, there := left(path); there || !w.Cell.Piloted() {
			continue
		}
		if n, ok, err := nodes.Total(c, 1); ok && err == nil {
			leave(path, o.Append(nil, c, []store.Entry{store.NewEntry(moments.Place{}, n)}))
		}
	}
}

// readPilot is the pilot that another shard left.
func readPilot(path string, o store.Origin, c store.Cell) (n moments.Node, ok bool) {
	text, ok := left(path)
	if !ok {
		return n, false
	}
	all, rest, err := o.Next(text, c, pilotPlaces)
	if err != nil || len(rest) > 0 {
		return n, false
	}
	n, err = all[0].Decoded(c)
	return n, err == nil
}
