package schedule

import (
	"testing"

	"mcsim/sim/gate"
	"mcsim/sim/plan"
)

// TestSlopeIsPlanned: with two near dimensions the slope is what needs the
// most samples, and the planned numbers make its gate as sure as the others.
func TestSlopeIsPlanned(t *testing.T) {
	p, err := plan.Parse("p", []byte("tolerance: 1%\nalpha: 1e-3\nbeta: 1e-3\nexperiments:\n"+
		"  - {experiment: variance, law: normal, d_k: [2, 4]}\n  - experiment: exponents\n"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	slopes := 0
	for _, g := range s.Groups {
		for _, c := range g.Checks {
			if c.JoinedSE == nil {
				continue
			}
			slopes++
			units := []int64{s.Works[0].Drawn(), s.Works[1].Drawn()}
			// Rounding up to whole blocks leaves the factor a little below 1.
			if f := gate.Shortage(c, c.JoinedSE(units), g.Rates); f > 1 || f < 0.999 {
				t.Errorf("%s of %s is planned with %v of what it needs", c.Name, c.Cell, 1/f)
			}
			if s.Works[0].Reason != "slope" {
				t.Errorf("the samples are set by %q, want the slope", s.Works[0].Reason)
			}
		}
	}
	if slopes != 1 {
		t.Fatalf("%d slopes, want 1", slopes)
	}
}
