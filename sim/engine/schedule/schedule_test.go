package schedule

import (
	"testing"

	"mcsim/sim/statistics/gate"
)

// TestSlopeIsPlanned checks that the slope through two close dimensions, which needs the most
// samples of all gates, determines the numbers, and that these are enough.
func TestSlopeIsPlanned(t *testing.T) {
	s := newSchedule(t, "tolerance: 1%\nalpha: 1e-3\nbeta: 1e-3\nexperiments:\n"+
		"  - {experiment: rules, distribution: normal, d_k: [2, 4], keys: 8, rule: power(0.5)}\n")
	slopes := 0
	for _, g := range s.Entries {
		for _, c := range g.Checks {
			if c.JoinedSE == nil {
				continue
			}
			slopes++
			units := []int64{s.Jobs[0].Units(), s.Jobs[1].Units()}
			// The planned number is rounded up on the grid of sizes; the next smaller size is too
			// small.
			if f := gate.Shortage(c, c.JoinedSE(units), g.Rates); f > 1 {
				t.Errorf("%s of %s is planned with %v of what it needs", c.Name, c.Cell, 1/f)
			}
			for i, job := range s.Jobs[:2] {
				units[i] = units[i] / job.Blocks * sizeBelow(job.Blocks)
			}
			if f := gate.Shortage(c, c.JoinedSE(units), g.Rates); f <= 1 {
				t.Errorf("%s of %s has %v of what it needs at the next smaller size", c.Name, c.Cell, 1/f)
			}
			if s.Jobs[0].Reason != "slope of a rule" {
				t.Errorf("the samples are set by %q, want the slope", s.Jobs[0].Reason)
			}
		}
	}
	if slopes != 1 {
		t.Fatalf("%d slopes, want 1", slopes)
	}
}

// sizeBelow returns the largest size below n on the grid, which has four equal steps from each
// power of 2 to the next.
func sizeBelow(n int64) int64 {
	step := int64(1)
	for 8*step < n {
		step *= 2
	}
	return n - max(step, 1)
}
