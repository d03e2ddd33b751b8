package moments

import (
	"fmt"
	"slices"
)

// Tree holds the nodes of one cell. It merges a node only with its sibling, left before right, and
// only if no size of the grid lies inside their parent ([BlockRange.IsBetweenGridSizes]). The same
// blocks therefore give the same bits, whatever the order in which they are added.
type Tree struct{ nodes map[BlockRange]Node }

// NewTree returns an empty tree.
func NewTree() *Tree { return &Tree{map[BlockRange]Node{}} }

// Add adds a node, which the tree then owns, and merges it with its siblings as far as possible.
// It fails if the tree already has some of its blocks.
func (t *Tree) Add(r BlockRange, n Node) error {
	if t.overlaps(r) {
		return fmt.Errorf("blocks %d to %d are already in the tree", r.First(), r.End()-1)
	}
	for {
		other, found := t.nodes[r.sibling()]
		if !found || !r.Parent().IsBetweenGridSizes() {
			t.nodes[r] = n
			return nil
		}
		delete(t.nodes, r.sibling())
		if r.Index&1 == 0 {
			n = MergeNodes(n, other)
		} else {
			n = MergeNodes(other, n)
		}
		r = r.Parent()
	}
}

// overlaps reports whether the tree has some of the blocks of r.
func (t *Tree) overlaps(r BlockRange) bool {
	for existing := range t.nodes {
		if existing.First() < r.End() && r.First() < existing.End() {
			return true
		}
	}
	return false
}

// Ranges returns the ranges of the tree's nodes in order.
func (t *Tree) Ranges() BlockRanges {
	ranges := make(BlockRanges, 0, len(t.nodes))
	for r := range t.nodes {
		ranges = append(ranges, r)
	}
	slices.SortFunc(ranges, BlockRange.Compare)
	return ranges
}

// Node returns the node of a range.
func (t *Tree) Node(r BlockRange) (Node, bool) {
	n, ok := t.nodes[r]
	return n, ok
}
