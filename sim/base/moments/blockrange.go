package moments

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
)

// BlockRange is the dyadic range of blocks [Index·2^Level, (Index+1)·2^Level).
type BlockRange struct {
	Level int
	Index int64
}

// First returns the first block of the range.
func (r BlockRange) First() int64 { return r.Index << r.Level }

// Blocks returns the number of blocks in the range.
func (r BlockRange) Blocks() int64 { return 1 << r.Level }

// End returns the block after the last one of the range.
func (r BlockRange) End() int64 { return r.First() + r.Blocks() }

// Parent returns the range that consists of this range and its sibling.
func (r BlockRange) Parent() BlockRange { return BlockRange{r.Level + 1, r.Index >> 1} }

func (r BlockRange) sibling() BlockRange { return BlockRange{r.Level, r.Index ^ 1} }

// Halves returns the two halves of a range. Its level must be at least 1.
func (r BlockRange) Halves() (BlockRange, BlockRange) {
	return BlockRange{r.Level - 1, 2 * r.Index}, BlockRange{r.Level - 1, 2*r.Index + 1}
}

// Compare orders ranges by their first block. If two have the same first block, the longer range is
// first.
func (r BlockRange) Compare(s BlockRange) int {
	return cmp.Or(cmp.Compare(r.First(), s.First()), cmp.Compare(s.Level, r.Level))
}

// gridSizesPerOctave is the number of sizes per octave in the grid of sample sizes.
const gridSizesPerOctave = 4

// RoundUpBlocks returns the smallest number of blocks ≥ n in the grid of sample sizes: 1 to 8, and
// above 8 four sizes per octave, 10, 12, 14, 16, 20, … . Sample sizes are rounded up to sizes of
// the grid, so that a plan with slightly larger samples often needs no new samples. Rounding
// increases a size by at most a quarter, and by an eighth on average.
func RoundUpBlocks(n int64) int64 {
	logStep := bits.Len64(uint64(max(n, 0))) - bits.Len(gridSizesPerOctave)
	if logStep <= 0 {
		return n
	}
	step := int64(1) << logStep // distance of the sizes in the octave of n
	return (n + step - 1) / step * step
}

// IsBetweenGridSizes reports whether no size of the grid lies inside the range. If all nodes have
// such ranges, the first n blocks of a cell can be merged for every size n of the grid.
func (r BlockRange) IsBetweenGridSizes() bool { return r.Level == 0 || r.Index >= gridSizesPerOctave }

// SplitDyadic splits the blocks [first, end) into the largest dyadic ranges, in order.
func SplitDyadic(first, end int64) []BlockRange {
	var ranges []BlockRange
	for first < end {
		level := bits.Len64(uint64(end-first)) - 1
		if first > 0 {
			level = min(level, bits.TrailingZeros64(uint64(first)))
		}
		ranges = append(ranges, BlockRange{level, first >> level})
		first += 1 << level
	}
	return ranges
}

// BlockRanges are the ranges of stored nodes in the order of Compare. They may overlap.
type BlockRanges []BlockRange

// Find returns the index of r in the list, or the index at which it would be inserted.
func (list BlockRanges) Find(r BlockRange) (int, bool) {
	return slices.BinarySearchFunc(list, r, BlockRange.Compare)
}

// HasSubrange reports whether the list has a shorter range inside r.
func (list BlockRanges) HasSubrange(r BlockRange) bool {
	i := sort.Search(len(list), func(i int) bool { return list[i].Compare(r) > 0 })
	return i < len(list) && list[i].First() < r.End()
}

// Missing returns the ranges in [first, end) that the list does not have. Each has at most
// 2^maxLevel blocks, and no size of the grid lies inside it. A range inside a longer range of the
// list counts as missing, since a merged node cannot be split.
func (list BlockRanges) Missing(first, end int64, maxLevel int) []BlockRange {
	var missing []BlockRange
	for _, r := range SplitDyadic(first, end) {
		missing = list.appendMissing(missing, r, maxLevel)
	}
	return missing
}

// appendMissing appends the missing parts of r.
func (list BlockRanges) appendMissing(missing []BlockRange, r BlockRange, maxLevel int) []BlockRange {
	if _, found := list.Find(r); found {
		return missing
	}
	if r.Level == 0 || r.Level <= maxLevel && r.IsBetweenGridSizes() && !list.HasSubrange(r) {
		return append(missing, r)
	}
	left, right := r.Halves()
	return list.appendMissing(list.appendMissing(missing, left, maxLevel), right, maxLevel)
}

// MergeNodes merges the stored nodes of the blocks [first, end) in the order of the dyadic tree,
// left before right. readNode returns the node of range i of the list; MergeNodes may change this
// node. ok is false if the nodes do not cover the blocks.
func (list BlockRanges) MergeNodes(first, end int64, readNode func(i int) (Node, error)) (total Node, ok bool,
	err error) {
	for i, r := range SplitDyadic(first, end) {
		n, ok, err := list.mergeRange(r, readNode)
		if !ok || err != nil {
			return Node{}, false, err
		}
		if i == 0 {
			total = n
		} else {
			total = MergeNodes(total, n)
		}
	}
	return total, end > first, nil
}

// mergeRange merges the stored nodes of one range.
func (list BlockRanges) mergeRange(r BlockRange, readNode func(i int) (Node, error)) (n Node, ok bool, err error) {
	if i, found := list.Find(r); found {
		n, err = readNode(i)
		return n, err == nil, err
	}
	if r.Level == 0 || !list.HasSubrange(r) {
		return n, false, nil
	}
	first, second := r.Halves()
	left, ok, err := list.mergeRange(first, readNode)
	if !ok || err != nil {
		return n, false, err
	}
	right, ok, err := list.mergeRange(second, readNode)
	if !ok || err != nil {
		return n, false, err
	}
	return MergeNodes(left, right), true, nil
}
