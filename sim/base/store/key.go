package store

import (
	"cmp"
	"encoding/binary"
	"strings"

	"mcsim/sim/base/moments"
)

// CellID is everything about a cell that decides the bits of its nodes.
type CellID struct {
	ID       string // experiment and drawn parameters; of a pilot, behind "pilot/"
	Contents string // what nodes hold where the id does not say it
	Columns  string // their layout
	Units    int64  // of a block; 0 for a pilot, which is one node
}

// pilotPrefix begins the ids of pilots.
const pilotPrefix = "pilot/"

// Pilot returns the pilot of the cell.
func (c CellID) Pilot() CellID {
	return CellID{ID: pilotPrefix + c.ID, Contents: c.Contents, Columns: c.Columns}
}

// IsPilot reports whether the cell is a pilot.
func (c CellID) IsPilot() bool { return strings.HasPrefix(c.ID, pilotPrefix) }

// Experiment returns the name of the cell's experiment, with which its id begins.
func (c CellID) Experiment() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(c.ID, pilotPrefix), "/")
	return name
}

// Origin identifies the random bits that a program samples for a plan.
type Origin struct {
	Kernel  int    // version of the sampled bits
	Seed    uint64 // of the plan
	Attempt uint64 // of the plan; a later attempt draws other bits
	// Draw is the version of what the program draws for an experiment, empty for one that it has not. Left out, nothing
	// tells versions apart.
	Draw func(experiment string) string
}

// ID is everything that decides the bits of a cell's nodes.
type ID struct {
	Kernel  int
	Draw    string // version of the experiment's draw
	Seed    uint64
	Attempt uint64
	CellID
}

// key returns the key of a cell. A pilot depends only on the cell.
func (o Origin) key(c CellID) ID {
	k := ID{Kernel: o.Kernel, Draw: o.draw(c), Seed: o.Seed, Attempt: o.Attempt, CellID: c}
	if c.IsPilot() {
		k.Seed, k.Attempt = 0, 0
	}
	return k
}

func (o Origin) draw(c CellID) string {
	if o.Draw == nil {
		return ""
	}
	return o.Draw(c.Experiment())
}

// Old reports whether nodes of the key are useless to this program, whatever the plan, since it
// samples other bits.
func (o Origin) Old(k ID) bool { return k.Kernel != o.Kernel || k.Draw != o.draw(k.CellID) }

// compare orders keys by seed, attempt, cell and the rest.
func (k ID) compare(o ID) int {
	return cmp.Or(cmp.Compare(k.Seed, o.Seed), cmp.Compare(k.Attempt, o.Attempt), cmp.Compare(k.ID, o.ID),
		cmp.Compare(k.Contents, o.Contents),
		cmp.Compare(k.Kernel, o.Kernel), cmp.Compare(k.Draw, o.Draw), cmp.Compare(k.Columns, o.Columns),
		cmp.Compare(k.Units, o.Units))
}

// appendKey appends the key's binary form.
func appendKey(b []byte, k ID) []byte {
	for _, n := range []uint64{uint64(k.Kernel), k.Seed, k.Attempt, uint64(k.Units)} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	for _, s := range []string{k.Draw, k.ID, k.Contents, k.Columns} {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(s)))
		b = append(b, s...)
	}
	return b
}

// readKey reads what appendKey writes.
func readKey(r *moments.Reader) (k ID) {
	k.Kernel, k.Seed, k.Attempt, k.Units = int(r.Uint64()), r.Uint64(), r.Uint64(), int64(r.Uint64())
	for _, s := range []*string{&k.Draw, &k.ID, &k.Contents, &k.Columns} {
		*s = string(r.Take(int(r.Uint32())))
	}
	return k
}
