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
	// SamplerVersion is the version of what the program draws for an experiment, empty for one that it has not. Left out, nothing
	// tells versions apart.
	SamplerVersion func(experiment string) string
}

// ID is everything that decides the bits of a cell's nodes.
type ID struct {
	Kernel         int
	SamplerVersion string // version of the experiment's draw
	Seed           uint64
	Attempt        uint64
	CellID
}

// newID returns the key of a cell. A pilot depends only on the cell.
func (o Origin) newID(c CellID) ID {
	id := ID{Kernel: o.Kernel, SamplerVersion: o.samplerVersion(c), Seed: o.Seed, Attempt: o.Attempt, CellID: c}
	if c.IsPilot() {
		id.Seed, id.Attempt = 0, 0
	}
	return id
}

func (o Origin) samplerVersion(c CellID) string {
	if o.SamplerVersion == nil {
		return ""
	}
	return o.SamplerVersion(c.Experiment())
}

// IsOutdated reports whether nodes of the key are useless to this program, whatever the plan, since it
// samples other bits.
func (o Origin) IsOutdated(id ID) bool {
	return id.Kernel != o.Kernel || id.SamplerVersion != o.samplerVersion(id.CellID)
}

// compare orders keys by seed, attempt, cell and the rest.
func (id ID) compare(other ID) int {
	return cmp.Or(cmp.Compare(id.Seed, other.Seed), cmp.Compare(id.Attempt, other.Attempt), cmp.Compare(id.ID, other.ID),
		cmp.Compare(id.Contents, other.Contents),
		cmp.Compare(id.Kernel, other.Kernel), cmp.Compare(id.SamplerVersion, other.SamplerVersion), cmp.Compare(id.Columns, other.Columns),
		cmp.Compare(id.Units, other.Units))
}

// appendID appends the key's binary form.
func appendID(b []byte, id ID) []byte {
	for _, n := range []uint64{uint64(id.Kernel), id.Seed, id.Attempt, uint64(id.Units)} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	for _, s := range []string{id.SamplerVersion, id.ID, id.Contents, id.Columns} {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(s)))
		b = append(b, s...)
	}
	return b
}

// readID reads what appendKey writes.
func readID(r *moments.Reader) (id ID) {
	id.Kernel, id.Seed, id.Attempt, id.Units = int(r.Uint64()), r.Uint64(), r.Uint64(), int64(r.Uint64())
	for _, s := range []*string{&id.SamplerVersion, &id.ID, &id.Contents, &id.Columns} {
		*s = string(r.Take(int(r.Uint32())))
	}
	return id
}
