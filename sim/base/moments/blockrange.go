package moments

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
)

// BlockRange says which blocks a node holds: those from Index·2^Level up to, not
// including, (Index+1)·2^Level.
type BlockRange struct {
	Level int
	Index int64
}

// First is the first block of the place, Blocks is how many it holds, and End is the block
// behind its last.
func (p BlockRange) First() int64  { return p.Index << p.Level }
func (p BlockRange) Blocks() int64 { return 1 << p.Level }
func (p BlockRange) End() int64    { return p.First() + p.Blocks() }

// Parent is the place of these blocks and of its sibling's.
func (p BlockRange) Parent() BlockRange { return BlockRange{p.Level + 1, p.Index >> 1} }

func (p BlockRange) sibling() BlockRange { return BlockRange{p.Level, p.Index ^ 1} }

// Halves are the places of its two halves.
func (p BlockRange) Halves() (BlockRange, BlockRange) {
	return BlockRange{p.Level - 1, 2 * p.Index}, BlockRange{p.Level - 1, 2*p.Index + 1}
}

// Compare orders places by their first block, the longest of several first.
func (p BlockRange) Compare(other BlockRange) int {
	return cmp.Or(cmp.Compare(p.First(), other.First()), cmp.Compare(other.Level, p.Level))
}

// gridSizesPerOctave is how many rungs there are in an octave of the ladder.
const gridSizesPerOctave = 4

// RoundUpBlocks is the smallest number of blocks, n or more, that is on the ladder: 1 to 8, and from
// there on four in every octave, 10, 12, 14, 16, 20, … . Samples are rounded up to it, by at most a quarter and
// an eighth on average, so that a plan that asks for a little more draws nothing new.
func RoundUpBlocks(n int64) int64 {
	if above := bits.Len64(uint64(max(n, 0))) - bits.Len(gridSizesPerOctave); above > 0 {
		step := int64(1) << above
		return (n + step - 1) / step * step
	}
	return n
}

// IsBetweenGridSizes reports whether no rung of the ladder lies inside the place, so that
// nodes of such places make up the first blocks of a cell up to every rung.
func (p BlockRange) IsBetweenGridSizes() bool { return p.Level == 0 || p.Index >= gridSizesPerOctave }

// SplitDyadic lists the largest dyadic places that make up the blocks from first up to, not
// including, end.
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

// BlockRanges is where nodes are held, in the order of Compare. One may lie inside another.
type BlockRanges []BlockRange

// Find is where the place stands in the list, or would.
func (list BlockRanges) Find(at BlockRange) (int, bool) {
	return slices.BinarySearchFunc(list, at, BlockRange.Compare)
}

// HasSubrange reports whether a shorter place lies inside the given one.
func (list BlockRanges) HasSubrange(at BlockRange) bool {
	i := sort.Search(len(list), func(i int) bool { return list[i].Compare(at) > 0 })
	return i < len(list) && list[i].First() < at.End()
}

// Missing lists the places of at most 2^level blocks, none with a rung of the ladder inside
// it, that are lacked of the blocks from first up to end. A place that lies inside one that
// is held is lacked, since a merged node cannot be parted again.
func (list BlockRanges) Missing(first, end int64, maxLevel int) []BlockRange {
	var missing []BlockRange
	for _, p := range SplitDyadic(first, end) {
		missing = list.appendMissing(missing, p, maxLevel)
	}
	return missing
}

// appendMissing adds to the list what is lacked of a place.
func (list BlockRanges) appendMissing(missing []BlockRange, at BlockRange, maxLevel int) []BlockRange {
	if _, found := list.Find(at); found {
		return missing
	}
	if at.Level == 0 || at.Level <= maxLevel && at.IsBetweenGridSizes() && !list.HasSubrange(at) {
		return append(missing, at)
	}
	left, right := at.Halves()
	return list.appendMissing(list.appendMissing(missing, left, maxLevel), right, maxLevel)
}

// MergeNodes is the node of the blocks from first up to end, merged as dyadic ones are, left
// before right, of the nodes that are held; node gives the one that stands at i of the list, to be changed.
// It is false if they do not make up these blocks.
func (list BlockRanges) MergeNodes(first, end int64, readNode func(i int) (Node, error)) (total Node, ok bool, err error) {
	for i, p := range SplitDyadic(first, end) {
		n, ok, err := list.mergeRange(p, readNode)
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

// mergeRange is the node of one place.
func (list BlockRanges) mergeRange(at BlockRange, readNode func(i int) (Node, error)) (n Node, ok bool, err error) {
	if i, found := list.Find(at); found {
		n, err = readNode(i)
		return n, err == nil, err
	}
	if at.Level == 0 || !list.HasSubrange(at) {
		return n, false, nil
	}
	first, second := at.Halves()
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
