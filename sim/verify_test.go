package sim

import (
	"context"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/result"
)

// gated is a plan whose gates take their samples from the tolerance.
func gated(tolerance string) string {
	return strings.Replace(`
name: gated
seed: 7
tolerance: T
alpha: 1e-3
beta: 1e-3
experiments:
  - {experiment: variance, law: [normal, rademacher], d_k: [2, 64]}
  - {experiment: exponents, exponent: [0, 1/4, 1/2, 1]}
`, "T", tolerance, 1)
}

// sealed draws the plan, lets change alter the document, and gives back what a
// reader would: encoded with a digest that fits, and decoded.
func sealed(t *testing.T, doc *result.Document, change func(*result.Document)) *result.Document {
	t.Helper()
	text, err := result.Encode(doc)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := result.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	change(copied)
	if text, err = result.Encode(copied); err != nil {
		t.Fatal(err)
	}
	again, err := result.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

func drawnDocument(t *testing.T, plan string) *result.Document {
	t.Helper()
	return built(t, scheduled(t, plan))
}

func built(t *testing.T, s *Schedule) *result.Document {
	t.Helper()
	nodes := fresh(s)
	if err := Run(context.Background(), s, nodes, Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	doc, err := BuildDocument(s, nodes)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func verified(t *testing.T, doc *result.Document) *Verification {
	t.Helper()
	v, err := Verify(doc)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// find returns the first estimate of the quantity in a cell.
func find(t *testing.T, doc *result.Document, cell, quantity string) *result.Estimate {
	t.Helper()
	i := slices.IndexFunc(doc.Estimates, func(e result.Estimate) bool { return e.Cell == cell && e.Quantity == quantity })
	if i < 0 {
		t.Fatalf("no %s of %s", quantity, cell)
	}
	return &doc.Estimates[i]
}

func mentions(v *Verification, part string) bool {
	return slices.ContainsFunc(v.Mismatches, func(m string) bool { return strings.Contains(m, part) })
}

const planted = "variance/normal/d_k=64"

func TestVerifyPlantedRatio(t *testing.T) {
	for _, c := range []struct {
		tolerance string
		gate      result.Verdict // of the planted cell's unit variance
	}{{"1%", result.Fail}, {"5%", result.Undecided}, {"20%", result.Pass}} {
		doc := drawnDocument(t, gated(c.tolerance))
		if v := verified(t, doc); len(v.Mismatches) > 0 || v.Verdict() != result.Pass {
			t.Fatalf("tolerance %s: untouched, %s: %v", c.tolerance, v.Verdict(), v.Mismatches)
		}
		v := verified(t, sealed(t, doc, func(d *result.Document) { find(t, d, planted, "score_variance").Value *= 1.03 }))
		i := slices.IndexFunc(v.Gates, func(g result.Gate) bool { return g.Cell == planted && g.Quantity == "score_variance" })
		if v.Gates[i].Verdict != c.gate {
			t.Errorf("tolerance %s: the gate of 1.03 is %s, want %s", c.tolerance, v.Gates[i].Verdict, c.gate)
		}
		if v.Verdict() != result.Fail || !mentions(v, planted) {
			t.Errorf("tolerance %s: %s, mismatches %q", c.tolerance, v.Verdict(), v.Mismatches)
		}
	}
}

// A gate that is changed along with its row is no contradiction, and still
// fails where it is beyond the band.
func TestVerifyJudgesForItself(t *testing.T) {
	doc := drawnDocument(t, gated("1%"))
	v := verified(t, sealed(t, doc, func(d *result.Document) {
		row := find(t, d, planted, "score_mean")
		shift := 0.5 - row.Value
		row.Value, row.Lo, row.Hi = 0.5, row.Lo+shift, row.Hi+shift
		for i := range d.Gates {
			if g := &d.Gates[i]; g.Cell == planted && g.Quantity == "score_mean" {
				g.Value, g.Lo, g.Hi, g.Verdict = 0.5, g.Lo+shift, g.Hi+shift, result.Fail
			}
		}
		d.Budget.Verdict = result.Fail
	}))
	if v.Verdict() != result.Fail || len(v.Mismatches) != 0 || v.Budget.Verdict != result.Fail {
		t.Errorf("%s, mismatches %q", v.Verdict(), v.Mismatches)
	}
}

func TestVerifyMismatches(t *testing.T) {
	doc := drawnDocument(t, gated("20%"))
	for _, c := range []struct {
		name   string
		change func(*result.Document)
		part   string // of a mismatch; empty if there is none
	}{
		{"nothing", func(*result.Document) {}, ""},
		{"a gate less", func(d *result.Document) { d.Gates = d.Gates[1:] }, "the document records"},
		{"no gates", func(d *result.Document) { d.Gates = nil }, "the document records 0"},
		{"a gate twice", func(d *result.Document) { d.Gates = append(d.Gates, d.Gates[0]) }, "the document records"},
		{"another gate's name", func(d *result.Document) { d.Gates[0].Name = "x" }, `records "x"`},
		{"two gates exchanged", func(d *result.Document) { d.Gates[0], d.Gates[1] = d.Gates[1], d.Gates[0] }, "gate 1 is"},
		{"a gate's value", func(d *result.Document) { d.Gates[0].Value += 1e-12 }, "its row says"},
		{"a gate's verdict", func(d *result.Document) { d.Gates[0].Verdict = result.Undecided }, "its row gives pass"},
		{"a gate's tail", func(d *result.Document) { d.Gates[0].NormalError += 1e-6 }, "is off the normal one"},
		{"a gate's samples to decide", func(d *result.Document) { n := int64(9); d.Gates[0].NToDecide = &n }, "samples that would decide"},
		{"a gate's experiment", func(d *result.Document) { d.Gates[0].Experiment = "health" }, "gate 1 is"},
		{"the point of a gate", func(d *result.Document) { d.Gates[0].Params["law"] = "uniform" }, "gate 1 is"},
		{"the verdict of all", func(d *result.Document) { d.Budget.Verdict = result.Undecided }, "all gates together give pass"},
		{"the theory of a variance", func(d *result.Document) { find(t, d, planted, "score_variance").Theory *= 1 + 1e-6 }, "theory"},
		{"the theory of a mean", func(d *result.Document) { find(t, d, planted, "score_mean").Theory = 1e-6 }, "theory"},
		{"no theory", func(d *result.Document) { find(t, d, planted, "score_variance").Theory = result.Absent() }, "theory"},
		{"a standard error", func(d *result.Document) { find(t, d, planted, "score_variance").SE *= 1 + 1e-6 }, "standard error"},
		{"no standard error", func(d *result.Document) { find(t, d, planted, "score_mean").SE = result.Absent() }, "standard error"},
		{"the number of pairs", func(d *result.Document) { find(t, d, planted, "score_variance").N *= 2 }, "standard error"},
		{"a slope", func(d *result.Document) { find(t, d, "variance/normal/d_k=*", "variance_slope").Value += 1e-6 }, "a fit to the rows"},
		{"a slope of p ≠ 0", func(d *result.Document) {
			for i := range d.Estimates {
				if e := &d.Estimates[i]; e.Quantity == "variance_slope" && e.Params["exponent"] == 1.0 {
					e.Value += 1e-6
				}
			}
		}, "a fit to the rows"},
		{"no slope", func(d *result.Document) {
			find(t, d, "variance/normal/d_k=*", "variance_slope").Value = result.Absent()
		}, "a fit to the rows"},
		{"no value of a gate", func(d *result.Document) { d.Gates[0].Value = result.Absent() }, "its row says"},
		{"a row that a slope is made of", func(d *result.Document) { find(t, d, planted, "score_variance").Value *= 1.0001 }, "a fit to the rows"},
		{"a row less", func(d *result.Document) {
			d.Estimates = slices.DeleteFunc(d.Estimates, func(e result.Estimate) bool { return e.Cell == planted && e.Quantity == "score_variance" })
		}, "there is no row score_variance of " + planted},
		{"a row of the other law", func(d *result.Document) { find(t, d, planted, "score_variance").Params["law"] = "uniform" }, "there is no row"},
		{"the plan's tolerance", func(d *result.Document) {
			d.Plan = []byte(strings.TrimSuffix(string(d.Plan), `"tolerance":0.2}`) + `"tolerance":0.000002}`)
		}, ""}, // each entry has its own
		{"every tolerance", func(d *result.Document) {
			d.Plan = []byte(strings.ReplaceAll(string(d.Plan), `"tolerance":0.2`, `"tolerance":0.19`))
		}, "its error, interval or band"},
		{"a dimension of the plan", func(d *result.Document) {
			d.Plan = []byte(strings.Replace(string(d.Plan), `[2,64]`, `[2,32]`, 1))
		}, "there is no row"},
	} {
		v := verified(t, sealed(t, doc, c.change))
		if c.part == "" {
			if len(v.Mismatches) > 0 || v.Verdict() != result.Pass {
				t.Errorf("%s changed: %s, %q", c.name, v.Verdict(), v.Mismatches)
			}
			continue
		}
		if !mentions(v, c.part) || v.Verdict() != result.Fail {
			t.Errorf("%s changed: %s, mismatches %q, want one that has %q", c.name, v.Verdict(), v.Mismatches, c.part)
		}
	}
}

func TestVerifyRefusesBadPlan(t *testing.T) {
	doc := drawnDocument(t, gated("20%"))
	for _, plan := range []string{`{}`, `null`, `{"experiments":[{"experiment":"none"}]}`} {
		doc.Plan = []byte(plan)
		if _, err := Verify(doc); err == nil || !strings.Contains(err.Error(), "the plan in the document") {
			t.Errorf("plan %s: %v", plan, err)
		}
	}
}

// Where too few pairs were drawn to fit a slope, the run is undecided; it is
// not refused after all that drawing, and the document does not contradict
// itself.
func TestSlopeThatIsNotDetermined(t *testing.T) {
	doc := drawnDocument(t, `
seed: 7
tolerance: 50%
experiments:
  - {experiment: variance, law: normal, d_k: [512, 1024], samples: 100}
  - {experiment: exponents}
`)
	v := verified(t, sealed(t, doc, func(*result.Document) {}))
	if doc.Budget.Verdict != result.Undecided || v.Verdict() != result.Undecided {
		t.Errorf("%s, verified %s: %q", doc.Budget.Verdict, v.Verdict(), v.Mismatches)
	}
}

// ungated is a plan of rows that no gate judges: 50 standard errors off their
// theory, or off their bounds, they are not what was drawn, whatever the rest says.
const ungated = `
name: ungated
seed: 7
tolerance: 20%
experiments:
  - {experiment: mismatch, law: uniform, d_k: 8, q_sd: 2, samples: 65536}
  - {experiment: alignment, law: normal, d_k: [16, 64], rho: 1/2, keys: 8, exponent: 1/2, samples: 4096}
  - {experiment: alignment, law: laplace, d_k: 16, rho: 0, keys: 8, exponent: 1/2, samples: 32768, gate: false}
  - {experiment: rules, law: [normal, rademacher], d_k: [1, 16], rule: [cosine(10), qk-norm, soft-cap(2)], samples: 65536}
  - {experiment: init, init: [flax, qk-norm, mup-zero-query], d_model: 64, d_k: 8, samples: 64}
  - {experiment: init, init: orthogonal, d_model: 16, d_k: 16, samples: 64}
`

// alter changes the first row of a quantity in a cell, of a rule if one is named.
func alter(t *testing.T, d *result.Document, cell, quantity, rule string, change func(*result.Estimate)) {
	t.Helper()
	for i := range d.Estimates {
		r := &d.Estimates[i]
		if name, _ := r.Params.Text("rule"); r.Cell == cell && r.Quantity == quantity && (rule == "" || rule == name) {
			change(r)
			return
		}
	}
	t.Fatalf("no %s of %s", quantity, cell)
}

func TestVerifyRowsWithoutGates(t *testing.T) {
	doc := drawnDocument(t, ungated)
	if v := verified(t, sealed(t, doc, func(*result.Document) {})); len(v.Mismatches) > 0 {
		t.Fatalf("untouched: %q", v.Mismatches)
	}
	shift := func(r *result.Estimate) {
		by := 50 * r.SE
		r.Value, r.Lo, r.Hi = r.Value+by, r.Lo+by, r.Hi+by
	}
	scaled := func(x result.Number) func(*result.Estimate) { return func(r *result.Estimate) { r.Value *= x } }
	const flax, norm, laplace = "init/flax/d_model=64/d_k=8", "init/qk-norm/d_model=64/d_k=8", "alignment/laplace/d_k=16/rho=0/keys=8"
	for _, x := range []struct {
		cell, quantity, rule string
		change               func(*result.Estimate)
		part                 string
	}{
		{flax, "query_variance", "", shift, "standard errors from its theory"},
		{flax, "key_variance", "", shift, "standard errors from its theory"},
		{flax, "same_token_mean", "", shift, "standard errors from its theory"},
		{flax, "participation_ratio", "", shift, "standard errors from its theory"},
		{"init/mup-zero-query/d_model=64/d_k=8", "query_variance", "", func(r *result.Estimate) { r.Value, r.Lo, r.Hi = 1e-3, 1e-3, 1e-3 }, "without an error"},
		{norm, "query_variance", "", scaled(2), "its other rows give 1"},
		{norm, "query_variance", "", func(r *result.Estimate) { r.SE = 0.1 }, "standard error"},
		{laplace, "aligned_weight", "", shift, "standard errors from its theory"},
		{laplace, "aligned_first_share", "", shift, "standard errors from its theory"},
		{laplace, "gradient_survival", "", func(r *result.Estimate) {
			r.Value, r.Lo, r.Hi = 1.92, 1.91, 1.93
		}, "between 0 and 1"},
		{laplace, "entropy_ratio", "", scaled(-1), "between 0 and 1"},
		{"alignment/normal/d_k=16..64/rho=0.5/keys=8", "local_exponent", "", shift, "standard errors from its theory"},
		{"mismatch/uniform/d_k=8/q_sd=2", "key_variance", "", shift, "standard errors from its theory"},
		{"rules/normal/d_k=1/keys=8", "logit_variance", "cosine(10)", scaled(2), "its other rows give 100"},
		{"rules/normal/d_k=1/keys=8", "logit_variance", "cosine(10)", func(r *result.Estimate) { r.SE = 1 }, "standard error"},
		{"rules/rademacher/d_k=1/keys=8", "logit_variance", "soft-cap(2)", scaled(2), "its other rows give 0.8542"},
		{"rules/normal/d_k=16/keys=8", "logit_variance", "soft-cap(2)", shift, "standard errors from its theory"},
	} {
		v := verified(t, sealed(t, doc, func(d *result.Document) { alter(t, d, x.cell, x.quantity, x.rule, x.change) }))
		if !mentions(v, x.part) || v.Verdict() != result.Fail {
			t.Errorf("%s of %s: %s, mismatches %q, want one that has %q", x.quantity, x.cell, v.Verdict(), v.Mismatches, x.part)
		}
	}
}

// An additive rule is known in a limit only, and may lie anywhere near it.
func TestVerifyLeavesLimits(t *testing.T) {
	doc := drawnDocument(t, `
seed: 7
experiments:
  - {experiment: rules, law: normal, d_k: 1, rule: additive, samples: 2^18}
`)
	r := find(t, doc, "rules/normal/d_k=1/keys=8", "logit_variance")
	if z := float64((r.Value - r.Theory) / r.SE); r.TheoryKind != "limit" || z > -5 {
		t.Fatalf("of kind %s, %.1f errors from its limit: it was to be far", r.TheoryKind, z)
	}
	if v := verified(t, doc); len(v.Mismatches) > 0 {
		t.Errorf("mismatches %q", v.Mismatches)
	}
}

// Of 2000 sums of few skewed numbers each, more skewed and with worse errors than
// rows with an interval may be, none is as far from its mean as the limit, and the
// limit still knows 50 errors of a usual row for too many.
func TestReach(t *testing.T) {
	const tail = farTail / 2e4
	random := rand.New(rand.NewSource(3))
	farthest := 0.0
	for range 2000 {
		const n = 800 // of products of two squares: a mean known to 10 %
		var sum, squares float64
		for range n {
			a, b := random.NormFloat64(), random.NormFloat64()
			x := a * a * b * b
			sum += x
			squares += x * x
		}
		mean := sum / n
		se := math.Sqrt((squares/n - mean*mean) / n)
		farthest = max(farthest, math.Abs(mean-1)/se/reach(n, se, tail))
	}
	if !(farthest < 1) || farthest < 0.2 {
		t.Errorf("the farthest of 2000 lies at %v of the limit", farthest)
	}
	if far := reach(1<<20, 0.01, tail); far > 20 || far < 7 {
		t.Errorf("a row known to 1 %% may lie %v errors off", far)
	}
}
