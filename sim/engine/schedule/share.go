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
func (s *Schedule) Shard(index, count int) ShardRange { return s.Shards(count)[index] }

// Shards divides the schedule into parts. Part i ends at the block where the cumulative cost is
// nearest to (i+1)/n of the total, and the last part with the last block. Products are rounded
// explicitly, so that every machine finds the same parts.
func (s *Schedule) Shards(count int) []ShardRange {
	total := s.Components()
	target := func(i int) float64 { return float64(total * (float64(i) / float64(count))) }
	bounds := []int64{0} // where parts begin
	spent, blocks := 0.0, int64(0)
	for _, job := range s.Jobs {
		cost, jobCost := blockCost(*job.Cell), job.Cost(job.Blocks)
		for i := len(bounds); i < count && spent+jobCost > target(i); i++ {
			bounds = append(bounds, blocks+min(int64(math.Round(max(target(i)-spent, 0)/cost)), job.Blocks))
		}
		spent += jobCost
		blocks += job.Blocks
	}
	for len(bounds) <= count {
		bounds = append(bounds, blocks)
	}
	parts := make([]ShardRange, count)
	for i := range parts {
		parts[i] = ShardRange{i, count, bounds[i], bounds[i+1]}
	}
	return parts
}

// minBlocksPerShard is the minimum cost of a part in blocks, so that parts differ by at most a
// tenth although they end between blocks.
const minBlocksPerShard = 10

// MaxUsefulShards returns the largest number of parts that cost the same within a tenth, and the id
// of the cell whose blocks are too large for more.
func (s *Schedule) MaxUsefulShards() (count int, cell string) {
	var total, largest float64
	for _, job := range s.Jobs {
		total += job.Components()
		if cost := blockCost(*job.Cell); cost > largest {
			largest, cell = cost, job.Cell.ID
		}
	}
	return int(min(max(total/(minBlocksPerShard*largest), 1), MaxShards)), cell
}

// Select returns the schedule of the blocks of one part.
func (s *Schedule) Select(part ShardRange) *Schedule {
	selected := *s
	selected.Jobs = nil
	before := int64(0)
	for _, job := range s.Jobs {
		end := before + job.Blocks
		if first, last := max(part.First, before), min(part.End, end); first < last {
			job.First, job.End = first-before, last-before
			selected.Jobs = append(selected.Jobs, job)
		}
		before = end
	}
	return &selected
}

// Uncovered returns the indices of those of the given number of parts that have a block which is
// in none of the given parts.
func (s *Schedule) Uncovered(given []ShardRange, count int) []int {
	given = slices.SortedFunc(slices.Values(given), func(a, b ShardRange) int { return cmp.Compare(a.First, b.First) })
	var missing []int
	covered, next := int64(0), 0 // up to which block all is there, from where the share begins
	for _, p := range s.Shards(count) {
		covered = max(covered, p.First)
		for ; next < len(given) && given[next].First <= covered; next++ {
			covered = max(covered, given[next].End)
		}
		if covered < p.End {
			missing = append(missing, p.Index)
		}
	}
	return missing
}

// String returns INDEX/OF.
func (p ShardRange) String() string { return fmt.Sprintf("%d/%d", p.Index, p.Count) }
