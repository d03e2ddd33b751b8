package inits

import (
	"math"
	"testing"

	"mcsim/sim/attention/models"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// TestEveryKnownModelHasACell checks that every model with a known head is in exactly one cell with
// models of the same shape. It also checks the estimates of one cell: they agree with theory, and
// theory is the standard deviation of scaled cosines.
func TestEveryKnownModelHasACell(t *testing.T) {
	cellCounts := map[string]int{}
	for _, group := range headGroups() {
		first := group[0]
		for _, m := range group {
			cellCounts[m.TypedName()]++
			hasSameShape := len(m.HeadParts()) == len(first.HeadParts()) && m.Head().Shape == first.Head().Shape
			if !hasSameShape || m.Head().Normalised != first.Head().Normalised {
				t.Errorf("%s and %s share their draws, but the shapes or norms of their heads differ", m.Name,
					first.Name)
			}
		}
	}
	for _, m := range models.All() {
		if got := cellCounts[m.TypedName()]; m.HasHead() && got != 1 {
			t.Errorf("%s is in %d cells, want 1", m.Name, got)
		}
	}
	c := experimenttest.NewCell(t, Models, map[string]string{names.ParamHeadOf: "swinv2-t-stage-1"})
	estimates := Models.Reader.Estimates(c, experimenttest.SampleCell(c, 64))
	if len(estimates.Estimates) != 3 || len(estimates.Warnings) > 0 {
		t.Fatalf("got %d estimates and the warnings %v, want 3 and none", len(estimates.Estimates),
			estimates.Warnings)
	}
	for _, r := range estimates.Estimates {
		if !(math.Abs(float64(r.Value-r.Theory)) < 4.5*float64(r.SE)) {
			t.Errorf("%s: got %v ± %v, want %v within 4.5 standard errors", r.Quantity, r.Value, r.SE, r.Theory)
		}
		// The logits are cosines of vectors with 32 components, times 10.
		wantSD := math.Sqrt(100.0 / 32)
		if r.Quantity == names.LogitSD && math.Abs(float64(r.Theory)-wantSD) > 1e-9 {
			t.Errorf("standard deviation of the logits by theory: got %v, want %v", r.Theory, wantSD)
		}
	}
}

// TestStandardErrorsOfDraws compares the standard errors of gates and intervals with the scatter of
// draws. The confidence interval by χ² of the ratio of the variances, with error probability 10⁻⁵,
// must reach into 1 ± 10 %, since the standard error over pairs is known only to first order.
func TestStandardErrorsOfDraws(t *testing.T) {
	draws := 400
	if testing.Short() {
		draws = 100
	}
	for _, name := range []string{"swinv2-t-stage-1", "swin-b-stage-1", "whisper-tiny", "clip-text"} {
		c := experimenttest.NewCell(t, Models, map[string]string{names.ParamHeadOf: name})
		group, n := cellHeadGroup(c), experimenttest.SampleCell(c, draws)
		for i, overPairs := range []bool{true, false} {
			if group.isNormalised() && !overPairs {
				continue
			}
			ratio := n.Moments[i].Variance() / (group.se(1, overPairs) * group.se(1, overPairs))
			if lo, hi := theory.VarianceLimits(ratio, float64(draws-1), 5e-6); lo > 1.1 || hi < 0.9 {
				t.Errorf("%s, over pairs %v: variance over draws divided by its value by theory: got %.3g in "+
					"[%.3g, %.3g], want 1 ± 0.1 in the interval", name, overPairs, ratio, lo, hi)
			}
		}
	}
}
