package sim

import (
	"slices"
	"testing"

	"mcsim/sim/result"
)

const otherScores = `
name: others
seed: 7
tolerance: 20%
alpha: 1e-3
beta: 1e-3
experiments:
  - {experiment: mismatch, law: normal, d_k: [1, 16], q_sd: 2, k_mean: [0, 1], k_correlation: [0, 1/2], samples: 20000}
  - {experiment: alignment, law: [normal, rademacher, sphere], d_k: [4, 16], rho: [0, 1/2, 1], keys: 4, samples: 4096, gate: false}
  - {experiment: alignment, law: normal, d_k: 8, rho: 1/2, keys: 4, samples: 50000}
  - {experiment: rules, law: [normal, bernoulli-gaussian(0.1), sphere], d_k: [1, 4, 64], keys: 4, samples: 20000}
`

// What follows from other rows of mismatch, alignment and rules is missed when
// it is changed, and nothing else is.
func TestVerifyRebuildsOtherScores(t *testing.T) {
	doc := drawnDocument(t, otherScores)
	if v := verified(t, sealed(t, doc, func(*result.Document) {})); len(v.Mismatches) > 0 {
		t.Fatalf("nothing is changed, but: %q", v.Mismatches)
	}
	row := func(d *result.Document, of, quantity string) *result.Estimate {
		i := slices.IndexFunc(d.Estimates, func(r result.Estimate) bool {
			return r.Experiment == of && r.Quantity == quantity && r.Level.Present() && r.SE > 0
		})
		if i < 0 {
			i = slices.IndexFunc(d.Estimates, func(r result.Estimate) bool {
				return r.Experiment == of && r.Quantity == quantity && r.Value.Present()
			})
		}
		if i < 0 {
			t.Fatalf("there is no row %s of %s", quantity, of)
		}
		return &d.Estimates[i]
	}
	for of, quantities := range map[string][]string{
		"mismatch":  {"score_mean", "score_variance", "scaled_variance", "unit_exponent", "key_variance"},
		"alignment": {"score_mean", "score_variance", "score_mean_square", "scaled_mean_square", "unit_exponent", "aligned_first_share", "aligned_weight", "local_exponent"},
		"rules":     {"logit_variance", "logit_variance_slope", "flat", "multiplications"},
	} {
		for _, quantity := range quantities {
			for what, change := range map[string]func(*result.Estimate){
				"theory":   func(r *result.Estimate) { r.Theory += 0.01 },
				"interval": func(r *result.Estimate) { r.Hi = r.Value + 10 },
			} {
				v := verified(t, sealed(t, doc, func(d *result.Document) { change(row(d, of, quantity)) }))
				if len(v.Mismatches) == 0 || v.Verdict() != result.Fail {
					t.Errorf("another %s of %s of %s: %s, no mismatch", what, quantity, of, v.Verdict())
				}
			}
		}
	}
	for name, tamper := range map[string]func(*result.Document){
		"an exponent":         func(d *result.Document) { row(d, "alignment", "local_exponent").Value += 0.1 },
		"a mean square":       func(d *result.Document) { row(d, "alignment", "score_mean_square").Value *= 1.01 },
		"whether it is flat":  func(d *result.Document) { r := row(d, "rules", "flat"); r.Value = 1 - r.Value },
		"a slope":             func(d *result.Document) { row(d, "rules", "logit_variance_slope").Value += 1e-3 },
		"a count":             func(d *result.Document) { row(d, "rules", "tanhs").Value++ },
		"a scaled variance":   func(d *result.Document) { row(d, "mismatch", "scaled_variance").Value *= 1.01 },
		"an exact error":      func(d *result.Document) { row(d, "mismatch", "score_variance").SE *= 1.01 },
		"the number of draws": func(d *result.Document) { row(d, "rules", "logit_variance").N *= 2 },
	} {
		if v := verified(t, sealed(t, doc, tamper)); len(v.Mismatches) == 0 || v.Verdict() != result.Fail {
			t.Errorf("%s: %s, no mismatch", name, v.Verdict())
		}
	}
}
