package sim

import (
	"math"
	"testing"

	"mcsim/sim/result"
)

// TestVerifyRebuildsHeads: whatever of an initialisation's rows follows from the
// rest of them is missed when it is changed.
func TestVerifyRebuildsHeads(t *testing.T) {
	doc := drawnDocument(t, "tolerance: 20%\nexperiments:\n  - {experiment: init, init: [torch-linear, orthogonal, qk-norm, mup-zero-query], d_model: 64, d_k: 8}\n")
	if v := verified(t, sealed(t, doc, func(*result.Document) {})); len(v.Mismatches) > 0 || v.Verdict() != result.Pass {
		t.Fatalf("nothing is changed, but %s: %q", v.Verdict(), v.Mismatches)
	}
	changes := map[string]func(*result.Estimate){
		"the value":     func(r *result.Estimate) { r.Value = r.Value*1.0001 + r.SE/1000 },
		"no value":      func(r *result.Estimate) { r.Value = result.Absent() },
		"the error":     func(r *result.Estimate) { r.SE *= 0.999 },
		"no error":      func(r *result.Estimate) { r.SE = result.Absent() },
		"the lower end": func(r *result.Estimate) { r.Lo += r.SE / 1000 },
		"the upper end": func(r *result.Estimate) { r.Hi -= r.SE / 1000 },
		"no interval":   func(r *result.Estimate) { r.Lo, r.Hi, r.Level = result.Absent(), result.Absent(), result.Absent() },
		"the theory":    func(r *result.Estimate) { r.Theory = r.Theory*(1+1e-8) + r.SE/1000 },
		"no theory":     func(r *result.Estimate) { r.Theory, r.TheoryKind = result.Absent(), "none" },
		"the number":    func(r *result.Estimate) { r.N++ },
	}
	if v := verified(t, sealed(t, doc, func(d *result.Document) { d.Schemes[1].Source = "elsewhere" })); v.Verdict() != result.Fail {
		t.Error("a scheme has another source, and that is missed")
	}
	model := result.Model{Name: "a model", Model: 64, Key: 8, Heads: 8}
	if v := verified(t, sealed(t, doc, func(d *result.Document) { d.Models = append(d.Models, model) })); v.Verdict() != result.Fail {
		t.Error("a model is named that has not this shape, and that is missed")
	}
	planted := 0
	for i, r := range doc.Estimates {
		if !r.Lo.Present() || float64(r.SE) <= 1e-6*math.Abs(float64(r.Value)) {
			continue // nothing follows from it, or nothing varies
		}
		planted++
		for name, change := range changes {
			v := verified(t, sealed(t, doc, func(d *result.Document) { change(&d.Estimates[i]) }))
			if len(v.Mismatches) == 0 || v.Verdict() != result.Fail {
				t.Errorf("%s of %s of %s: %s, no mismatch", name, r.Quantity, r.Cell, v.Verdict())
			}
		}
	}
	if planted < 20 {
		t.Errorf("%d rows have an interval", planted)
	}
}
