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

// rowsPlan draws rows of softmax of every kind.
const rowsPlan = `
seed: 7
tolerance: 20%
alpha: 1e-3
beta: 1e-3
experiments:
  - {experiment: softmax, law: normal, d_k: [4, 64], keys: 8, shared_keys: [no, yes], exponent: [0, 1/2], temperature: [0, 5, infinite]}
  - {experiment: softmax, law: uniform, d_k: 3, keys: 2, exponent: [-4, 1/2], samples: 100, gate: false}
  - {experiment: freezing, keys: [2, 16], sigma: [0, 1, 8]}
  - {experiment: freezing, keys: 3, sigma: [16, 1e6], samples: 5000}
`

// TestVerifyRebuildsRows is the same of rows of softmax, whose nodes no document
// tells: what follows from other rows, and from the row itself, is missed.
func TestVerifyRebuildsRows(t *testing.T) {
	all := drawnDocument(t, rowsPlan)
	if v := verified(t, sealed(t, all, func(*result.Document) {})); len(v.Mismatches) > 0 || v.Verdict() != result.Pass {
		t.Fatalf("nothing is changed, but %s: %q", v.Verdict(), v.Mismatches)
	}
	row := func(d *result.Document, cell, quantity string, at float64) *result.Estimate {
		for i := range d.Estimates {
			r := &d.Estimates[i]
			p, ok := r.Params.Number("exponent")
			if s, sigma := r.Params.Number("sigma"); sigma {
				p, ok = s, true
			}
			if r.Cell == cell && r.Quantity == quantity && ok && p == at {
				return r
			}
		}
		t.Fatalf("there is no row %s of %s at %v", quantity, cell, at)
		return nil
	}
	for _, p := range []struct {
		cell, entry string
		at          float64
	}{
		{"softmax/normal/d_k=64/keys=8", "softmax, law: normal, d_k: 64, keys: 8, exponent: 1/2, samples: 2^15", 0.5},
		{"softmax/normal/d_k=64/keys=8/shared_keys", "softmax, law: normal, d_k: 64, keys: 8, shared_keys: yes, exponent: 1/2, samples: 2^17", 0.5},
		{"freezing/keys=16", "freezing, keys: 16, sigma: 1, samples: 2^15", 1},
	} {
		doc := drawnDocument(t, "tolerance: 20%\nexperiments:\n  - {experiment: "+p.entry+"}\n")
		changes := map[string]func(*result.Document){}
		of := func(name, quantity string, change func(*result.Estimate)) {
			changes[name+" of "+quantity] = func(d *result.Document) { change(row(d, p.cell, quantity, p.at)) }
		}
		for _, quantity := range []string{"max_weight", "entropy", "entropy_ratio", "collision", "gradient_survival", "jacobian_norm", "off_peak_trace", "effective_keys"} {
			if !row(doc, p.cell, quantity, p.at).Level.Present() {
				t.Errorf("%s of %s has no interval", quantity, p.cell)
				continue
			}
			of("the value", quantity, func(r *result.Estimate) { r.Value *= 1.0001 })
			of("no value", quantity, func(r *result.Estimate) { r.Value = result.Absent() })
			of("the error", quantity, func(r *result.Estimate) { r.SE *= 0.999 })
			of("the lower end", quantity, func(r *result.Estimate) { r.Lo += r.SE / 100 })
			of("the upper end", quantity, func(r *result.Estimate) { r.Hi -= r.SE / 100 })
			of("the level", quantity, func(r *result.Estimate) { r.Level = 0.9 })
			of("no level", quantity, func(r *result.Estimate) { r.Level = result.Absent() })
			of("the number", quantity, func(r *result.Estimate) { r.N *= 2 })
			if quantity != "effective_keys" {
				of("the theory", quantity, func(r *result.Estimate) { r.Theory *= 1 + 1e-8 })
				of("no theory", quantity, func(r *result.Estimate) { r.Theory, r.TheoryKind = result.Absent(), "none" })
			}
		}
		for _, quantity := range []string{"healthy_share", "fading_share", "dying_share", "dead_share", "max_weight_above_90_percent"} {
			of("a little more", quantity, func(r *result.Estimate) { r.Value += 1e-7 })
			of("more than all", quantity, func(r *result.Estimate) { r.Value = 1.5 })
			of("less than none", quantity, func(r *result.Estimate) { r.Value = -0.5 })
			of("no value", quantity, func(r *result.Estimate) { r.Value = result.Absent() })
			of("the upper end", quantity, func(r *result.Estimate) { r.Hi += 1e-6 })
			of("the error", quantity, func(r *result.Estimate) { r.SE += 1e-6 })
		}
		changes["labels that do not add up"] = func(d *result.Document) {
			// a whole number of rows, with everything else that follows
			a, b := row(d, p.cell, "healthy_share", p.at), row(d, p.cell, "dead_share", p.at)
			b.Value, b.SE, b.Lo, b.Hi = a.Value, a.SE, a.Lo, a.Hi
		}
		for _, quantity := range []string{"max_weight", "entropy_ratio", "collision", "effective_keys", "gradient_survival", "jacobian_norm", "off_peak_trace"} {
			median := quantity + "_q50"
			of("a quantile outside its interval", median, func(r *result.Estimate) { r.Value = r.Hi + r.SE })
			of("the error", median, func(r *result.Estimate) { r.SE *= 0.99 })
			of("no error", median, func(r *result.Estimate) { r.SE = result.Absent() })
			of("the upper end", median, func(r *result.Estimate) { r.Hi += r.SE / 1000 })
			of("ends exchanged", median, func(r *result.Estimate) { r.Lo, r.Hi = r.Hi, r.Lo })
			of("the level", median, func(r *result.Estimate) { r.Level = 0.5 })
			of("an interval left out", median, func(r *result.Estimate) {
				r.Lo, r.Hi, r.SE, r.Level = result.Absent(), result.Absent(), result.Absent(), result.Absent()
			})
			changes["two quantiles of "+quantity+" exchanged"] = func(d *result.Document) {
				a, b := row(d, p.cell, quantity+"_q25", p.at), row(d, p.cell, quantity+"_q75", p.at)
				a.Value, b.Value = b.Value, a.Value
				a.SE, b.SE, a.Lo, b.Lo, a.Hi, b.Hi = b.SE, a.SE, b.Lo, a.Lo, b.Hi, a.Hi
			}
		}
		for _, quantity := range []string{"collision_q50", "effective_keys_q95", "gradient_survival_q05"} {
			of("a quantile and its interval moved", quantity, func(r *result.Estimate) {
				by := r.SE / 2
				r.Value, r.Lo, r.Hi = r.Value+by, r.Lo+by, r.Hi+by
			})
		}
		changes["a row less"] = func(d *result.Document) {
			d.Estimates = slices.DeleteFunc(d.Estimates, func(r result.Estimate) bool { return r.Cell == p.cell && r.Quantity == "jacobian_norm_q05" })
		}
		for name, tamper := range changes {
			if v := verified(t, sealed(t, doc, tamper)); len(v.Mismatches) == 0 || v.Verdict() != result.Fail {
				t.Errorf("%s: %s: %s, no mismatch", p.cell, name, v.Verdict())
			}
		}
	}
}
