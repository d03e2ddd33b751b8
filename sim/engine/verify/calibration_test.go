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

// TestCalibration checks that Document judges the gates on proportions, and that a planted coverage
// fails.
func TestCalibration(t *testing.T) {
	if testing.Short() {
		t.Skip("samples for seconds")
	}
	s := simtest.NewSchedule(t, shortCalibration)
	doc := simtest.BuildDocument(t, s)
	if doc.Budget.Verdict != result.Pass {
		for _, g := range doc.Gates {
			if g.Verdict != result.Pass {
				t.Errorf("%s of %s %v: %v in [%v, %v], band %v", g.Name, g.Cell, g.Params, g.Value, g.Lo, g.Hi, g.Band)
			}
		}
	}
	if v := judge(t, simtest.Reseal(t, doc, func(*result.Document) {})); v.Verdict(true) != result.Pass ||
		len(v.Mismatches) > 0 {
		t.Errorf("verified %s: %q", v.Verdict(true), v.Mismatches)
	}
	if want := 0.0005 * float64(len(doc.Gates)); len(doc.Gates) < 50 ||
		math.Abs(float64(doc.Budget.Alpha)/want-1) > 1e-12 || doc.Budget.Beta != 0 {
		t.Errorf("%d gates spend %v and %v", len(doc.Gates), doc.Budget.Alpha, doc.Budget.Beta)
	}
	v := judge(t, simtest.Reseal(t, doc, func(d *result.Document) {
		simtest.FindEstimate(t, d, "calibration/normal/d_k=8/pairs=2048", "coverage").Value = 0.93
	}))
	if v.Verdict(true) != result.Fail || v.Budget.Verdict != result.Fail ||
		!hasMismatch(v, "calibration/normal/d_k=8") {
		t.Errorf("a planted coverage: %s, %q", v.Verdict(true), v.Mismatches)
	}
}

// TestSharesSpendTheirOwn checks that gates on proportions do not reduce the α of other gates.
func TestSharesSpendTheirOwn(t *testing.T) {
	const one = "seed: 7\nalpha: 1e-3\nexperiments:\n  - {experiment: variance, distribution: normal, d_k: 8}\n"
	small, large := simtest.NewSchedule(t, one),
		simtest.NewSchedule(t, one+
			"  - {experiment: calibration, distribution: normal, d_k: 8, pairs: 1024, samples: 100}\n")
	if a, b := small.Jobs[0], large.Jobs[0]; a.Blocks != b.Blocks {
		t.Errorf("%d blocks, %d together with a calibration", a.Blocks, b.Blocks)
	}
	alpha, beta := large.Budget()
	if want := 1e-3 + 0.0005*float64(large.CheckCount()-small.CheckCount()); math.Abs(alpha/want-1) > 1e-12 ||
		beta != 1e-6 {
		t.Errorf("α = %v and β = %v, want %v and 1e-6", alpha, beta, want)
	}
}
