package schedule

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mcsim/sim/engine/plan"
)

// readySchedules returns the schedules of the named ready plans.
func readySchedules(t testing.TB, names ...string) (schedules []*Schedule) {
	t.Helper()
	for _, name := range names {
		text, err := plan.Embedded(name)
		must(t, err)
		schedules = append(schedules, newSchedule(t, string(text)))
	}
	return schedules
}

// TestShards checks that the shards of a schedule are consecutive and contain every block once. Up
// to MaxUsefulShards, their costs must also be equal to within a tenth.
func TestShards(t *testing.T) {
	schedules := readySchedules(t, "default", "init", "controls")
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(schedules).Draw(t, "plan")
		maxShards, _ := s.MaxUsefulShards()
		count := rapid.OneOf(rapid.IntRange(1, maxShards), rapid.IntRange(1, 3*maxShards)).Draw(t, "of")
		shards := s.Shards(count)
		var blocks int64
		var total float64
		for _, job := range s.Jobs {
			blocks += job.Blocks
			total += job.Components()
		}
		nextBlock := int64(0)
		for i, p := range shards {
			if p.First != nextBlock || p.End < p.First || p.Index != i || p.Count != count {
				t.Fatalf("shard %v has the blocks [%d, %d), want index %d and the first block %d", p, p.First, p.End, i,
					nextBlock)
			}
			nextBlock = p.End
			selectedBlocks, cost := int64(0), 0.0
			for _, job := range s.Select(p).Jobs {
				selectedBlocks, cost = selectedBlocks+job.End-job.First, cost+job.Components()
			}
			if selectedBlocks != p.End-p.First {
				t.Fatalf("shard %v has %d blocks, but Select returns %d", p, p.End-p.First, selectedBlocks)
			}
			if mean := total / float64(count); count <= maxShards && (cost > 1.1*mean || cost < 0.9*mean) {
				t.Errorf("shard %v costs %.3g times the mean, want 0.9 to 1.1 for up to %d shards", p, cost/mean,
					maxShards)
			}
		}
		if nextBlock != blocks || len(shards) != count {
			t.Errorf("got %d shards with %d blocks, want %d with %d", len(shards), nextBlock, count, blocks)
		}
	})
}

// TestUncovered checks that Uncovered returns the shards that are not given, for any order of the
// given ones. If all shards of another division are given too, they cover every block.
func TestUncovered(t *testing.T) {
	s := readySchedules(t, "controls")[0]
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(1, 40).Draw(t, "of")
		var given []ShardRange
		var missing []int
		for i, p := range s.Shards(count) {
			if rapid.Bool().Draw(t, "given") {
				given = append(given, p)
			} else if p.First < p.End {
				missing = append(missing, i)
			}
		}
		if got := s.Uncovered(rapid.Permutation(given).Draw(t, "order"), count); !slices.Equal(got, missing) {
			t.Errorf("the uncovered shards of %d are %v, want %v", count, got, missing)
		}
		otherCount := rapid.IntRange(1, 40).Draw(t, "other")
		if got := s.Uncovered(append(given, s.Shards(otherCount)...), count); len(got) > 0 {
			t.Errorf("with all shards of another %d, the uncovered shards of %d are %v, want none", otherCount, count,
				got)
		}
	})
}
