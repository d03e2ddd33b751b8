package schedule

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mcsim/sim/engine/plan"
)

// ready are schedules of ready plans.
func ready(t testing.TB, names ...string) (all []*Schedule) {
	t.Helper()
	for _, name := range names {
		text, err := plan.Embedded(name)
		must(t, err)
		all = append(all, worked(t, string(text)))
	}
	return all
}

// The shares of a schedule follow each other and have every block once, and as long
// as no block is a tenth of one, none costs a tenth more or less than the mean.
func TestShares(t *testing.T) {
	schedules := ready(t, "default", "init", "controls")
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(schedules).Draw(t, "plan")
		most, _ := s.MaxUsefulShards()
		of := rapid.OneOf(rapid.IntRange(1, most), rapid.IntRange(1, 3*most)).Draw(t, "of")
		parts := s.Shards(of)
		var blocks int64
		var all float64
		for _, w := range s.Jobs {
			blocks += w.Blocks
			all += w.Components()
		}
		at := int64(0)
		for i, p := range parts {
			if p.First != at || p.End < p.First || p.Index != i || p.Count != of {
				t.Fatalf("share %v of blocks %d to %d follows block %d", p, p.First, p.End, at)
			}
			at = p.End
			drawn, cost := int64(0), 0.0
			for _, w := range s.Select(p).Jobs {
				drawn, cost = drawn+w.End-w.First, cost+w.Components()
			}
			if drawn != p.End-p.First {
				t.Fatalf("share %v has %d blocks and draws %d", p, p.End-p.First, drawn)
			}
			if mean := all / float64(of); of <= most && (cost > 1.1*mean || cost < 0.9*mean) {
				t.Errorf("share %v of %d costs %.3g of the mean, though up to %d should cost the same", p, of, cost/mean, most)
			}
		}
		if at != blocks || len(parts) != of {
			t.Errorf("%d shares have %d of %d blocks", len(parts), at, blocks)
		}
	})
}

// What is uncovered are the shares that were left out, whatever their order, and shares of other numbers cover as
// far as they reach.
func TestUncovered(t *testing.T) {
	s := ready(t, "controls")[0]
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.IntRange(1, 40).Draw(t, "of")
		var given []ShardRange
		var out []int
		for i, p := range s.Shards(of) {
			if rapid.Bool().Draw(t, "given") {
				given = append(given, p)
			} else if p.First < p.End {
				out = append(out, i)
			}
		}
		if got := s.Uncovered(rapid.Permutation(given).Draw(t, "order"), of); !slices.Equal(got, out) {
			t.Errorf("of %d shares %v are uncovered, want %v", of, got, out)
		}
		other := rapid.IntRange(1, 40).Draw(t, "other")
		if got := s.Uncovered(append(given, s.Shards(other)...), of); len(got) > 0 {
			t.Errorf("with all %d others %v of %d are uncovered", other, got, of)
		}
	})
}
