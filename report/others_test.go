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
	if len(v.Variance.Rows) != 4 || v.Variance.Rows[1][4] != "not decided" || v.Variance.Rows[0][4] != "no" || v.Variance.Rows[2][0] != "√(d_k/2)" {
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
