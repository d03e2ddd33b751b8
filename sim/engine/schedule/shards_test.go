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

// TestShares checks that the shards of a schedule are consecutive, contain every block once, and
// cost the same within a tenth, if no block costs more than a tenth of a shard.
func TestShares(t *testing.T) {
	schedules := readySchedules(t, "default", "init", "controls")
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(schedules).Draw(t, "plan")
		maxShards, _ := s.MaxUsefulShards()
		count := rapid.OneOf(rapid.IntRange(1, maxShards), rapid.IntRange(1, 3*maxShards)).Draw(t, "of")
		parts := s.Shards(count)
		var blocks int64
		var total float64
		for _, job := range s.Jobs {
			blocks += job.Blocks
			total += job.Components()
		}
		block := int64(0)
		for i, p := range parts {
			if p.First != block || p.End < p.First || p.Index != i || p.Count != count {
				t.Fatalf("shard %v of blocks %d to %d follows block %d", p, p.First, p.End, block)
			}
			block = p.End
			drawn, cost := int64(0), 0.0
			for _, job := range s.Select(p).Jobs {
				drawn, cost = drawn+job.End-job.First, cost+job.Components()
			}
			if drawn != p.End-p.First {
				t.Fatalf("shard %v has %d blocks and samples %d", p, p.End-p.First, drawn)
			}
			if mean := total / float64(count); count <= maxShards && (cost > 1.1*mean || cost < 0.9*mean) {
				t.Errorf("shard %v of %d costs %.3g of the mean, though up to %d should cost the same", p, count,
					cost/mean, maxShards)
			}
		}
		if block != blocks || len(parts) != count {
			t.Errorf("%d shards have %d of %d blocks", len(parts), block, blocks)
		}
	})
}

// TestUncovered checks that the missing shards are found in whatever order the others are given,
// and that shards of another division count as far as they reach.
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
			t.Errorf("of %d shards %v are uncovered, want %v", count, got, missing)
		}
		otherCount := rapid.IntRange(1, 40).Draw(t, "other")
		if got := s.Uncovered(append(given, s.Shards(otherCount)...), count); len(got) > 0 {
			t.Errorf("with all %d others %v of %d are uncovered", otherCount, got, count)
		}
	})
}
