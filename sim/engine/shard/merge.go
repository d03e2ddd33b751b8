package shard

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
)

// Kind is a kind of problem with files of shards.
type Kind int

const (
	Missing   Kind = iota // no file has some of the plan's blocks
	Damaged               // a file is truncated or was changed
	OtherPlan             // the files are of different plans
	OtherBits             // a file was sampled by a program with other random bits
	Differing             // two files have different nodes of the same blocks
)

// Error says why files cannot be merged.
type Error struct {
	Kind Kind
	Text string
	// Resample has the indices of the shards that must be sampled again, if they are known.
	Resample []int
}

func (e Error) Error() string { return e.Text }

// Merged is the result of merging files.
type Merged struct {
	Schedule      *schedule.Schedule
	Nodes         *store.Store
	Files         int
	Architectures []string // of the machines that sampled, sorted
}

// file is a file that was read.
type file struct {
	path string
	*header
	body []byte // its records
}

// Merge merges files, in any order, into the nodes of the whole plan. If shards are missing, the
// error has their indices in a division of the plan into parts shards. If parts is 0, it uses the
// division that most files have.
func Merge(paths []string, parts int) (*Merged, error) {
	files, damaged, err := readAll(paths)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		for i := range parts { // no file can be read, so all shards are missing
			damaged[0].Resample = append(damaged[0].Resample, i)
		}
		return nil, damaged[0]
	}
	s, err := commonSchedule(files)
	if err != nil {
		return nil, err
	}
	count := cmp.Or(parts, commonestCount(files))
	collected, complete, architectures := collection{}, []schedule.ShardRange{}, map[string]bool{}
	for _, f := range files {
		err := f.addNodes(f.path, s, f.body, collected)
		if e := (Error{}); errors.As(err, &e) && e.Kind == Damaged {
			damaged = append(damaged, e)
			continue
		}
		if err != nil {
			return nil, err
		}
		complete, architectures[f.Architecture] = append(complete, f.shardRange()), true
	}
	if err := missingError(s, complete, count, damaged); err != nil {
		return nil, err
	}
	nodes, err := collected.newStore(s)
	return &Merged{Schedule: s, Nodes: nodes, Files: len(files),
		Architectures: slices.Sorted(maps.Keys(architectures))}, err
}

// readAll reads files; damaged has the errors of damaged files.
func readAll(paths []string) (files []file, damaged []Error, err error) {
	for _, path := range paths {
		h, body, err := read(path)
		if e := (Error{}); errors.As(err, &e) {
			damaged = append(damaged, e)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		files = append(files, file{path, h, body})
	}
	return files, damaged, nil
}

// commonSchedule returns the schedule of the files' plan. It fails if the files have different
// plans, or other random bits than this program.
func commonSchedule(files []file) (*schedule.Schedule, error) {
	first := files[0]
	for _, f := range files {
		if f.PlanDigest != first.PlanDigest {
			return nil, Error{Kind: OtherPlan,
				Text: fmt.Sprintf("%s: a shard of another plan than %s", f.path, first.path)}
		}
	}
	s, err := first.schedule()
	if err != nil {
		return nil, Error{Kind: OtherPlan,
			Text: fmt.Sprintf("%s: this version does not accept its plan: %v", first.path, err)}
	}
	for _, f := range files {
		if what := f.otherBits(run.Origin(s.Plan)); what != "" {
			return nil, Error{Kind: OtherBits,
				Text: fmt.Sprintf("%s: sampled on %s by a version with other random bits than this one (%s); "+
					"sample it again with this version",
					f.path, f.Architecture, what)}
		}
	}
	return s, nil
}

// commonestCount returns the number of shards into which most files divide the plan.
func commonestCount(files []file) (commonest int) {
	count := map[int]int{}
	for _, f := range files {
		count[f.Count]++
		if count[f.Count] > count[commonest] || count[f.Count] == count[commonest] && f.Count > commonest {
			commonest = f.Count
		}
	}
	return commonest
}

// missingError returns the error of damaged files or missing blocks, with the shards to sample
// again, or nil.
func missingError(s *schedule.Schedule, complete []schedule.ShardRange, count int, damaged []Error) error {
	missing := s.Uncovered(complete, count)
	switch {
	case len(damaged) > 0:
		e := damaged[0]
		e.Resample = missing
		if others := len(damaged) - 1; others > 0 {
			e.Text += fmt.Sprintf("; %d files are damaged", others+1)
		}
		if len(missing) == 0 {
			e.Text += "; the other files have all blocks of the plan, so it can be removed"
		}
		return e
	case len(missing) > 0:
		return Error{Kind: Missing, Resample: missing,
			Text: fmt.Sprintf("%d of %d shards are missing", len(missing), count)}
	}
	return nil
}

// Spec formats indices as schedulers accept them, such as 3,7-9.
func Spec(indices []int) string {
	var b strings.Builder
	for i := 0; i < len(indices); {
		last := i
		for last+1 < len(indices) && indices[last+1] == indices[last]+1 {
			last++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%d", indices[i])
		if last > i {
			fmt.Fprintf(&b, "-%d", indices[last])
		}
		i = last + 1
	}
	return b.String()
}

// collection has the nodes of all files, by cell, before they are merged.
type collection map[store.CellID][]fileNode

// fileNode is a node together with the path of its file.
type fileNode struct {
	store.Entry
	path string
}

// newStore returns a store of the schedule with the nodes of all blocks, each block once.
func (p collection) newStore(s *schedule.Schedule) (*store.Store, error) {
	nodes := store.New(run.Origin(s.Plan))
	for c, nodesOfCell := range p {
		slices.SortStableFunc(nodesOfCell, func(a, b fileNode) int { return a.Range.Compare(b.Range) })
		merger := cellMerger{CellID: c}
		for i := 0; i < len(nodesOfCell); {
			next := i + 1
			for next < len(nodesOfCell) && nodesOfCell[next].Range.First() < nodesOfCell[i].Range.End() {
				next++
			}
			n, err := merger.checkAgreement(nodesOfCell[i:next])
			if err != nil {
				return nil, err
			}
			if err := nodes.Add(c, nodesOfCell[i].Range, n); err != nil {
				return nil, err
			}
			i = next
		}
		if err := nodes.Flush(); err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

// cellMerger merges the nodes of one cell and checks their layouts.
type cellMerger struct {
	store.CellID
	layout moments.Layout
}

// decode decodes a node of a file. It fails if no run samples such a node, although the file's
// checksum is right.
func (c *cellMerger) decode(p fileNode) (moments.Node, error) {
	n, err := p.Decode(c.CellID)
	if err != nil || !c.layout.Accepts(n) {
		return n, contradictionError(p.path)
	}
	return n, nil
}

// checkAgreement returns the first node. The others are sorted by their ranges, which lie inside
// the range of the first. It fails if nodes of the same blocks have different bits: nodes of the
// same range, and the nodes inside the first range if they cover all its blocks.
func (c *cellMerger) checkAgreement(nodes []fileNode) (moments.Node, error) {
	first, err := c.decode(nodes[0])
	if err != nil {
		return first, err
	}
	var inside moments.BlockRanges
	var insideNodes []fileNode
	for i, n := range nodes[1:] {
		switch before := nodes[i]; {
		case n.Range != before.Range:
			inside, insideNodes = append(inside, n.Range), append(insideNodes, n)
		case !bytes.Equal(n.Node, before.Node):
			return first, c.differenceError(before, n)
		}
	}
	sum, ok, err := inside.MergeNodes(nodes[0].Range.First(), nodes[0].Range.End(),
		func(i int) (moments.Node, error) { return c.decode(insideNodes[i]) })
	if ok && !bytes.Equal(nodes[0].Node, moments.AppendNode(nil, sum)) {
		err = c.differenceError(nodes[0], insideNodes[0])
	}
	return first, err
}

// differenceError returns the error of two files with different bits for the same blocks.
func (c *cellMerger) differenceError(a, b fileNode) error {
	return Error{Kind: Differing,
		Text: fmt.Sprintf("%s and %s have different samples of blocks %d to %d of cell %s, although both are "+
			"complete; one was sampled by a faulty machine",
			a.path, b.path, a.Range.First(), a.Range.End()-1, c.ID)}
}
