package shard

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcsim/sim/moments"
	"mcsim/sim/run"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
)

// Kind is a kind of trouble with files of shards.
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

// Merged is what files make up.
type Merged struct {
	Schedule      *schedule.Schedule
	Nodes         *store.Store
	Files         int
	Same          int      // files that hold what another does
	Architectures []string // of the machines that drew, in order
}

// file is one that was read.
type file struct {
	path string
	*Header
	body []byte // its records
}

// Merge makes of files, in any order, the nodes of the whole plan. Which shards are missing is said for so many parts
// as most files are of, or for parts, where it is not 0.
func Merge(paths []string, parts int) (*Merged, error) {
	files, damaged, err := headers(paths)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		damaged[0].Again = make([]int, parts) // all, as far as they are known
		for i := range damaged[0].Again {
			damaged[0].Again[i] = i
		}
		return nil, damaged[0]
	}
	s, err := agree(files)
	if err != nil {
		return nil, err
	}
	m := &Merged{Schedule: s, Files: len(files)}
	of := cmp.Or(parts, usual(files))
	seen := map[schedule.Share]bool{}
	for _, f := range files {
		if seen[f.Share()] {
			m.Same++
		}
		seen[f.Share()] = true
		if !slices.Contains(m.Architectures, f.Architecture) {
			m.Architectures = append(m.Architectures, f.Architecture)
		}
	}
	slices.Sort(m.Architectures)
	held := newPool(s)
	var whole []file
	for _, f := range files {
		all, err := f.nodes(f.path, s, f.body)
		if e := (Error{}); errors.As(err, &e) && e.Kind == Damaged {
			damaged = append(damaged, e)
			continue
		}
		if err != nil {
			return nil, err
		}
		held.add(f.path, all)
		whole = append(whole, f)
	}
	if err := lacking(s, shares(whole), of, damaged); err != nil {
		return nil, err
	}
	m.Nodes, err = held.store()
	if e := (unreadable{}); errors.As(err, &e) {
		others := slices.DeleteFunc(whole, func(f file) bool { return f.path == e.path })
		return nil, lacking(s, shares(others), of, append(damaged, contradicted(e.path)))
	}
	return m, err
}

// shares are what files are of.
func shares(files []file) []schedule.Share {
	all := make([]schedule.Share, len(files))
	for i, f := range files {
		all[i] = f.Share()
	}
	return all
}

// unreadable says that a file holds a node which, though its sum is right, is none that a run draws.
type unreadable struct{ path string }

func (e unreadable) Error() string { return e.path + " holds nodes that no run draws" }

// headers reads those of all files; damaged are the errors of files that are.
func headers(paths []string) (files []file, damaged []Error, err error) {
	for _, path := range paths {
		h, body, err := ReadHeader(path)
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

// agree wants files to be of one plan, and of the bits that this program draws for it. It returns the plan's schedule.
func agree(files []file) (*schedule.Schedule, error) {
	first := files[0]
	for _, f := range files {
		if f.PlanDigest != first.PlanDigest {
			return nil, Error{Kind: OtherPlan, Text: fmt.Sprintf("%s is a shard of another plan than %s", f.path, first.path)}
		}
	}
	s, err := first.schedule()
	if err != nil {
		return nil, Error{Kind: OtherPlan, Text: fmt.Sprintf("%s: this version does not take its plan: %v", first.path, err)}
	}
	own := run.OriginOf(s)
	for _, f := range files {
		if what := f.foreign(own); what != "" {
			return nil, Error{Kind: OtherBits, Text: fmt.Sprintf("%s was drawn on %s by a version with other random bits than this one (%s); draw it again with this version",
				f.path, f.Architecture, what)}
		}
	}
	return s, nil
}

// usual is the number of shards that most files are of.
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

// lacking refuses files that do not make up the plan, or are damaged, and says which shards to draw again.
func lacking(s *schedule.Schedule, whole []schedule.Share, of int, damaged []Error) error {
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

// pool is the nodes of files, before they are merged.
type pool struct {
	schedule *schedule.Schedule
	cells    map[store.Cell][]pooled
}

// pooled is a node with the file that it is from.
type pooled struct {
	store.Entry
	path string
}

func newPool(s *schedule.Schedule) *pool { return &pool{s, map[store.Cell][]pooled{}} }

// add adds the nodes of a file.
func (p *pool) add(path string, all []nodes) {
	for _, n := range all {
		for _, e := range n.entries {
			p.cells[n.cell] = append(p.cells[n.cell], pooled{e, path})
		}
	}
}

// store is the nodes as a store has them, each block once.
func (p *pool) store() (*store.Store, error) {
	into := store.New(run.OriginOf(p.schedule))
	for cell, all := range p.cells {
		slices.SortStableFunc(all, func(a, b pooled) int { return a.At.Compare(b.At) })
		var apart []store.Entry
		for i := 0; i < len(all); {
			inner := i + 1
			for inner < len(all) && all[inner].At.First() < all[i].At.End() {
				inner++
			}
			if err := agreeing(cell, all[i:inner]); err != nil {
				return nil, err
			}
			apart = append(apart, all[i].Entry)
			i = inner
		}
		if err := into.Put(cell, apart); err != nil {
			return nil, errors.Join(err, unlike(all))
		}
	}
	return into, nil
}

// unlike names the first file whose node of a cell cannot be read or does not go with the first one.
func unlike(all []pooled) error {
	layout := moments.Layout{}
	for _, n := range all {
		if node, err := n.Decoded(); err != nil || !layout.Fits(node) {
			return unreadable{n.path}
		}
	}
	return unreadable{all[0].path}
}

// agreeing wants nodes of the same blocks to have the same bits: those at the place of the first, and those inside
// it as far as they make up its blocks.
func agreeing(cell store.Cell, all []pooled) error {
	var inside moments.Places
	var of []pooled
	for _, n := range all[1:] {
		switch i, held := inside.Find(n.At); {
		case n.At == all[0].At:
			if err := same(cell, all[0], n, n.Encoded); err != nil {
				return err
			}
		case held:
			if err := same(cell, of[i], n, n.Encoded); err != nil {
				return err
			}
		default:
			inside, of = append(inside, n.At), append(of, n)
		}
	}
	n, ok, err := inside.Merged(all[0].At.First(), all[0].At.End(), func(i int) (moments.Node, error) {
		n, err := of[i].Decoded()
		if err != nil {
			err = unreadable{of[i].path}
		}
		return n, err
	})
	if !ok || err != nil {
		return err
	}
	return same(cell, all[0], of[0], moments.AppendNode(nil, n))
}

// same wants the node of one file to be what another has of its place.
func same(cell store.Cell, a, b pooled, encoded []byte) error {
	if bytes.Equal(a.Encoded, encoded) {
		return nil
	}
	return Error{Kind: Differing, Text: fmt.Sprintf("%s and %s differ in blocks %d to %d of cell %s, though both are whole; one was drawn by a machine that errs",
		a.path, b.path, a.At.First(), a.At.End()-1, cell.ID)}
}
