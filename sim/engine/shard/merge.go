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
	Missing   Kind = iota // some of the plan is in none of the files
	Damaged               // a file is not what was written
	OtherPlan             // files are of different plans
	OtherBits             // a file's program draws other bits than this one
	Differing             // two files have different nodes of the same blocks
)

// Error refuses files.
type Error struct {
	Kind Kind
	Text string
	// Resample are the indices of the shards that are to be drawn again, where they are known.
	Resample []int
}

func (e Error) Error() string { return e.Text }

// Merged is the result of merging files.
type Merged struct {
	Schedule      *schedule.Schedule
	Nodes         *store.Store
	Files         int
	Architectures []string // of the machines that drew, in order
}

// file is a file that was read.
type file struct {
	path string
	*header
	body []byte // its records
}

// Merge merges files, in any order, into the nodes of the whole plan. The error of missing shards
// counts them in parts of the plan, or if parts is 0 in the number of parts that most files have.
func Merge(paths []string, parts int) (*Merged, error) {
	files, damaged, err := readAll(paths)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		for i := range parts { // all, as far as they are known
			damaged[0].Resample = append(damaged[0].Resample, i)
		}
		return nil, damaged[0]
	}
	s, err := commonSchedule(files)
	if err != nil {
		return nil, err
	}
	count := cmp.Or(parts, commonestCount(files))
	nodesByCell, complete, architectures := pool{}, []schedule.ShardRange{}, map[string]bool{}
	for _, f := range files {
		err := f.addTo(f.path, s, f.body, nodesByCell)
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
	nodes, err := nodesByCell.store(s)
	return &Merged{Schedule: s, Nodes: nodes, Files: len(files), Architectures: slices.Sorted(maps.Keys(architectures))}, err
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

// commonSchedule returns the schedule of the files' plan. It fails if they are not of one plan, or of other
// random bits than this program samples for it.
func commonSchedule(files []file) (*schedule.Schedule, error) {
	first := files[0]
	for _, f := range files {
		if f.PlanDigest != first.PlanDigest {
			return nil, Error{Kind: OtherPlan,
				Text: fmt.Sprintf("%s is a shard of another plan than %s", f.path, first.path)}
		}
	}
	s, err := first.schedule()
	if err != nil {
		return nil, Error{Kind: OtherPlan,
			Text: fmt.Sprintf("%s: this version does not take its plan: %v", first.path, err)}
	}
	for _, f := range files {
		if what := f.otherBits(run.Origin(s.Plan)); what != "" {
			return nil, Error{Kind: OtherBits,
				Text: fmt.Sprintf("%s was drawn on %s by a version with other random bits than this one (%s); "+
					"draw it again with this version",
					f.path, f.Architecture, what)}
		}
	}
	return s, nil
}

// commonestCount returns the number of shards that most files are of.
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

// missingError returns the error of files that do not make up the plan or are damaged, with the shards
// to sample again.
func missingError(s *schedule.Schedule, complete []schedule.ShardRange, count int, damaged []Error) error {
	again := s.Uncovered(complete, count)
	switch {
	case len(damaged) > 0:
		e := damaged[0]
		e.Resample = again
		if others := len(damaged) - 1; others > 0 {
			e.Text += fmt.Sprintf("; of all files %d are", others+1)
		}
		if len(again) == 0 {
			e.Text += "; others have all that the plan draws, so that it can be removed"
		}
		return e
	case len(again) > 0:
		return Error{Kind: Missing, Resample: again, Text: fmt.Sprintf("%d of %d shards are missing", len(again), count)}
	}
	return nil
}

// Spec writes indices as schedulers take them: 3,7-9.
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

// pool is the nodes of files before they are merged.
type pool map[store.CellID][]pooled

// pooled is a node with the file that it is from.
type pooled struct {
	store.Entry
	path string
}

// store merges the nodes into a store of the schedule, each block once.
func (p pool) store(s *schedule.Schedule) (*store.Store, error) {
	nodes := store.New(run.Origin(s.Plan))
	for c, nodesOfCell := range p {
		slices.SortStableFunc(nodesOfCell, func(a, b pooled) int { return a.At.Compare(b.At) })
		merging := cell{CellID: c}
		for i := 0; i < len(nodesOfCell); {
			inner := i + 1
			for inner < len(nodesOfCell) && nodesOfCell[inner].At.First() < nodesOfCell[i].At.End() {
				inner++
			}
			n, err := merging.mergeAgreeing(nodesOfCell[i:inner])
			if err != nil {
				return nil, err
			}
			if err := nodes.Add(c, nodesOfCell[i].At, n); err != nil {
				return nil, err
			}
			i = inner
		}
		if err := nodes.Flush(); err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

// cell is a cell whose nodes are merged.
type cell struct {
	store.CellID
	layout moments.Layout
}

// decode decodes a node of a file. It fails if no run samples such a node, although the file's
// checksum is right.
func (c *cell) decode(of pooled) (moments.Node, error) {
	n, err := of.Decoded(c.CellID)
	if err != nil || !c.layout.Fits(n) {
		return n, contradictionError(of.path)
	}
	return n, nil
}

// mergeAgreeing returns the first of the nodes, which are in the order of their ranges and lie inside its
// range. It fails if nodes of the same blocks have different bits: nodes of one range, and the
// nodes inside the first if they make up all its blocks.
func (c *cell) mergeAgreeing(nodes []pooled) (moments.Node, error) {
	first, err := c.decode(nodes[0])
	if err != nil {
		return first, err
	}
	var inside moments.BlockRanges
	var insideNodes []pooled
	for i, n := range nodes[1:] {
		switch before := nodes[i]; {
		case n.At != before.At:
			inside, insideNodes = append(inside, n.At), append(insideNodes, n)
		case !bytes.Equal(n.Node, before.Node):
			return first, c.differenceError(before, n)
		}
	}
	sum, ok, err := inside.MergedNode(nodes[0].At.First(), nodes[0].At.End(),
		func(i int) (moments.Node, error) { return c.decode(insideNodes[i]) })
	if ok && !bytes.Equal(nodes[0].Node, moments.AppendNode(nil, sum)) {
		err = c.differenceError(nodes[0], insideNodes[0])
	}
	return first, err
}

// differenceError returns the error of two files with different bits of the same blocks.
func (c *cell) differenceError(a, b pooled) error {
	return Error{Kind: Differing,
		Text: fmt.Sprintf("%s and %s differ in blocks %d to %d of cell %s, though both are whole; "+
			"one was drawn by a machine that errs",
			a.path, b.path, a.At.First(), a.At.End()-1, c.ID)}
}
