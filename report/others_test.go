package report

import (
	"slices"
	"strings"
	"testing"

	"mcsim/report/internal/synthetic"
	"mcsim/sim/result"
)

// dropped is the default document without the rows of some experiments, and
// without what names in them stand for.
func dropped(names ...string) *result.Document {
	doc := without(func(e string, _ result.Params) bool { return slices.Contains(names, e) })
	doc.Schemes = slices.DeleteFunc(doc.Schemes, func(s result.Scheme) bool { return slices.Contains(names, s.Experiment) })
	return doc
}

// The pages on alignment, rules and initialisations speak of the rows that
// there are, and of nothing else.
func TestOtherPagesSpeakOfTheirRows(t *testing.T) {
	const (
		exponent  = "Which power of $d_k$ keeps the size of a score depends"
		debate    = "## Does that speak for dividing by the dimension?"
		grows     = "what is aligned wins"
		flat      = "does not depend on $d_k$, within the tolerance"
		cost      = "## What a rule costs"
		defaults  = "not all common defaults see to that"
		heads     = "## Over weights, and within one head"
		mismatch  = "## Components that are not as assumed"
		noRules   = "no rows of the experiment rules"
		noAligned = "no rows of the experiment alignment"
		noInits   = "no rows of the experiments init and mismatch"
	)
	all := []string{exponent, debate, grows, flat, cost, defaults, heads, mismatch}
	only := func(experiment, name string, value any) *result.Document {
		return without(func(e string, p result.Params) bool { return e == experiment && p[name] != value })
	}
	for name, c := range map[string]struct {
		doc          *result.Document
		says, hushes []string
	}{
		"all":            {synthetic.Default(), all, []string{noRules, noAligned, noInits}},
		"none":           {dropped("alignment", "rules", "init", "mismatch"), []string{noRules, noAligned, noInits}, all},
		"mismatch alone": {dropped("init"), []string{mismatch}, []string{heads, defaults, noInits}},
		"init alone":     {dropped("mismatch"), []string{heads, defaults}, []string{mismatch, noInits}},
		"one d_k":        {only("alignment", "d_k", 64.0), []string{debate}, []string{exponent, grows, noAligned}},
		"one rho":        {only("alignment", "rho", 0.0), nil, []string{exponent, debate, grows, noAligned}},
		"same token":     {only("alignment", "rho", 1.0), nil, []string{debate, grows, noAligned}},
		"one rule":       {only("rules", "rule", "power(0)"), []string{"It does under power(0)"}, []string{flat, noRules}},
		"one init":       {only("init", "init", "he-normal"), []string{heads}, []string{defaults, noInits}},
		"no schemes": {func() *result.Document {
			doc := synthetic.Default()
			doc.Schemes = nil
			return doc
		}(), all, []string{"Where rules come from", "where it is written: a repository"}},
	} {
		text := oneDocument(t, c.doc)
		for _, want := range c.says {
			if !strings.Contains(text, want) {
				t.Errorf("%s: lacks %q", name, want)
			}
		}
		for _, not := range c.hushes {
			if strings.Contains(text, not) {
				t.Errorf("%s: says %q", name, not)
			}
		}
		if strings.Contains(text, "NaN") || strings.Contains(text, "<no value") {
			t.Errorf("%s: shows what is missing as if it were there", name)
		}
	}
}

// What is claimed of weights follows from their rows.
func TestAlignmentFollowsItsRows(t *testing.T) {
	doc := synthetic.Default()
	for i := range doc.Estimates {
		if e := &doc.Estimates[i]; e.Quantity == "aligned_weight" {
			e.Value, e.SE, e.Lo, e.Hi = 0.5, 0.01, 0.48, 0.52
		}
	}
	v := newSource(doc, Run{}, nil).alignment()
	if v.Root.Grows || !v.Whole.Stays || v.Root.Rho != "0.5" || v.Root.Last.Dim != "256" {
		t.Errorf("%+v", v)
	}
	if len(v.Weights) != 2 || len(v.Exponents.Rows) != 3 || v.Exponents.Rows[0][0] != "8" {
		t.Errorf("%+v", v.Exponents)
	}
	few := []result.Estimate{{Value: 1, Lo: 0.9, Hi: 1.1, Level: 0.95, Theory: 1}, {Value: 2, Lo: 1.9, Hi: 2.1, Level: 0.95, Theory: 1}}
	if got := holding(few); !strings.Contains(got, "of 2 intervals at 95\u202f%, 1 holds") {
		t.Error(got)
	}
	if got := holding(nil); got != "" {
		t.Error(got)
	}
}

// A rule stands with its formula, its slope, and what it costs; a verdict that
// is not there is not made up.
func TestRuleTables(t *testing.T) {
	doc := without(func(e string, p result.Params) bool { return false })
	doc.Estimates = slices.DeleteFunc(doc.Estimates, func(e result.Estimate) bool {
		return e.Quantity == "flat" && e.Params["rule"] == "power(0.5)"
	})
	v := newSource(doc, Run{}, nil).rules()
	if !strings.Contains(v.Undecided, "power(0.5)") || strings.Contains(v.Flat, "power(0.5)") || !strings.Contains(v.Not, "cosine(10) (slope") {
		t.Errorf("flat %q, not %q, undecided %q", v.Flat, v.Not, v.Undecided)
	}
	if len(v.Variance.Rows) != 4 || v.Variance.Rows[1][1] != "not decided" || v.Variance.Rows[0][1] != "no" || v.Variance.Rows[2][0] != "√(d_k/2)" {
		t.Errorf("%v", v.Variance.Rows)
	}
	if o := v.Operations; !slices.Equal(o.Head, []string{"rule", "× per pair", "× per vector"}) || o.Rows[0][1] != "64" {
		t.Errorf("%v", o)
	}
	if len(v.Sources.Rows) != 3 {
		t.Errorf("%v", v.Sources.Rows)
	}
}

// The ledger has what the document says of each initialisation.
func TestLedger(t *testing.T) {
	v := newSource(synthetic.Default(), Run{}, nil).initialisations()
	if v.Low.Name != "normal-0.02" || v.High.Name != "he-normal" || !v.Off || v.Count != "5" || len(v.Usual) != 4 || !v.Usual[3].Last {
		t.Errorf("%+v", v)
	}
	for _, row := range v.Ledger.Rows {
		if slices.Contains(row, "") {
			t.Errorf("%q", row)
		}
	}
	if len(v.Ledger.Rows) != 5 || len(v.Sources.Rows) != 5 || len(v.Heads.Rows) != 5 || len(v.Mismatch.Rows) != 3 {
		t.Errorf("%d, %d, %d and %d lines", len(v.Ledger.Rows), len(v.Sources.Rows), len(v.Heads.Rows), len(v.Mismatch.Rows))
	}
	last := v.Mismatch.Rows[2]
	if !strings.Contains(last[0], "σ of q") || !strings.Contains(last[0], "correlation in k"+is+"0.1") || slices.Contains(last, "") || v.Mismatch.Rows[0][0] != "as usual" {
		t.Errorf("%q", last)
	}
}

// A shape beside that of the ledger stands with its models; of shapes with the
// same initialisations a table has up to four, and an initialisation of one
// model stands at its shape.
func TestOtherShapes(t *testing.T) {
	doc := synthetic.Default()
	if v := newSource(doc, Run{}, nil).initialisations(); len(v.Shapes.Rows)+len(v.Others)+len(v.Own) != 0 {
		t.Errorf("one shape alone: %+v", v.Shapes)
	}
	draw := func(name string, model float64, sd result.Number) {
		doc.Estimates = append(doc.Estimates, result.Estimate{Experiment: "init", Quantity: "logit_sd", Value: sd, SE: sd / 500, Theory: sd,
			Params: result.Params{"init": name, "d_model": model, "d_k": 64.0}})
	}
	draw("gemma2-27b", 768, 0.2)
	draw("gemma2-27b", 4608, 1.7)
	for _, model := range []float64{512, 1024, 1280, 1600, 2048} {
		draw("torch-mha", model, 0.5)
		draw("normal-0.02", model, 0.4)
	}
	doc.Models = []result.Model{{Name: "Gemma-2 27B", Model: 4608, Key: 64, Heads: 32}, {Name: "GPT-2 XL", Model: 1600, Key: 64, Heads: 25}}
	v := newSource(doc, Run{}, nil).initialisations()
	if len(v.Shapes.Rows) != 7 || v.Shapes.Rows[4][2] != "GPT-2 XL (25)" || v.Shapes.Rows[4][3] != "2" || v.Shapes.Rows[6][4] != "–" {
		t.Errorf("%q", v.Shapes.Rows)
	}
	if len(v.Others) != 3 || len(v.Others[0].Table.Head) != 9 || len(v.Others[1].Table.Rows) != 2 || v.Others[2].Table.Rows[0][0] != "gemma2-27b" {
		t.Errorf("%+v", v.Others)
	}
	if len(v.Own) != 1 || v.Own[0].Dim != "4608" || !strings.HasPrefix(v.Own[0].There, "1.7") || !strings.HasPrefix(v.Own[0].Here, "0.2") {
		t.Errorf("%+v", v.Own)
	}
}

// What a logit is made of stands beside theory; a quantity that is not asked of an
// initialisation is no blank cell.
func TestPartsOfALogit(t *testing.T) {
	doc := synthetic.Default()
	for _, name := range []string{"torch-mha", "he-normal"} {
		doc.Estimates = append(doc.Estimates, result.Estimate{Experiment: "init", Quantity: "query_variance", Value: 0.501, SE: 0.001, Theory: 0.5,
			Params: result.Params{"init": name, "d_model": 768.0, "d_k": 64.0}})
	}
	parts := newSource(doc, Run{}, nil).initialisations().Parts
	if want := []string{"initialisation", "Var of q", "theory", "σ² of the logit", "theory"}; !slices.Equal(parts.Head, want) {
		t.Errorf("%q", parts.Head)
	}
	if len(parts.Rows) != 2 || parts.Rows[0][1] != "0.5010(10)" || parts.Rows[0][2] != "0.5" {
		t.Errorf("%q", parts.Rows)
	}
}

// The gates on alignment are counted by what they judge, with the absolute band
// of a mean between 0 and 1.
func TestAlignmentGates(t *testing.T) {
	doc := synthetic.Default()
	doc.Gates = nil
	if got := newSource(doc, Run{}, nil).alignmentGates(); got != "" {
		t.Error(got)
	}
	for _, q := range []string{"score_mean", "score_variance", "aligned_weight"} {
		doc.Gates = append(doc.Gates, result.Gate{Experiment: "alignment", Quantity: q, Verdict: result.Pass, Band: [2]result.Number{0.1, 0.2}})
	}
	if got := newSource(doc, Run{}, nil).alignmentGates(); !strings.Contains(got, "are 2 on the mean and the variance") ||
		!strings.Contains(got, "and 1 on means") || !strings.Contains(got, "absolute: 0.05 to") || !strings.HasSuffix(got, "All pass.") {
		t.Error(got)
	}
	doc.Gates[2].Verdict = result.Fail
	if got := newSource(doc, Run{}, nil).alignmentGates(); strings.Contains(got, "All pass") || !strings.Contains(got, "1 **fails**") {
		t.Error(got)
	}
}

// A limit is marked, and no difference from it is shown.
func TestLimitsAreMarked(t *testing.T) {
	e := result.Estimate{Value: 1.24, SE: 0.02, Theory: 1.2, TheoryKind: "limit"}
	if got := heldRow(e); !slices.Equal(got, []string{"1.240(20)", "1.2‡", "–"}) {
		t.Errorf("%q", got)
	}
	marked := table{Caption: "c", Rows: [][]string{heldRow(e)}}
	if !strings.Contains(marked.caption(), "‡ A limit") {
		t.Error(marked.caption())
	}
	e.TheoryKind = "exact"
	if got := heldRow(e); got[1] != "1.2" || got[2] == "–" {
		t.Errorf("%q", got)
	}
}

// Formulas of rules become subscripts and italics; what is none is shown as it is.
func TestFormulaText(t *testing.T) {
	for formula, want := range map[string]string{
		"S/d_k^p":               "*S*/d_k^p",
		"s·S/(|q||k|)":          `*s*·*S*/(\|q\|\|k\|)`,
		"wᵀtanh(W_q q + W_k k)": "*w*ᵀtanh(W_q q + W_k k)",
		"a_b_c":                 `a\_b\_c`,
		"<b>*x*":                `\<b\>\*x\*`,
	} {
		if got := formulaText(formula); got != want {
			t.Errorf("%q: %q, want %q", formula, got, want)
		}
	}
}

// A rule has the source of its own number.
func TestSourceAt(t *testing.T) {
	const cases = "p = 1/2: V (2017); p = 1: Y (2022)"
	for rule, want := range map[string]string{
		"power(0.5)": "V (2017)", "power(1)": "Y (2022)", "power(0)": "none: the score as it is", "power(0.75)": "none of its own",
	} {
		if got := sourceAt(rule, cases); got != want {
			t.Errorf("%s: %q", rule, got)
		}
	}
	if got := sourceAt("cosine(10)", "H; L"); got != "H; L" {
		t.Errorf("%q", got)
	}
}
