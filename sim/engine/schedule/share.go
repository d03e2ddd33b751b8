package schedule

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// ShardRange is one of several parts of a schedule that cost about the same: the blocks in [First,
// End), counted through all cells in their order.
type ShardRange struct {
	Index, Count int
	First, End   int64
}

// MaxShards is the largest number of parts of a schedule.
const MaxShards = 1 << 20

// Shard returns one of the given number of parts; index starts at 0.
func (s *Schedule) Shard(index, of int) ShardRange { return s.Shards(of)[index] }

// Shards divides the schedule into parts. Part i ends at the block where the cumulative cost is
// nearest to (i+1)/n of the total, and the last part with the last block. Products are rounded
// explicitly, so that every machine finds the same parts.
func (s *Schedule) Shards(of int) []ShardRange {
	all := s.Components()
	target := func(i int) float64 { return float64(all * (float64(i) / float64(of))) }
	found := []int64{0} // where parts begin
	spent, blocks := 0.0, int64(0)
	for _, w := range s.Jobs {
		cost, whole := blockCost(*w.Cell), w.Cost(w.Blocks)
		for i := len(found); i < of && spent+whole > target(i); i++ {
			found = append(found, blocks+min(int64(math.Round(max(target(i)-spent, 0)/cost)), w.Blocks))
		}
		spent += whole
		blocks += w.Blocks
	}
	for len(found) <= of {
		found = append(found, blocks)
	}
	parts := make([]ShardRange, of)
	for i := range parts {
		parts[i] = ShardRange{i, of, found[i], found[i+1]}
	}
	return parts
}

// minBlocksPerShard is the minimum cost of a part in blocks, so that parts differ by at most a
// tenth although they end between blocks.
const minBlocksPerShard = 10

// MaxUsefulShards returns the largest number of parts that cost the same within a tenth, and the id of
// the cell whose blocks are too large for more.
func (s *Schedule) MaxUsefulShards() (parts int, cell string) {
	var all, largest float64
	for _, w := range s.Jobs {
		all += w.Components()
		if cost := blockCost(*w.Cell); cost > largest {
			largest, cell = cost, w.Cell.ID
		}
	}
	return int(min(max(all/(minBlocksPerShard*largest), 1), MaxShards)), cell
}

// Select returns the schedule of the blocks of one part.
func (s *Schedule) Select(part ShardRange) *Schedule {
	own := *s
	own.Jobs = nil
	before := int64(0)
	for _, w := range s.Jobs {
		end := before + w.Blocks
		if first, last := max(part.First, before), min(part.End, end); first < last {
			w.First, w.End = first-before, last-before
			own.Jobs = append(own.Jobs, w)
		}
		before = end
	}
	return &own
}

// Uncovered returns the indices of those of the given number of parts that have a block which is
// in none of the given parts.
func (s *Schedule) Uncovered(given []ShardRange, of int) []int {
	given = slices.SortedFunc(slices.Values(given), func(a, b ShardRange) int { return cmp.Compare(a.First, b.First) })
	var missing []int
	at, next := int64(0), 0 // up to which block all is there, from where the share begins
	for _, p := range s.Shards(of) {
		at = max(at, p.First)
		for ; next < len(given) && given[next].First <= at; next++ {
			at = max(at, given[next].End)
		}
		if at < p.End {
			missing = append(missing, p.Index)
		}
	}
	return missing
}

// String returns INDEX/OF.
func (p ShardRange) String() string { return fmt.Sprintf("%d/%d", p.Index, p.Count) }
