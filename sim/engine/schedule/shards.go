package schedule

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// ShardRange is one of Count shards of a schedule, which cost about the same: the blocks in [First,
// End), counted through all cells in their order.
type ShardRange struct {
	Index, Count int
	First, End   int64
}

// MaxShards is the largest number of shards of a schedule.
const MaxShards = 1 << 20

// Shard returns one of count shards; index starts at 0.
func (s *Schedule) Shard(index, count int) ShardRange { return s.Shards(count)[index] }

// Shards divides the schedule into count shards. Shard i ends at the block at which the cumulative
// cost is nearest to (i+1)/count of the total, and the last shard at the last block. Products are
// rounded explicitly, so that every machine finds the same shards.
func (s *Schedule) Shards(count int) []ShardRange {
	total := s.Components()
	target := func(i int) float64 { return float64(total * (float64(i) / float64(count))) }
	bounds := []int64{0} // first blocks of the shards
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
	shards := make([]ShardRange, count)
	for i := range shards {
		shards[i] = ShardRange{i, count, bounds[i], bounds[i+1]}
	}
	return shards
}

// minBlocksPerShard is the minimum cost of a shard in blocks, so that the costs of shards differ by
// at most a tenth although they end between blocks.
const minBlocksPerShard = 10

// MaxUsefulShards returns the largest number of shards that cost the same within a tenth, and the
// id of the cell whose blocks are too large for more shards.
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

// Select returns the schedule of the blocks of one shard.
func (s *Schedule) Select(shard ShardRange) *Schedule {
	selected := *s
	selected.Jobs = nil
	before := int64(0)
	for _, job := range s.Jobs {
		end := before + job.Blocks
		if first, last := max(shard.First, before), min(shard.End, end); first < last {
			job.First, job.End = first-before, last-before
			selected.Jobs = append(selected.Jobs, job)
		}
		before = end
	}
	return &selected
}

// Uncovered divides the schedule into count shards and returns the indices of the shards that have
// a block outside all given shards. The given shards may come from another division.
func (s *Schedule) Uncovered(given []ShardRange, count int) []int {
	given = slices.SortedFunc(slices.Values(given), func(a, b ShardRange) int { return cmp.Compare(a.First, b.First) })
	var missing []int
	covered, next := int64(0), 0 // all blocks of the current shard before covered are in a given one
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

// String returns INDEX/COUNT.
func (p ShardRange) String() string { return fmt.Sprintf("%d/%d", p.Index, p.Count) }
