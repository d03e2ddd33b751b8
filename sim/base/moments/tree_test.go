package moments

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// newBlockNode returns a node whose numbers depend only on index.
func newBlockNode(index int64) Node {
	r := rand.New(rand.NewPCG(uint64(index), 1))
	xs := []float64{r.NormFloat64(), r.ExpFloat64(), r.Float64(), 0.3}
	return Node{Moments: []Moments{New(xs, 4)}, Counts: []int64{index}}
}

// mergeHalves returns the node of a range. It merges the nodes of the halves, left before right.
func mergeHalves(r BlockRange) Node {
	if r.Level == 0 {
		return newBlockNode(r.Index)
	}
	left, right := r.Halves()
	return MergeNodes(mergeHalves(left), mergeHalves(right))
}

// splitRandomly splits the blocks [first, end) into dyadic ranges and shuffles them.
func splitRandomly(t *rapid.T, first, end int64) []BlockRange {
	var cut func(list []BlockRange, at BlockRange) []BlockRange
	cut = func(list []BlockRange, r BlockRange) []BlockRange {
		if r.Level == 0 || rapid.Bool().Draw(t, "whole") {
			return append(list, r)
		}
		left, right := r.Halves()
		return cut(cut(list, left), right)
	}
	var ranges []BlockRange
	for _, p := range SplitDyadic(first, end) {
		ranges = cut(ranges, p)
	}
	return rapid.Permutation(ranges).Draw(t, "order")
}

// countBlocks counts how often each of the first 128 blocks is in the ranges.
func countBlocks(ranges []BlockRange) (blocks [128]int) {
	for _, p := range ranges {
		for i := range p.Blocks() {
			blocks[p.First()+i]++
		}
	}
	return blocks
}

// TestMissing adds some ranges of [first, end) to a tree. It checks that these and the missing
// ranges together have each block once, and that missing ranges have at most the requested level
// and no size of the grid inside. After the missing ranges are added, the total must be complete.
func TestMissing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.Int64Range(0, 64).Draw(t, "first")
		end := rapid.Int64Range(first+1, 128).Draw(t, "end")
		level := rapid.IntRange(0, 7).Draw(t, "level")
		tree := NewTree()
		for _, p := range splitRandomly(t, first, end) {
			if p.IsBetweenGridSizes() && rapid.Bool().Draw(t, "held") {
				if err := tree.Add(p, mergeHalves(p)); err != nil {
					t.Fatal(err)
				}
			}
		}
		missing := tree.Ranges().Missing(first, end, level)
		for i, got := range countBlocks(append(tree.Ranges(), missing...)) {
			want := 0
			if int64(i) >= first && int64(i) < end {
				want = 1
			}
			if got != want {
				t.Fatalf("block %d is in %d of the tree's and the missing ranges of [%d, %d), want %d", i, got, first, end,
					want)
			}
		}
		if _, ok := mergeTree(tree, first, end); ok != (len(missing) == 0) {
			t.Errorf("the blocks can be merged: %v, but %d ranges are missing", ok, len(missing))
		}
		for _, p := range missing {
			if p.Level > level || !p.IsBetweenGridSizes() {
				t.Errorf("missing range %+v, want at most level %d and no size of the grid inside", p, level)
			}
			if err := tree.Add(p, mergeHalves(p)); err != nil {
				t.Fatal(err)
			}
		}
		total, ok := mergeTree(tree, first, end)
		if !ok || !bytes.Equal(AppendNode(nil, total), AppendNode(nil, mergeInOrder(first, end))) {
			t.Error("after the missing ranges were added, the total is not the total of all blocks")
		}
	})
}

// mergeTree merges the tree's nodes of the blocks [first, end). It copies the nodes.
func mergeTree(t *Tree, first, end int64) (Node, bool) {
	ranges := t.Ranges()
	n, ok, _ := ranges.MergeNodes(first, end, func(i int) (Node, error) {
		copied := Reader{B: AppendNode(nil, t.nodes[ranges[i]])}
		return copied.Node(), nil
	})
	return n, ok
}

// mergeInOrder merges the blocks [first, end) as a run that samples all of them does.
func mergeInOrder(first, end int64) (total Node) {
	for i, p := range SplitDyadic(first, end) {
		if n := mergeHalves(p); i == 0 {
			total = n
		} else {
			total = MergeNodes(total, n)
		}
	}
	return total
}

// TestTotalsAtGridSizes checks that a tree has the total of its first n blocks for every n in the
// grid of sample sizes. It need not have the total for other n, since nodes were merged.
func TestTotalsAtGridSizes(t *testing.T) {
	const blocks = 200
	tree := NewTree()
	for _, p := range BlockRanges(nil).Missing(0, blocks, 62) {
		if err := tree.Add(p, mergeHalves(p)); err != nil {
			t.Fatal(err)
		}
	}
	for n := int64(1); n <= blocks; n++ {
		total, ok := mergeTree(tree, 0, n)
		if ok && !bytes.Equal(AppendNode(nil, total), AppendNode(nil, mergeInOrder(0, n))) {
			t.Errorf("the total of %d blocks has other bytes than the blocks merged in order", n)
		}
		if isGridSize := RoundUpBlocks(n) == n; !ok && isGridSize {
			t.Errorf("there is no total of %d blocks, a size of the grid", n)
		}
	}
	if _, ok := mergeTree(tree, 0, blocks+1); ok {
		t.Error("more blocks than were sampled have a total")
	}
}

// TestRoundUpBlocks checks that the smallest sizes of the grid are not changed, that other sizes
// increase by at most a quarter, and that twice a size of the grid is also in the grid.
func TestRoundUpBlocks(t *testing.T) {
	for _, want := range []int64{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32} {
		if got := RoundUpBlocks(want); got != want {
			t.Errorf("RoundUpBlocks(%[1]d) = %[2]d, want %[1]d", want, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 1<<60).Draw(t, "n")
		r := RoundUpBlocks(n)
		if r < n || float64(r) > 1.25*float64(n) {
			t.Errorf("RoundUpBlocks(%d) = %d, want %[1]d to 1.25·%[1]d", n, r)
		}
		for _, size := range []int64{r, 2 * r} {
			if got := RoundUpBlocks(size); got != size {
				t.Errorf("RoundUpBlocks(%[1]d) = %[2]d, want %[1]d", size, got)
			}
		}
	})
}

func TestAddRefusesOverlap(t *testing.T) {
	for _, c := range []struct {
		existing, added BlockRange
		overlap         bool
	}{
		{BlockRange{0, 3}, BlockRange{0, 3}, true},
		{BlockRange{2, 0}, BlockRange{0, 3}, true},
		{BlockRange{0, 3}, BlockRange{2, 0}, true},
		{BlockRange{2, 0}, BlockRange{0, 4}, false},
		{BlockRange{0, 4}, BlockRange{2, 0}, false},
		{BlockRange{1, 1}, BlockRange{0, 1}, false},
	} {
		tree := NewTree()
		if err := tree.Add(c.existing, mergeHalves(c.existing)); err != nil {
			t.Fatal(err)
		}
		if err := tree.Add(c.added, mergeHalves(c.added)); (err != nil) != c.overlap {
			t.Errorf("Add of %v to a tree with %v: error %v, want an error: %v", c.added, c.existing, err, c.overlap)
		}
	}
}
