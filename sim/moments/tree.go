package moments

import (
	"cmp"
	"fmt"
	"slices"
)

// Place says which blocks a node holds: those from Index·2^Level up to, not
// including, (Index+1)·2^Level.
type Place struct {
	Level int
	Index int64
}

// First is the first block of the place; Blocks is how many it holds.
func (p Place) First() int64  { return p.Index << p.Level }
func (p Place) Blocks() int64 { return 1 << p.Level }

func (p Place) parent() Place  { return Place{p.Level + 1, p.Index >> 1} }
func (p Place) sibling() Place { return Place{p.Level, p.Index ^ 1} }
func (p Place) halves() (Place, Place) {
	return Place{p.Level - 1, 2 * p.Index}, Place{p.Level - 1, 2*p.Index + 1}
}

// Tree is the nodes of one cell. Siblings merge with each other alone, left
// before right, so the same blocks give the same bits in whatever order and
// from however many machines they arrive. Counts in histograms add up in any order, so
// those of all nodes are held once, with the first of them.
type Tree struct {
	nodes      []placed // in no order: they are few, and of most cells there is one
	histograms []Histogram
}

// placed is a node in its place.
type placed struct {
	at   Place
	node Node
}

// NewTree returns a tree without nodes.
func NewTree() *Tree { return &Tree{} }

// find is where the node of a place stands, -1 if there is none.
func (t *Tree) find(at Place) int {
	return slices.IndexFunc(t.nodes, func(p placed) bool { return p.at == at })
}

// Add puts a node in its place and merges it upward as far as it goes. It is
// an error if the tree already holds some of its blocks.
func (t *Tree) Add(at Place, n Node) error {
	if t.overlaps(at) {
		return fmt.Errorf("blocks %d to %d are already there", at.First(), at.First()+at.Blocks()-1)
	}
	t.count(n.Histograms)
	n.Histograms = nil
	for {
		i := t.find(at.sibling())
		if i < 0 {
			t.nodes = append(t.nodes, placed{at, n})
			return nil
		}
		other := t.nodes[i].node
		t.nodes = slices.Delete(t.nodes, i, i+1)
		if at.Index&1 == 0 {
			n = MergeNodes(n, other)
		} else {
			n = MergeNodes(other, n)
		}
		at = at.parent()
	}
}

// count adds the counts of histograms to those that the tree holds, in place where it can:
// they are its own.
func (t *Tree) count(more []Histogram) {
	if len(t.histograms) == 0 {
		for _, h := range more {
			h.Counts = slices.Clone(h.Counts)
			t.histograms = append(t.histograms, h)
		}
		return
	}
	for i, h := range more {
		own := &t.histograms[i]
		if h.From < own.From || h.From+len(h.Counts) > own.From+len(own.Counts) || !slices.Equal(h.Windows, own.Windows) {
			*own = MergeHistograms(*own, h)
			continue
		}
		to := own.Counts[h.From-own.From:]
		for j, c := range h.Counts {
			to[j] += c
		}
	}
}

// overlaps reports whether the tree has some of the blocks of the place.
func (t *Tree) overlaps(at Place) bool {
	for _, n := range t.nodes {
		p := n.at
		low, high := p, at
		if p.Level > at.Level {
			low, high = at, p
		}
		if low.Index>>(high.Level-low.Level) == high.Index {
			return true
		}
	}
	return false
}

// Places lists where the tree has nodes, by first block.
func (t *Tree) Places() []Place {
	places := make([]Place, 0, len(t.nodes))
	for _, n := range t.nodes {
		places = append(places, n.at)
	}
	slices.SortFunc(places, func(a, b Place) int { return cmp.Compare(a.First(), b.First()) })
	return places
}

// Node returns the node at a place, the first with the histograms of all.
func (t *Tree) Node(at Place) (Node, bool) {
	i := t.find(at)
	if i < 0 {
		return Node{}, false
	}
	n := t.nodes[i].node
	if !slices.ContainsFunc(t.nodes, func(p placed) bool { return p.at.First() < at.First() }) {
		n.Histograms = t.histograms
	}
	return n, true
}

// Cover lists the largest dyadic places that make up the blocks 0 to n−1.
func Cover(n int64) []Place {
	var places []Place
	for level, first := 62, int64(0); level >= 0; level-- {
		if n&(1<<level) != 0 {
			places = append(places, Place{level, first >> level})
			first += 1 << level
		}
	}
	return places
}

// Missing lists the dyadic places of at most 2^level blocks that the tree
// lacks of the blocks 0 to n−1.
func (t *Tree) Missing(n int64, level int) []Place {
	var missing []Place
	held := t.Places()
	for _, p := range Cover(n) {
		missing = t.missing(missing, held, p, level)
	}
	return missing
}

// missing adds to list what the tree lacks of a place; held is where it has nodes.
func (t *Tree) missing(list, held []Place, at Place, level int) []Place {
	if t.find(at) >= 0 {
		return list
	}
	inside := slices.ContainsFunc(held, func(p Place) bool {
		return p.Level < at.Level && p.Index>>(at.Level-p.Level) == at.Index
	})
	if !inside && at.Level <= level {
		return append(list, at)
	}
	left, right := at.halves()
	return t.missing(t.missing(list, held, left, level), held, right, level)
}

// Total merges the blocks 0 to n−1, left to right. It is false unless the
// tree holds just these blocks, no fewer and no more: a merged node cannot be
// parted again.
func (t *Tree) Total(n int64) (Node, bool) {
	cover := Cover(n)
	if len(cover) == 0 || len(cover) != len(t.nodes) {
		return Node{}, false
	}
	total, ok := t.Node(cover[0])
	for _, p := range cover[1:] {
		next, held := t.Node(p)
		if !ok || !held {
			return Node{}, false
		}
		total = MergeNodes(total, next)
	}
	return total, ok
}

// Extends reports whether blocks can be added to the tree to make it hold
// just the blocks 0 to n−1.
func (t *Tree) Extends(n int64) bool {
	return !slices.ContainsFunc(t.nodes, func(p placed) bool { return p.at.First()+p.at.Blocks() > n })
}
