package sim

import (
	"slices"
	"testing"

	"mcsim/sim/result"
)

// TestVerifyRebuilds: whatever of a document follows from the rest of it is
// missed when it is changed, although the digest is right.
func TestVerifyRebuilds(t *testing.T) {
	doc := drawnDocument(t, gated("1%"))
	row := func(d *result.Document, quantity string) *result.Estimate {
		i := slices.IndexFunc(d.Estimates, func(r result.Estimate) bool { return r.Quantity == quantity })
		if i < 0 {
			t.Fatalf("there is no row %s", quantity)
		}
		return &d.Estimates[i]
	}
	for name, tamper := range map[string]func(*result.Document){
		"an ungated scaled variance": func(d *result.Document) {
			for i := range d.Estimates {
				if p, ok := d.Estimates[i].Params.Number("exponent"); ok && p == 0.5 && d.Estimates[i].Quantity == "scaled_variance" {
					d.Estimates[i].Value = 3
					return
				}
			}
			t.Fatal("there is no scaled variance")
		},
		"the flat exponent":         func(d *result.Document) { row(d, "flat_exponent").Value = 0.4 },
		"a unit exponent":           func(d *result.Document) { row(d, "unit_exponent").Value = 0.4 },
		"the error of a slope":      func(d *result.Document) { row(d, "variance_slope").SE = 1e-6 },
		"an interval":               func(d *result.Document) { r := row(d, "score_variance"); r.Lo, r.Hi = r.Value-1e-4, r.Value+1e-4 },
		"the error of the skewness": func(d *result.Document) { row(d, "score_skewness").SE = 1e-9 },
		"the theory of the kurtosis": func(d *result.Document) {
			row(d, "score_excess_kurtosis").Theory = 5
		},
		"the sample's own error": func(d *result.Document) { row(d, "score_variance_se").Value *= 1.01 },
		"a row less":             func(d *result.Document) { d.Estimates = slices.Delete(d.Estimates, 3, 4) },
		"a row twice":            func(d *result.Document) { d.Estimates = slices.Insert(d.Estimates, 0, d.Estimates[1]) },
		"a gate's band":          func(d *result.Document) { d.Gates[1].Band[0] = 0 },
		"a gate's error":         func(d *result.Document) { d.Gates[1].SE = 1e-9 },
		"the budget's α":         func(d *result.Document) { d.Budget.Alpha *= 2 },
		"the number of gates":    func(d *result.Document) { d.Budget.Gates = 3 },
		"the seed":               func(d *result.Document) { d.Seed++ },
		"the kernel":             func(d *result.Document) { d.Kernel = 99 },
		"a cell's samples":       func(d *result.Document) { d.Cells[0].N = 5 },
		"no cells":               func(d *result.Document) { d.Cells = nil },
		"a cell's id":            func(d *result.Document) { d.Cells[0].ID = "variance/normal/d_k=3" },
		"the blocks of a cell":   func(d *result.Document) { d.Cells[0].Blocks *= 2 },
		"no curves":              func(d *result.Document) { d.Curves = nil },
		"a wrong curve":          func(d *result.Document) { d.Curves[0].Y[0] = 17 },
		"a warning more": func(d *result.Document) {
			d.Warnings = append(d.Warnings, result.Warning{Cell: "x", Quantity: "y", Text: "z"})
		},
	} {
		if v := verified(t, sealed(t, doc, tamper)); len(v.Mismatches) == 0 || v.Verdict() != result.Fail {
			t.Errorf("%s: %s, no mismatch", name, v.Verdict())
		}
	}
	if v := verified(t, sealed(t, doc, func(*result.Document) {})); len(v.Mismatches) > 0 {
		t.Errorf("nothing is changed, but: %q", v.Mismatches)
	}
}
