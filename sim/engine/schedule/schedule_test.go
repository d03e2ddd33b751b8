package schedule

import (
	"testing"

	"mcsim/sim/statistics/gate"
)

// TestSlopeIsPlanned: with two near dimensions the slope is what needs the
// most samples, and the planned numbers make its gate as sure as the others.
func TestSlopeIsPlanned(t *testing.T) {
	s := worked(t, "tolerance: 1%\nalpha: 1e-3\nbeta: 1e-3\nexperiments:\n"+
		"  - {experiment: rules, distribution: normal, d_k: [2, 4], keys: 8, rule: power(0.5)}\n")
	slopes := 0
	for _, g := range s.Entries {
		for _, c := range g.Checks {
			if c.JoinedSE == nil {
				continue
			}
			slopes++
			units := []int64{s.Jobs[0].Units(), s.Jobs[1].Units()}
			// Rounding up to a rung leaves the factor below 1; the rung below would not do.
			if f := gate.Shortage(c, c.JoinedSE(units), g.Rates); f > 1 {
				t.Errorf("%s of %s is planned with %v of what it needs", c.Name, c.Cell, 1/f)
			}
			for i, w := range s.Jobs[:2] {
				units[i] = units[i] / w.Blocks * rungBelow(w.Blocks)
			}
			if f := gate.Shortage(c, c.JoinedSE(units), g.Rates); f <= 1 {
				t.Errorf("%s of %s has %v of what it needs a rung lower", c.Name, c.Cell, 1/f)
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

// rungBelow is the last rung of the ladder before n: four rungs have equal distances, from a power of 2 to the next.
func rungBelow(n int64) int64 {
	step := int64(1)
	for 8*step < n {
		step *= 2
	}
	return n - max(step, 1)
}
