package inits

import (
	"math"
	"testing"

	"mcsim/sim/attention/models"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// TestEveryKnownModelHasACell checks that every model with a known head is in one cell, and that
// its estimates have the theory of the ledger.
func TestEveryKnownModelHasACell(t *testing.T) {
	cells := map[string]int{}
	for _, s := range headGroups() {
		for _, m := range s {
			cells[m.TypedName()]++
			if len(m.HeadParts()) != len(s[0].HeadParts()) || m.Head().Shape != s[0].Head().Shape ||
				m.Head().Normalised != s.isNormalised() {
				t.Errorf("%s shares the draws of %s", m.Name, s[0].Name)
			}
		}
	}
	for _, m := range models.All() {
		if m.HasHead() && cells[m.TypedName()] != 1 {
			t.Errorf("%s is in %d cells", m.Name, cells[m.TypedName()])
		}
	}
	c := experimenttest.NewCell(t, Models, map[string]string{names.ParamHeadOf: "swinv2-t-stage-1"})
	estimates := Models.Reader.Estimates(c, experimenttest.SampleCell(c, 64))
	if len(estimates.Estimates) != 3 || len(estimates.Warnings) > 0 {
		t.Fatalf("%d rows, %v", len(estimates.Estimates), estimates.Warnings)
	}
	for _, r := range estimates.Estimates {
		if !(math.Abs(float64(r.Value-r.Theory)) < 4.5*float64(r.SE)) {
			t.Errorf("%s is %v ± %v, in theory %v", r.Quantity, r.Value, r.SE, r.Theory)
		}
		if r.Quantity == names.LogitSD && math.Abs(float64(r.Theory)-math.Sqrt(100.0/32)) > 1e-9 {
			t.Errorf("cosines of 32 components times 10 have the standard deviation %v", r.Theory)
		}
	}
}

// TestErrorsAreThoseOfDraws compares the standard errors of gates and intervals with the scatter
// of draws. The ratio of the variances must be within the limits of χ² at a level of 10⁻⁵, widened
// by a tenth, since the error over pairs is known only to first order.
func TestErrorsAreThoseOfDraws(t *testing.T) {
	draws := 400
	if testing.Short() {
		draws = 100
	}
	for _, name := range []string{"swinv2-t-stage-1", "swin-b-stage-1", "whisper-tiny", "clip-text"} {
		c := experimenttest.NewCell(t, Models, map[string]string{names.ParamHeadOf: name})
		group, n := cellHeadGroup(c), experimenttest.SampleCell(c, draws)
		for i, pairs := range []bool{true, false} {
			if group.isNormalised() && !pairs {
				continue
			}
			ratio := n.Moments[i].Variance() / (group.se(1, pairs) * group.se(1, pairs))
			if lo, hi := theory.VarianceLimits(ratio, float64(draws-1), 5e-6); lo > 1.1 || hi < 0.9 {
				t.Errorf("%s (pairs: %v): draws scatter by %.3g of the variance that is declared", name, pairs, ratio)
			}
		}
	}
}
