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
	// Again are the indices of the shards that are to be drawn again, where they are known.
	Again []int
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
			damaged[0].Again = append(damaged[0].Again, i)
		}
		return nil, damaged[0]
	}
	s, err := agree(files)
	if err != nil {
		return nil, err
	}
	of := cmp.Or(parts, usual(files))
	held, whole, drawn := pool{}, []schedule.ShardRange{}, map[string]bool{}
	for _, f := range files {
		err := f.nodes(f.path, s, f.body, held)
		if e := (Error{}); errors.As(err, &e) && e.Kind == Damaged {
			damaged = append(damaged, e)
			continue
		}
		if err != nil {
			return nil, err
		}
		whole, drawn[f.Architecture] = append(whole, f.share()), true
	}
	if err := lacking(s, whole, of, damaged); err != nil {
		return nil, err
	}
	nodes, err := held.store(s)
	return &Merged{Schedule: s, Nodes: nodes, Files: len(files), Architectures: slices.Sorted(maps.Keys(drawn))}, err
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

// agree returns the schedule of the files' plan. It fails if they are not of one plan, or of other
// random bits than this program samples for it.
func agree(files []file) (*schedule.Schedule, error) {
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
		if what := f.foreign(run.Origin(s.Plan)); what != "" {
			return nil, Error{Kind: OtherBits,
				Text: fmt.Sprintf("%s was drawn on %s by a version with other random bits than this one (%s); "+
					"draw it again with this version",
					f.path, f.Architecture, what)}
		}
	}
	return s, nil
}

// usual returns the number of shards that most files are of.
func usual(files []file) (of int) {
	count := map[int]int{}
	for _, f := range files {
		count[f.Of]++
		if count[f.Of] > count[of] || count[f.Of] == count[of] && f.Of > of {
			of = f.Of
		}
	}
	return of
}

// lacking returns the error of files that do not make up the plan or are damaged, with the shards
// to sample again.
func lacking(s *schedule.Schedule, whole []schedule.ShardRange, of int, damaged []Error) error {
	again := s.Uncovered(whole, of)
	switch {
	case len(damaged) > 0:
		e := damaged[0]
		e.Again = again
		if more := len(damaged) - 1; more > 0 {
			e.Text += fmt.Sprintf("; of all files %d are", more+1)
		}
		if len(again) == 0 {
			e.Text += "; others have all that the plan draws, so that it can be removed"
		}
		return e
	case len(again) > 0:
		return Error{Kind: Missing, Again: again, Text: fmt.Sprintf("%d of %d shards are missing", len(again), of)}
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
	into := store.New(run.Origin(s.Plan))
	for c, all := range p {
		slices.SortStableFunc(all, func(a, b pooled) int { return a.Range.Compare(b.Range) })
		of := cell{CellID: c}
		for i := 0; i < len(all); {
			inner := i + 1
			for inner < len(all) && all[inner].Range.First() < all[i].Range.End() {
				inner++
			}
			n, err := of.agreed(all[i:inner])
			if err != nil {
				return nil, err
			}
			if err := into.Add(c, all[i].Range, n); err != nil {
				return nil, err
			}
			i = inner
		}
		if err := into.Flush(); err != nil {
			return nil, err
		}
	}
	return into, nil
}

// cell is a cell whose nodes are merged.
type cell struct {
	store.CellID
	layout moments.Layout
}

// node decodes a node of a file. It fails if no run samples such a node, although the file's
// checksum is right.
func (c *cell) node(of pooled) (moments.Node, error) {
	n, err := of.Decode(c.CellID)
	if err != nil || !c.layout.Accepts(n) {
		return n, contradicted(of.path)
	}
	return n, nil
}

// agreed returns the first of the nodes, which are in the order of their ranges and lie inside its
// range. It fails if nodes of the same blocks have different bits: nodes of one range, and the
// nodes inside the first if they make up all its blocks.
func (c *cell) agreed(all []pooled) (moments.Node, error) {
	first, err := c.node(all[0])
	if err != nil {
		return first, err
	}
	var inside moments.BlockRanges
	var of []pooled
	for i, n := range all[1:] {
		switch before := all[i]; {
		case n.Range != before.Range:
			inside, of = append(inside, n.Range), append(of, n)
		case !bytes.Equal(n.Node, before.Node):
			return first, c.differ(before, n)
		}
	}
	sum, ok, err := inside.MergeNodes(all[0].Range.First(), all[0].Range.End(),
		func(i int) (moments.Node, error) { return c.node(of[i]) })
	if ok && !bytes.Equal(all[0].Node, moments.AppendNode(nil, sum)) {
		err = c.differ(all[0], of[0])
	}
	return first, err
}

// differ returns the error of two files with different bits of the same blocks.
func (c *cell) differ(a, b pooled) error {
	return Error{Kind: Differing,
		Text: fmt.Sprintf("%s and %s differ in blocks %d to %d of cell %s, though both are whole; "+
			"one was drawn by a machine that errs",
			a.path, b.path, a.Range.First(), a.Range.End()-1, c.ID)}
}
