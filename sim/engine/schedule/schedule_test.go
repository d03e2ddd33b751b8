package schedule

import (
	"testing"

	"mcsim/sim/statistics/gate"
)

// TestSlopeIsPlanned checks the sizes of two cells with a gate on the slope between them. Of all
// gates, this one needs the most samples, so it must determine the sizes. The sizes must be
// sufficient, and the next smaller sizes on the grid must not.
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
			if f := gate.Shortage(c, c.JoinedSE(units), g.Rates); f > 1 {
				t.Errorf("%s of %s has %v of the samples that it needs, want at least 1", c.Name, c.Cell, 1/f)
			}
			for i, job := range s.Jobs[:2] {
				units[i] = units[i] / job.Blocks * sizeBelow(job.Blocks)
			}
			if f := gate.Shortage(c, c.JoinedSE(units), g.Rates); f <= 1 {
				t.Errorf("%s of %s has %v of the samples that it needs at the next smaller size, want less than 1",
					c.Name, c.Cell, 1/f)
			}
			if s.Jobs[0].Reason != "slope of a rule" {
				t.Errorf("the reason for the number of samples is %q, want %q", s.Jobs[0].Reason, "slope of a rule")
			}
		}
	}
	if slopes != 1 {
		t.Fatalf("the schedule has %d gates on slopes, want 1", slopes)
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
