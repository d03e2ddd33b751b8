package moments

import (
	"fmt"
	"slices"
)

// Tree is the nodes of one cell. Siblings merge with each other alone, left
// before right, so the same blocks give the same bits in whatever order and
// from however many machines they arrive. They merge where no rung lies inside
// ([BlockRange.BetweenGridSizes]).
type Tree struct{ nodes map[BlockRange]Node }

// NewTree returns a tree without nodes.
func NewTree() *Tree { return &Tree{map[BlockRange]Node{}} }

// Add puts a node in its place and merges it upward as far as it goes. It is
// an error if the tree already holds some of its blocks. The node becomes the tree's.
func (t *Tree) Add(at BlockRange, n Node) error {
	if t.overlaps(at) {
		return fmt.Errorf("blocks %d to %d are already there", at.First(), at.End()-1)
	}
	for {
		other, found := t.nodes[at.sibling()]
		if !found || !at.Parent().IsBetweenGridSizes() {
			t.nodes[at] = n
			return nil
		}
		delete(t.nodes, at.sibling())
		if at.Index&1 == 0 {
			n = MergeNodes(n, other)
		} else {
			n = MergeNodes(other, n)
		}
		at = at.Parent()
	}
}

// overlaps reports whether the tree has some of the blocks of the place.
func (t *Tree) overlaps(at BlockRange) bool {
	for held := range t.nodes {
		if held.First() < at.End() && at.First() < held.End() {
			return true
		}
	}
	return false
}

// Ranges lists where the tree has nodes.
func (t *Tree) Ranges() BlockRanges {
	ranges := make(BlockRanges, 0, len(t.nodes))
	for p := range t.nodes {
		ranges = append(ranges, p)
	}
	slices.SortFunc(ranges, BlockRange.Compare)
	return ranges
}

// Node returns the node at a place.
func (t *Tree) Node(at BlockRange) (Node, bool) {
	n, ok := t.nodes[at]
	return n, ok
}
