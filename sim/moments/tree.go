package moments

import (
	"cmp"
	"fmt"
	"maps"
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
// from however many machines they arrive.
type Tree struct {
	nodes map[Place]*Node // a map has room for eight from the first on, and a cell may have but one
}

// NewTree returns a tree without nodes.
func NewTree() *Tree { return &Tree{nodes: map[Place]*Node{}} }

// Add puts a node in its place and merges it upward as far as it goes. It is
// an error if the tree already holds some of its blocks.
func (t *Tree) Add(at Place, n Node) error {
	if t.overlaps(at) {
		return fmt.Errorf("blocks %d to %d are already there", at.First(), at.First()+at.Blocks()-1)
	}
	for {
		other, ok := t.nodes[at.sibling()]
		if !ok {
			t.nodes[at] = &n
			return nil
		}
		delete(t.nodes, at.sibling())
		if at.Index&1 == 0 {
			n = MergeNodes(n, *other)
		} else {
			n = MergeNodes(*other, n)
		}
		at = at.parent()
	}
}

// overlaps reports whether the tree has some of the blocks of the place.
func (t *Tree) overlaps(at Place) bool {
	for p := range t.nodes {
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
	return slices.SortedFunc(maps.Keys(t.nodes), func(a, b Place) int { return cmp.Compare(a.First(), b.First()) })
}

// Node returns the node at a place.
func (t *Tree) Node(at Place) (Node, bool) {
	n, ok := t.nodes[at]
	if !ok {
		return Node{}, false
	}
	return *n, true
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
	if _, ok := t.nodes[at]; ok {
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
	for p := range t.nodes {
		if p.First()+p.Blocks() > n {
			return false
		}
	}
	return true
}
