package verify

import (
	"math"
	"testing"

	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// shortCalibration is a plan that takes a second or two.
const shortCalibration = `
name: short
seed: 7
experiments:
  - {experiment: calibration, distribution: [normal, uniform], d_k: [1, 8], pairs: 2048, samples: 4000}
`

// TestCalibration checks that Document judges gates on proportions: they pass, they have their own
// error rates, and a coverage that is changed to 0.93 fails.
func TestCalibration(t *testing.T) {
	if testing.Short() {
		t.Skip("samples for seconds")
	}
	s := simtest.NewSchedule(t, shortCalibration)
	doc := simtest.BuildDocument(t, s)
	if doc.Budget.Verdict != result.Pass {
		for _, g := range doc.Gates {
			if g.Verdict != result.Pass {
				t.Errorf("gate %s of %s %v is %s: the value is %v in [%v, %v], and the band %v", g.Name, g.Cell,
					g.Params, g.Verdict, g.Value, g.Lo, g.Hi, g.Band)
			}
		}
	}
	v := judge(t, reseal(t, doc, func(*result.Document) {}))
	if v.Verdict(true) != result.Pass || len(v.Mismatches) > 0 {
		t.Errorf("the second verdict is %s with the mismatches %q, want %s and none", v.Verdict(true), v.Mismatches,
			result.Pass)
	}
	if len(doc.Gates) < 50 {
		t.Errorf("the document has %d gates, want at least 50", len(doc.Gates))
	}
	wantAlpha := 0.0005 * float64(len(doc.Gates)) // 0.0005 is the α of each gate on a proportion
	if math.Abs(float64(doc.Budget.Alpha)/wantAlpha-1) > 1e-12 || doc.Budget.Beta != 0 {
		t.Errorf("the gates have α = %v and β = %v together, want %v and 0", doc.Budget.Alpha, doc.Budget.Beta,
			wantAlpha)
	}
	v = judge(t, reseal(t, doc, func(d *result.Document) {
		simtest.FindEstimate(t, d, "calibration/normal/d_k=8/pairs=2048", "coverage").Value = 0.93
	}))
	if v.Verdict(true) != result.Fail || v.Budget.Verdict != result.Fail {
		t.Errorf("with a changed coverage the verdict is %s and that of the gates %s, want %s for both",
			v.Verdict(true),
			v.Budget.Verdict, result.Fail)
	}
	if !hasMismatch(v, "calibration/normal/d_k=8") {
		t.Errorf("with a changed coverage the mismatches are %q, want one that names its cell", v.Mismatches)
	}
}

// TestProportionsHaveTheirOwnRates checks that gates on proportions do not reduce the α of other
// gates: another gate needs the same number of blocks with and without them.
func TestProportionsHaveTheirOwnRates(t *testing.T) {
	const smallPlan = "seed: 7\nalpha: 1e-3\nexperiments:\n  - {experiment: variance, distribution: normal, d_k: 8}\n"
	small, large := simtest.NewSchedule(t, smallPlan),
		simtest.NewSchedule(t, smallPlan+
			"  - {experiment: calibration, distribution: normal, d_k: 8, pairs: 1024, samples: 100}\n")
	if a, b := small.Jobs[0], large.Jobs[0]; a.Blocks != b.Blocks {
		t.Errorf("got %d blocks together with a calibration, want the %d blocks without it", b.Blocks, a.Blocks)
	}
	alpha, beta := large.Budget()
	want := 1e-3 + 0.0005*float64(large.CheckCount()-small.CheckCount())
	if math.Abs(alpha/want-1) > 1e-12 || beta != 1e-6 {
		t.Errorf("α = %v and β = %v, want %v and 1e-6", alpha, beta, want)
	}
}
