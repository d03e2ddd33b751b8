package store

import (
	"cmp"
	"encoding/binary"
	"strings"

	"mcsim/sim/base/moments"
)

// CellID identifies a cell by everything that decides the bits of its nodes.
type CellID struct {
	ID       string // experiment and sampled parameters; the ID of a pilot begins with "pilot/"
	Contents string // content of the nodes if the ID does not determine it
	Columns  string // layout of the nodes
	Units    int64  // units per block; 0 for a pilot, which is one node
}

// pilotPrefix is the beginning of the IDs of pilots.
const pilotPrefix = "pilot/"

// Pilot returns the ID of the cell's pilot.
func (c CellID) Pilot() CellID {
	return CellID{ID: pilotPrefix + c.ID, Contents: c.Contents, Columns: c.Columns}
}

// IsPilot reports whether the cell is a pilot.
func (c CellID) IsPilot() bool { return strings.HasPrefix(c.ID, pilotPrefix) }

// Experiment returns the name of the cell's experiment, which is the beginning of its ID.
func (c CellID) Experiment() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(c.ID, pilotPrefix), "/")
	return name
}

// Origin identifies the random bits that a program samples for a plan.
type Origin struct {
	Kernel  int    // version of the sampled bits
	Seed    uint64 // seed of the plan
	Attempt uint64 // attempt of the plan; each attempt samples other bits
	// SamplerVersion returns the version of the program's sampler for an experiment. It is empty if
	// the program does not have the experiment. If SamplerVersion is nil, all versions are empty.
	SamplerVersion func(experiment string) string
}

// ID identifies the nodes of a cell by everything that decides their bits.
type ID struct {
	Kernel         int
	SamplerVersion string // version of the experiment's sampler
	Seed           uint64
	Attempt        uint64
	CellID
}

// newID returns the ID of a cell's nodes. Pilots depend only on the cell.
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

// IsOutdated reports whether this program cannot use the nodes with the ID for any plan, since it
// samples other bits.
func (o Origin) IsOutdated(id ID) bool {
	return id.Kernel != o.Kernel || id.SamplerVersion != o.samplerVersion(id.CellID)
}

// compare orders IDs by seed, attempt, cell and the other fields.
func (id ID) compare(second ID) int {
	return cmp.Or(cmp.Compare(id.Seed, second.Seed), cmp.Compare(id.Attempt, second.Attempt),
		cmp.Compare(id.ID, second.ID),
		cmp.Compare(id.Contents, second.Contents), cmp.Compare(id.Kernel, second.Kernel),
		cmp.Compare(id.SamplerVersion, second.SamplerVersion), cmp.Compare(id.Columns, second.Columns),
		cmp.Compare(id.Units, second.Units))
}

// appendID appends the binary form of an ID.
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

// readID reads an ID that appendID wrote.
func readID(r *moments.Reader) (id ID) {
	id.Kernel, id.Seed, id.Attempt, id.Units = int(r.Uint64()), r.Uint64(), r.Uint64(), int64(r.Uint64())
	for _, s := range []*string{&id.SamplerVersion, &id.ID, &id.Contents, &id.Columns} {
		*s = string(r.Take(int(r.Uint32())))
	}
	return id
}
