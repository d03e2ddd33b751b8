package site

import (
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/view"
	"mcsim/sim/result"
)

// victories are sentences that only rows and gates can earn.
var victories = []string{"only the square root leaves attention scores $q\\cdot k$ the same", "The square root it is", "The variance of a score is the dimension", "just as flat", "every width", "the shape of the components does not matter"}

func judgedAll(v result.Verdict) *result.Document {
	doc := sample.Document()
	for i := range doc.Gates {
		doc.Gates[i].Verdict = v
	}
	doc.Budget.Verdict = v
	return doc
}

// crooked is a document whose slopes are far from theory, as its gates say.
func crooked() *result.Document {
	doc := sample.Document()
	for i := range doc.Estimates {
		e := &doc.Estimates[i]
		if e.Quantity == "variance_slope" || e.Quantity == "flat_exponent" {
			e.Value, e.Lo, e.Hi = e.Value-1.14, e.Lo-1.14, e.Hi-1.14
		}
	}
	for i := range doc.Gates {
		g := &doc.Gates[i]
		if g.Quantity == "variance_slope" {
			g.Value, g.Lo, g.Hi, g.Verdict = g.Value-1.14, g.Lo-1.14, g.Hi-1.14, result.Fail
		}
	}
	doc.Budget.Verdict = result.Fail
	return doc
}

// A finding is stated as a fact where the rows and the gates support it, and
// nowhere else.
func TestFindingsFollowTheRows(t *testing.T) {
	report := func(doc *result.Document) string { return site(t, doc, view.Run{})["report.md"] }
	proud := report(sample.Document())
	for _, claim := range victories {
		if !strings.Contains(proud, claim) {
			t.Errorf("where all gates pass, %q is not said", claim)
		}
	}
	unjudged := sample.Document()
	unjudged.Gates, unjudged.Budget = nil, result.Budget{Verdict: result.Pass}
	wide := sample.Document() // passes by its tolerance alone
	for i := range wide.Gates {
		if g := &wide.Gates[i]; g.Quantity == "variance_slope" || g.Quantity == "score_variance" {
			g.Lo, g.Hi = g.Hi, g.Hi+1
		}
	}
	for name, c := range map[string]struct {
		doc  *result.Document
		says string
	}{
		"undecided": {judgedAll(result.Undecided), "are undecided: too few scores were drawn"},
		"fail":      {judgedAll(result.Fail), "it is not borne out"},
		"unjudged":  {unjudged, "No gate judges this"},
		"wide":      {wide, "wider than the distance from theory"},
	} {
		text := report(c.doc)
		for _, claim := range victories {
			if strings.Contains(text, claim) {
				t.Errorf("%s: says %q", name, claim)
			}
		}
		if !strings.Contains(text, c.says) {
			t.Errorf("%s: does not say %q", name, c.says)
		}
	}
	text := report(crooked())
	for _, claim := range victories[:2] {
		if strings.Contains(text, claim) {
			t.Errorf("with slopes of −0.14: %q", claim)
		}
	}
	if !strings.Contains(text, "flat is −0.6") {
		t.Error("the measured exponent is not said")
	}
}

// A verdict that is not a pass stands before what is claimed.
func TestVerdictStandsFirst(t *testing.T) {
	for _, doc := range []*result.Document{judgedAll(result.Undecided), judgedAll(result.Fail), crooked()} {
		files := site(t, doc, view.Run{})
		for name, claim := range map[string]string{"index.html": "a score was measured", "variance.html": "we measured", "exponents.html": "where theory says 0.5"} {
			text := said(files[name])
			verdict, claimed := strings.Index(text, "<blockquote>"), strings.Index(text, claim)
			if name == "variance.html" && claimed < 0 {
				claimed = strings.Index(text, "The variance of a score")
			}
			if verdict < 0 || claimed < 0 || verdict > claimed {
				t.Errorf("%s: the verdict stands at %d, the claim at %d", name, verdict, claimed)
			}
		}
	}
}

// Nobody is advised from one component, or from rows whose gates do not pass;
// and each piece of advice needs the number it speaks of.
func TestAdviceFollowsItsNumbers(t *testing.T) {
	alone := func(most float64) *result.Document {
		doc := sample.Law("rademacher", most)
		doc.Gates, doc.Budget = nil, result.Budget{Verdict: result.Pass}
		return doc
	}
	const sharp, faint, keep = "Do not leave the scale out", "hardly differ from each other", "Keep the square root"
	for _, c := range []struct {
		name         string
		doc          *result.Document
		says, hushes []string
	}{
		{"one component", alone(1), []string{"cannot say which scale"}, []string{sharp, faint, keep}},
		{"two", alone(2), nil, []string{sharp, faint}},
		{"thirty-two", alone(32), []string{sharp, faint, keep}, nil},
		{"undecided", judgedAll(result.Undecided), nil, []string{sharp, faint, keep, "What this means"}},
		{"failed", judgedAll(result.Fail), nil, []string{sharp, faint, keep, "What this means"}},
	} {
		text := site(t, c.doc, view.Run{})["report.md"]
		for _, want := range c.says {
			if !strings.Contains(text, want) {
				t.Errorf("%s: lacks %q", c.name, want)
			}
		}
		for _, not := range c.hushes {
			if strings.Contains(text, not) {
				t.Errorf("%s: says %q", c.name, not)
			}
		}
	}
}

// Code hosts refuse the macro for named operators.
func TestMarkdownForCodeHosts(t *testing.T) {
	text := site(t, sample.Document(), view.Run{})["report.md"]
	if strings.Contains(text, `\operatorname`) || !strings.Contains(text, `\mathrm{Var}`) {
		t.Error(`report.md writes \operatorname`)
	}
}
