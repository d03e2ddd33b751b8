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

// A file consists of the magic, the length of the header (4 bytes), the header as JSON, one or two
// records of package store for each cell of the shard (the pilot, if there is one, and the nodes),
// and the SHA-256 of all of these.
const magic = Family + "1\n"

// Family begins the file in all versions.
const Family = "mcsim shard "

// header describes the contents of a file.
type header struct {
	Plan         json.RawMessage `json:"plan"`
	PlanDigest   string          `json:"plan_sha256"`
	Kernel       int             `json:"kernel"`       // version of the sampled bits
	Architecture string          `json:"architecture"` // of the machine that sampled
	// Fingerprints are the versions of the samples of the shard's experiments.
	Fingerprints map[string]string `json:"fingerprints"`
	Index        int               `json:"shard"` // index of the shard, from 0
	Count        int               `json:"of"`
	First        int64             `json:"first_block"` // of all blocks of the plan, in the order of its cells
	End          int64             `json:"end_block"`   // the block after the last one
}

// shardRange returns the shard that the file holds.
func (h *header) shardRange() schedule.ShardRange {
	return schedule.ShardRange{Index: h.Index, Count: h.Count, First: h.First, End: h.End}
}

// newHeader returns the header of a shard of a schedule.
func newHeader(s *schedule.Schedule, shard schedule.ShardRange) (*header, error) {
	text, err := json.Marshal(s.Plan)
	if err != nil {
		return nil, err
	}
	h := &header{Plan: text, PlanDigest: digest(text), Kernel: kernel.Version, Fingerprints: map[string]string{},
		Architecture: runtime.GOARCH, Index: shard.Index, Count: shard.Count, First: shard.First, End: shard.End}
	for _, job := range s.Select(shard).Jobs {
		name := job.Cell.Experiment.Name
		h.Fingerprints[name] = run.Version(name)
	}
	return h, nil
}

// otherBits names the first difference between the random bits of the file and those of this
// program, or returns "" if there is none.
func (h *header) otherBits(origin store.Origin) string {
	if h.Kernel != origin.Kernel {
		return fmt.Sprintf("kernel %d, not %d", h.Kernel, origin.Kernel)
	}
	for _, name := range slices.Sorted(maps.Keys(h.Fingerprints)) {
		if version := h.Fingerprints[name]; version != origin.SamplerVersion(name) {
			return fmt.Sprintf("%s %q, not %q", name, version, origin.SamplerVersion(name))
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
func Write(path string, s *schedule.Schedule, shard schedule.ShardRange, nodes *store.Store) error {
	h, err := newHeader(s, shard)
	if err != nil {
		return err
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return replace.File(path, func(file io.Writer) error {
		sum := sha256.New()
		w := io.MultiWriter(file, sum)
		b := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(text)))
		if _, err := w.Write(append(b, text...)); err != nil {
			return err
		}
		if err := writeRecords(w, s.Select(shard), nodes); err != nil {
			return err
		}
		_, err = file.Write(sum.Sum(nil))
		return err
	})
}

// writeRecords writes the nodes of a shard.
func writeRecords(w io.Writer, s *schedule.Schedule, nodes *store.Store) error {
	o := run.Origin(s.Plan)
	var b []byte
	for _, r := range listRecords(s) {
		var entries []store.Entry
		for _, blocks := range r.ranges {
			n, ok, err := nodes.MergeBlocks(r.cell, blocks.First(), blocks.End())
			if err != nil {
				return err
			}
			if !ok {
				return fmt.Errorf("cell %s is not sampled", r.cell.ID)
			}
			entries = append(entries, store.NewEntry(blocks, n))
		}
		b = o.AppendRecord(b[:0], r.cell, entries)
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// record describes the nodes of one cell, or of its pilot, in a file.
type record struct {
	cell   store.CellID
	ranges []moments.BlockRange
}

// listRecords lists the records of a shard's file in their order.
func listRecords(s *schedule.Schedule) []record {
	var list []record
	for _, job := range s.Jobs {
		if job.Cell.HasPilot() {
			list = append(list, record{job.Cell.PilotStoreID(), pilotRanges})
		}
		list = append(list, record{job.Cell.StoreID(), storedRanges(job)})
	}
	return list
}

// pilotRanges is the range of a pilot.
var pilotRanges = []moments.BlockRange{{}}

// storedRanges returns the ranges of a cell's nodes in the file of a shard. They are the largest
// ranges that a store of the whole plan keeps separate: those between two sizes of the grid of
// sample sizes. Nodes with fine bins are large, so ranges in the first half of the cell are merged,
// too.
func storedRanges(job schedule.Job) (ranges []moments.BlockRange) {
	isKept := func(r moments.BlockRange) bool {
		return r.IsBetweenGridSizes() || job.Cell.Experiment.Sampler.HasFineBins && r.End() <= job.Blocks/2
	}
	for _, r := range moments.SplitDyadic(job.First, job.End) {
		ranges = appendKept(ranges, r, isKept)
	}
	return ranges
}

// appendKept appends the largest dyadic parts of r for which isKept is true.
func appendKept(ranges []moments.BlockRange, r moments.BlockRange,
	isKept func(moments.BlockRange) bool) []moments.BlockRange {
	if isKept(r) {
		return append(ranges, r)
	}
	first, second := r.Halves()
	return appendKept(appendKept(ranges, first, isKept), second, isKept)
}

// read reads a file, checks its checksum, and returns its header and the bytes of its records.
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

// architecturePattern matches Go's names of architectures.
var architecturePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9_]{1,20}$`) })

// parse parses the bytes of the file at path; see read.
func parse(path string, b []byte) (*header, []byte, error) {
	damaged := Error{Kind: Damaged, Text: fmt.Sprintf("%s: not a complete shard; it is truncated or changed", path)}
	if len(b) < len(magic)+4+sha256.Size || !bytes.HasPrefix(b, []byte(magic)) {
		return nil, nil, damaged
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if found := sha256.Sum256(body); !bytes.Equal(found[:], sum) {
		return nil, nil, damaged
	}
	body = body[len(magic):]
	size := binary.LittleEndian.Uint32(body)
	body = body[4:]
	if int64(size) > int64(len(body)) {
		return nil, nil, damaged
	}
	var h header
	if err := result.Unmarshal(body[:size], &h); err != nil || h.PlanDigest != digest(h.Plan) {
		return nil, nil, damaged
	}
	if h.Count < 1 || h.Count > schedule.MaxShards || h.Index < 0 || h.Index >= h.Count ||
		!architecturePattern().MatchString(h.Architecture) {
		return nil, nil, contradictionError(path)
	}
	return &h, body[size:], nil
}

// Holds reports whether the file at path is a complete shard of the schedule. It returns false if
// there is no file. Another shard, or one of another plan, is an error; a damaged file is an Error
// of Kind Damaged.
func Holds(path string, s *schedule.Schedule, shard schedule.ShardRange) (bool, error) {
	expected, err := newHeader(s, shard)
	if err != nil {
		return false, err
	}
	h, body, err := read(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case h.otherBits(run.Origin(s.Plan)) != "":
		return false, Error{Kind: OtherBits,
			Text: fmt.Sprintf("%s: sampled by a version with other random bits", path)}
	case h.PlanDigest != expected.PlanDigest:
		return false, fmt.Errorf("%s: holds a shard of another plan; remove it, or name another file", path)
	case h.Index != shard.Index || h.Count != shard.Count:
		return false, fmt.Errorf("%s: holds shard %v of the plan, not %v; remove it, or name another file", path,
			h.shardRange(), shard)
	}
	err = h.addNodes(path, s, body, collection{})
	return err == nil, err
}

// schedule returns the schedule of the plan in the header.
func (h *header) schedule() (*schedule.Schedule, error) {
	p, err := plan.Decode(h.Plan, plan.MaxCellsLimit)
	if err != nil {
		return nil, err
	}
	return schedule.New(p)
}

// contradictionError returns the error of a file whose records do not fit its header although its
// checksum is right.
func contradictionError(path string) Error {
	return Error{Kind: Damaged, Text: fmt.Sprintf("%s: its contents do not match its header", path)}
}

// addNodes adds the records of a file, which must be those of its part of the schedule, to a pool.
func (h *header) addNodes(path string, s *schedule.Schedule, b []byte, collected collection) error {
	if s.Shard(h.Index, h.Count) != h.shardRange() {
		return Error{Kind: OtherBits,
			Text: fmt.Sprintf("%s: has other blocks than this version assigns to its shard; "+
				"sample it again with this version", path)}
	}
	o := run.Origin(s.Plan)
	for _, r := range listRecords(s.Select(h.shardRange())) {
		entries, rest, err := o.ReadRecord(b, r.cell, r.ranges)
		if err != nil {
			return contradictionError(path)
		}
		b = rest
		for _, e := range entries {
			collected[r.cell] = append(collected[r.cell], fileNode{e, path})
		}
	}
	if len(b) > 0 {
		return contradictionError(path)
	}
	return nil
}
