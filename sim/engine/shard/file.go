package shard

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"sync"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/replace"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/kernel"
	"mcsim/sim/result"
)

// A file is the magic, the number of bytes of the header, the header as JSON, for each cell of the
// shard its pilot, if it has one, and its nodes as records of package store, and the SHA-256 of
// all of these.
const magic = Family + "1\n"

// Family begins the file in all versions.
const Family = "mcsim shard "

// header describes what a file holds.
type header struct {
	Plan         json.RawMessage `json:"plan"`
	PlanDigest   string          `json:"plan_sha256"`
	Kernel       int             `json:"kernel"`       // version of the sampled bits
	Architecture string          `json:"architecture"` // of the machine that drew
	// Fingerprints are the versions of what the program draws for the shard's experiments.
	Fingerprints map[string]string `json:"fingerprints"`
	Index        int               `json:"shard"` // from 0 on
	Of           int               `json:"of"`
	First        int64             `json:"first_block"` // of all blocks of the plan, in the order of its cells
	End          int64             `json:"end_block"`   // behind the last
}

// share returns the part of the plan that the file holds.
func (h *header) share() schedule.ShardRange {
	return schedule.ShardRange{Index: h.Index, Count: h.Of, First: h.First, End: h.End}
}

// headerOf returns the header of a shard of a schedule.
func headerOf(s *schedule.Schedule, part schedule.ShardRange) (*header, error) {
	text, err := json.Marshal(s.Plan)
	if err != nil {
		return nil, err
	}
	h := &header{Plan: text, PlanDigest: digest(text), Kernel: kernel.Version, Fingerprints: map[string]string{},
		Architecture: runtime.GOARCH, Index: part.Index, Of: part.Count, First: part.First, End: part.End}
	for _, w := range s.Select(part).Jobs {
		name := w.Cell.Experiment.Name
		h.Fingerprints[name] = run.Version(name)
	}
	return h, nil
}

// foreign names what of the file's random bits this program would sample differently; it is empty
// if the bits are the same.
func (h *header) foreign(own store.Origin) string {
	if h.Kernel != own.Kernel {
		return fmt.Sprintf("kernel %d, not %d", h.Kernel, own.Kernel)
	}
	for _, name := range slices.Sorted(maps.Keys(h.Fingerprints)) {
		if version := h.Fingerprints[name]; version != own.SamplerVersion(name) {
			return fmt.Sprintf("%s %q, not %q", name, version, own.SamplerVersion(name))
		}
	}
	return ""
}

// digest returns the SHA-256 of a text.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Write writes the file of a shard whose nodes are all sampled. If it fails, no file is left.
func Write(path string, s *schedule.Schedule, part schedule.ShardRange, nodes *store.Store) error {
	h, err := headerOf(s, part)
	if err != nil {
		return err
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return replace.File(path, func(to io.Writer) error {
		sum := sha256.New()
		w := io.MultiWriter(to, sum)
		b := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(text)))
		if _, err := w.Write(append(b, text...)); err != nil {
			return err
		}
		if err := writeRecords(w, s.Select(part), nodes); err != nil {
			return err
		}
		_, err = to.Write(sum.Sum(nil))
		return err
	})
}

// writeRecords writes the nodes of a shard.
func writeRecords(w io.Writer, s *schedule.Schedule, nodes *store.Store) error {
	o := run.Origin(s.Plan)
	var b []byte
	for _, r := range records(s) {
		var entries []store.Entry
		for _, at := range r.places {
			n, ok, err := nodes.MergeBlocks(r.cell, at.First(), at.End())
			if err != nil {
				return err
			}
			if !ok {
				return fmt.Errorf("cell %s is not drawn", r.cell.ID)
			}
			entries = append(entries, store.NewEntry(at, n))
		}
		b = o.AppendRecord(b[:0], r.cell, entries)
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// record is what a file has of one cell.
type record struct {
	cell   store.CellID
	places []moments.BlockRange
}

// records lists the records of the file of a shard, in their order.
func records(s *schedule.Schedule) []record {
	var all []record
	for _, w := range s.Jobs {
		if w.Cell.HasPilot() {
			all = append(all, record{w.Cell.PilotStoreID(), pilotPlaces})
		}
		all = append(all, record{w.Cell.StoreID(), places(w)})
	}
	return all
}

// pilotPlaces is the range of a pilot.
var pilotPlaces = []moments.BlockRange{{}}

// places returns the ranges of a cell's nodes in the file of a shard: the largest that a store of
// the whole plan keeps separate. Nodes with windows are large.
func places(w schedule.Job) (all []moments.BlockRange) {
	whole := func(at moments.BlockRange) bool {
		return at.IsBetweenGridSizes() || w.Cell.Experiment.Sampler.HasFineBins && at.End() <= w.Blocks/2
	}
	for _, at := range moments.SplitDyadic(w.First, w.End) {
		all = cut(all, at, whole)
	}
	return all
}

// cut adds the parts of a range for which whole is true.
func cut(all []moments.BlockRange, at moments.BlockRange, whole func(moments.BlockRange) bool) []moments.BlockRange {
	if whole(at) {
		return append(all, at)
	}
	first, second := at.Halves()
	return cut(cut(all, first, whole), second, whole)
}

// read reads a file, checks its checksum, and returns its header and its records.
func read(path string) (*header, []byte, error) {
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular():
		return nil, nil, fmt.Errorf("%s: is not a regular file", path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	return parse(path, b)
}

// architecture matches the names that Go has for architectures.
var architecture = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9_]{1,20}$`) })

// parse is read for the bytes of a file.
func parse(path string, b []byte) (*header, []byte, error) {
	damaged := Error{Kind: Damaged, Text: fmt.Sprintf("%s is not a whole shard: it is cut or changed", path)}
	if len(b) < len(magic)+4+sha256.Size || !bytes.HasPrefix(b, []byte(magic)) {
		return nil, nil, damaged
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if found := sha256.Sum256(body); !bytes.Equal(found[:], sum) {
		return nil, nil, damaged
	}
	body = body[len(magic):]
	size := binary.LittleEndian.Uint32(body)
	if body = body[4:]; int64(size) > int64(len(body)) {
		return nil, nil, damaged
	}
	var h header
	if err := result.Unmarshal(body[:size], &h); err != nil || h.PlanDigest != digest(h.Plan) {
		return nil, nil, damaged
	}
	if h.Of < 1 || h.Of > schedule.MaxShards || h.Index < 0 || h.Index >= h.Of ||
		!architecture().MatchString(h.Architecture) {
		return nil, nil, contradicted(path)
	}
	return &h, body[size:], nil
}

// Holds reports whether the file at path is a complete shard of the schedule. It returns false if
// there is no file. Another shard, or one of another plan, is an error; a damaged file is an Error
// of Kind Damaged.
func Holds(path string, s *schedule.Schedule, part schedule.ShardRange) (bool, error) {
	own, err := headerOf(s, part)
	if err != nil {
		return false, err
	}
	h, body, err := read(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case h.foreign(run.Origin(s.Plan)) != "":
		return false, Error{Kind: OtherBits,
			Text: fmt.Sprintf("%s was drawn by a version with other random bits", path)}
	case h.PlanDigest != own.PlanDigest:
		return false, fmt.Errorf("%s holds a shard of another plan; remove it, or name another file", path)
	case h.Index != part.Index || h.Of != part.Count:
		return false, fmt.Errorf("%s holds shard %v of the plan, not %v; remove it, or name another file", path,
			h.share(), part)
	}
	err = h.nodes(path, s, body, pool{})
	return err == nil, err
}

// schedule returns the schedule of the plan in the header.
func (h *header) schedule() (*schedule.Schedule, error) {
	p, err := plan.Decode(h.Plan, plan.MostCells)
	if err != nil {
		return nil, err
	}
	return schedule.New(p)
}

// contradicted returns the error of a file whose records are not what they should be although its
// checksum is right.
func contradicted(path string) Error {
	return Error{Kind: Damaged, Text: fmt.Sprintf("%s does not hold what its header says", path)}
}

// nodes adds the records of a file, which must be those of its part of the schedule, to a pool.
func (h *header) nodes(path string, s *schedule.Schedule, b []byte, into pool) error {
	if s.Shard(h.Index, h.Of) != h.share() {
		return Error{Kind: OtherBits,
			Text: fmt.Sprintf("%s has other blocks than this version gives its shard; "+
				"draw it again with this version", path)}
	}
	o := run.Origin(s.Plan)
	for _, r := range records(s.Select(h.share())) {
		entries, rest, err := o.ReadRecord(b, r.cell, r.places)
		if err != nil {
			return contradicted(path)
		}
		b = rest
		for _, e := range entries {
			into[r.cell] = append(into[r.cell], pooled{e, path})
		}
	}
	if len(b) > 0 {
		return contradicted(path)
	}
	return nil
}
