package verify

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/attention/cost"
	"mcsim/sim/engine/document"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// gatedPlan returns a plan whose tolerance determines the number of samples.
func gatedPlan(tolerance string) string {
	return strings.Replace(`
name: gated
seed: 7
tolerance: T
alpha: 1e-3
beta: 1e-3
experiments:
  - {experiment: variance, distribution: [normal, rademacher], d_k: [2, 64]}
  - {experiment: exponents, exponent: [0, 1/4, 1/2, 1]}
`, "T", tolerance, 1)
}

func judge(t *testing.T, doc *result.Document) *Judgement {
	t.Helper()
	v, err := Document(doc)
	simtest.Must(t, err)
	return v
}

func hasMismatch(v *Judgement, part string) bool {
	return slices.ContainsFunc(v.Mismatches, func(m string) bool { return strings.Contains(m, part) })
}

const changedCell = "variance/normal/d_k=64"

// TestChangedEstimate checks that an estimate that is increased by 3 % is a mismatch, whatever its
// gate says for the tolerance of the plan.
func TestChangedEstimate(t *testing.T) {
	for _, c := range []struct {
		tolerance string
		gate      result.Verdict // of the changed cell's unit variance
	}{{"1%", result.Fail}, {"5%", result.Undecided}, {"20%", result.Pass}} {
		doc := simtest.SampleDocument(t, gatedPlan(c.tolerance))
		if v := judge(t, doc); len(v.Mismatches) > 0 || v.Verdict(true) != result.Pass {
			t.Fatalf("tolerance %s, unchanged: the verdict is %s with the mismatches %v, want a pass without any",
				c.tolerance, v.Verdict(true), v.Mismatches)
		}
		v := judge(t, reseal(t, doc,
			func(d *result.Document) { simtest.FindEstimate(t, d, changedCell, "score_variance").Value *= 1.03 }))
		i := slices.IndexFunc(v.Gates,
			func(g result.Gate) bool { return g.Cell == changedCell && g.Quantity == "score_variance" })
		if v.Gates[i].Verdict != c.gate {
			t.Errorf("tolerance %s: the gate of the changed estimate is %s, want %s", c.tolerance, v.Gates[i].Verdict,
				c.gate)
		}
		if v.Verdict(true) != result.Fail || !hasMismatch(v, changedCell) {
			t.Errorf("tolerance %s: the verdict is %s with the mismatches %q, want a fail with one of %s", c.tolerance,
				v.Verdict(true), v.Mismatches, changedCell)
		}
	}
}

// TestConsistentChange checks that an estimate outside of its band fails although all parts of the
// document that are computed from it were changed consistently, so that there is no mismatch.
func TestConsistentChange(t *testing.T) {
	doc := simtest.SampleDocument(t, gatedPlan("1%"))
	v := judge(t, reseal(t, doc, func(d *result.Document) {
		row := simtest.FindEstimate(t, d, changedCell, "score_mean")
		shift := 0.5 - row.Value
		row.Value, row.Lo, row.Hi = 0.5, row.Lo+shift, row.Hi+shift
		again := slices.DeleteFunc(slices.Clone(d.Estimates), document.IsAgreement)
		d.Estimates = append(again,
			document.Agreement(document.SampledCells(simtest.NewSchedule(t, gatedPlan("1%"))), again)...)
		d.Budget.Verdict = result.Fail
		d.Gates, _ = document.Judge(simtest.NewSchedule(t, gatedPlan("1%")), d.Estimates)
	}))
	if v.Verdict(true) != result.Fail || len(v.Mismatches) != 0 || v.Budget.Verdict != result.Fail {
		t.Errorf("the verdict is %s, that of the gates %s, and the mismatches are %q; want fail, fail and none",
			v.Verdict(true), v.Budget.Verdict, v.Mismatches)
	}
}

// TestVerifyMismatches checks which changes of a document Document finds, and the texts of
// mismatches.
func TestVerifyMismatches(t *testing.T) {
	doc := simtest.SampleDocument(t, gatedPlan("20%"))
	for _, c := range []struct {
		name   string
		change func(*result.Document)
		part   string // part of the text of a mismatch; empty if there must be no mismatch
	}{
		{"nothing", func(*result.Document) {}, ""},
		{"a number of an example", func(d *result.Document) { d.Examples[0].Steps[3].Value[0] += 1e-9 },
			"worked examples: three-tokens is different"},
		{"a verdict of a claim", func(d *result.Document) { d.Claims[0].Verdict = "holds" },
			"claims: 000-01 is different"},
		{"one gate missing", func(d *result.Document) { d.Gates = d.Gates[1:] }, "the document records"},
		{"a z-score", func(d *result.Document) { simtest.FindEstimate(t, d, changedCell, "z_score").Value += 1e-6 },
			"z_score of " + changedCell},
		{"one z-score missing", func(d *result.Document) {
			d.Estimates = slices.DeleteFunc(d.Estimates,
				func(e result.Estimate) bool { return e.Cell == changedCell && e.Quantity == "z_score" })
		}, "estimates about the document as a whole"},
		{"an estimate with a z-score",
			func(d *result.Document) { simtest.FindEstimate(t, d, changedCell, "score_variance").Value *= 1.0001 },
			"z_score of " + changedCell},
		{"a count of operations", func(d *result.Document) { d.Curves[len(d.Curves)-1].Y[0]++ },
			"cost of attention: attention_crossing is different"},
		{"no curves of costs", func(d *result.Document) { d.Curves = slices.DeleteFunc(d.Curves, cost.IsCostCurve) },
			""},
		{"the verdict of all gates", func(d *result.Document) { d.Budget.Verdict = result.Undecided },
			"its estimates and plan give \"pass\""},
		{"the theory of a variance",
			func(d *result.Document) { simtest.FindEstimate(t, d, changedCell, "score_variance").Theory *= 1 + 1e-6 },
			"theory"},
		{"a standard error", func(d *result.Document) {
			simtest.FindEstimate(t, d, changedCell,
				"score_variance").SE *= 1 + 1e-6
		}, "standard error"},
		{"the sign of a standard error that no closed form gives", func(d *result.Document) {
			e := simtest.FindEstimate(t, d, changedCell, "score_excess_kurtosis")
			e.SE = -e.SE
		}, "has the standard error -"},
		{"a slope", func(d *result.Document) {
			simtest.FindEstimate(t, d, "variance/normal/d_k=*", "variance_slope").Value += 1e-6
		}, "a fit to its estimates"},
		{"a slope of p ≠ 0", func(d *result.Document) {
			for i := range d.Estimates {
				if e := &d.Estimates[i]; e.Quantity == "variance_slope" && e.Params["exponent"] == 1.0 {
					e.Value += 1e-6
				}
			}
		}, "a fit to its estimates"},
		{"no slope", func(d *result.Document) {
			simtest.FindEstimate(t, d, "variance/normal/d_k=*", "variance_slope").Value = result.Absent()
		}, "a fit to its estimates"},
		{"an estimate of a slope",
			func(d *result.Document) { simtest.FindEstimate(t, d, changedCell, "score_variance").Value *= 1.0001 },
			"a fit to its estimates"},
		{"one estimate missing", func(d *result.Document) {
			d.Estimates = slices.DeleteFunc(d.Estimates,
				func(e result.Estimate) bool { return e.Cell == changedCell && e.Quantity == "score_variance" })
		}, "there is no estimate score_variance of " + changedCell},
		{"an estimate of another distribution", func(d *result.Document) {
			simtest.FindEstimate(t, d, changedCell, "score_variance").Params["distribution"] = "uniform"
		}, "there is no estimate"},
		{"the plan's tolerance", func(d *result.Document) {
			d.Plan = []byte(strings.TrimSuffix(string(d.Plan), `"tolerance":0.2}`) + `"tolerance":0.000002}`)
		}, ""}, // each entry has its own
		{"every tolerance", func(d *result.Document) {
			d.Plan = []byte(strings.ReplaceAll(string(d.Plan), `"tolerance":0.2`, `"tolerance":0.19`))
		}, "as its band"},
		{"a dimension of the plan", func(d *result.Document) {
			d.Plan = []byte(strings.Replace(string(d.Plan), `[2,64]`, `[2,32]`, 1))
		}, "there is no estimate"},
	} {
		v := judge(t, reseal(t, doc, c.change))
		if c.part == "" {
			if len(v.Mismatches) > 0 || v.Verdict(true) != result.Pass {
				t.Errorf("%s changed: the verdict is %s with the mismatches %q, want a pass without any", c.name,
					v.Verdict(true), v.Mismatches)
			}
			continue
		}
		if !hasMismatch(v, c.part) || v.Verdict(true) != result.Fail {
			t.Errorf("%s changed: the verdict is %s with the mismatches %q, want a fail with %q", c.name,
				v.Verdict(true), v.Mismatches,
				c.part)
		}
	}
}

// TestVerifyEveryFieldOfGates checks that a change of any field of a gate or of the budget is a
// mismatch.
func TestVerifyEveryFieldOfGates(t *testing.T) {
	doc := simtest.SampleDocument(t, gatedPlan("20%"))
	for _, field := range []func(*result.Document) any{func(d *result.Document) any { return &d.Gates[1] },
		func(d *result.Document) any { return &d.Budget }} {
		for i := range reflect.TypeOf(field(doc)).Elem().NumField() {
			v := judge(t, reseal(t, doc,
				func(d *result.Document) { alter(reflect.ValueOf(field(d)).Elem().Field(i)) }))
			name, _, _ := strings.Cut(reflect.TypeOf(field(doc)).Elem().Field(i).Tag.Get("json"), ",")
			if v.Verdict(true) != result.Fail || !hasMismatch(v, "as its "+name) {
				t.Errorf("%s changed: the verdict is %s with the mismatches %q, want a fail with one that names it",
					name, v.Verdict(true), v.Mismatches)
			}
		}
	}
}

// alter changes the value of a field.
func alter(f reflect.Value) {
	switch f.Kind() {
	case reflect.String:
		f.SetString(f.String() + "x")
	case reflect.Float64:
		if f.SetFloat(math.Nextafter(f.Float(), 2)); math.IsNaN(f.Float()) {
			f.SetFloat(1)
		}
	case reflect.Int:
		f.SetInt(f.Int() + 1)
	case reflect.Array:
		alter(f.Index(1))
	case reflect.Map:
		f.Set(reflect.ValueOf(result.Params{"distribution": "uniform"}))
	case reflect.Pointer:
		f.Set(reflect.New(f.Type().Elem()))
	}
}

func TestVerifyRefusesBadPlan(t *testing.T) {
	doc := simtest.SampleDocument(t, gatedPlan("20%"))
	for _, plan := range []string{`{}`, `null`, `{"experiments":[{"experiment":"none"}]}`} {
		doc.Plan = []byte(plan)
		if _, err := Document(doc); err == nil || !strings.Contains(err.Error(), "the plan in the document") {
			t.Errorf("plan %s: the error is %v, want one about the plan in the document", plan, err)
		}
	}
}

// TestSlopeThatIsNotDetermined checks that the verdict of a run with too few samples to fit a slope
// is undecided, without an error and without a mismatch.
func TestSlopeThatIsNotDetermined(t *testing.T) {
	doc := simtest.SampleDocument(t, `
seed: 7
tolerance: 50%
experiments:
  - {experiment: variance, distribution: normal, d_k: [512, 1024], samples: 100}
  - {experiment: exponents}
`)
	v := judge(t, reseal(t, doc, func(*result.Document) {}))
	if doc.Budget.Verdict != result.Undecided || v.Verdict(true) != result.Undecided {
		t.Errorf("the verdict is %s, and %s if it is judged again, want %s: %q", doc.Budget.Verdict, v.Verdict(true),
			result.Undecided, v.Mismatches)
	}
}

// reseal applies change to a copy of the document, encodes it with a matching digest, and returns
// the decoded result.
func reseal(t testing.TB, doc *result.Document, change func(*result.Document)) *result.Document {
	t.Helper()
	text, err := result.Encode(doc)
	simtest.Must(t, err)
	copied, err := result.Decode(text)
	simtest.Must(t, err)
	change(copied)
	if text, err = result.Encode(copied); err != nil {
		t.Fatal(err)
	}
	again, err := result.Decode(text)
	simtest.Must(t, err)
	return again
}
