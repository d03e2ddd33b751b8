package page

import (
	"slices"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/markdown"
	"mcsim/report/plot"
	"mcsim/sim/names"
)

// explanationsByAnchor returns the explanations of all entries of the glossary by their anchors.
func explanationsByAnchor(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, g := range glossarySections(sample.Document()) {
		for _, e := range g.Entries {
			id := markdown.TermID(g.Title, strings.ReplaceAll(e.Name, `\`, ""))
			if _, ok := texts[id]; ok {
				t.Errorf("two entries have the anchor %q", id)
			}
			texts[id] = e.Text
		}
	}
	return texts
}

// TestEveryNameIsExplained checks that the glossary explains every term except the Gram estimator,
// and every label that figures show.
func TestEveryNameIsExplained(t *testing.T) {
	texts := explanationsByAnchor(t)
	for _, e := range names.Entries() {
		// explained only if the document has an estimate from Gram
		if e.Group != names.GroupTerm || e.Name == names.TermGram {
			continue
		}
		if texts[markdown.TermID("Words", e.Name)] == "" {
			t.Errorf("the glossary does not explain the term %q", e.Name)
		}
	}
	for _, g := range plot.Grades {
		if texts[markdown.TermID("Labels", g.Name)] == "" {
			t.Errorf("the glossary does not explain the label %q", g.Name)
		}
	}
}

func TestExplanation(t *testing.T) {
	text := formatExplanation(names.EntryOf(names.GroupQuantity, names.EntropyRatio))
	for _, want := range []string{"The entropy of the weights over ln n", "*Formula:* −Σ α ln α/ln n", "*Range:*"} {
		if !strings.Contains(text, want) {
			t.Errorf("the explanation %q does not contain %q", text, want)
		}
	}
}

// TestTermsLeadToEntries checks that every term links to an entry of the glossary, and that no word
// links to two entries.
func TestTermsLeadToEntries(t *testing.T) {
	texts := explanationsByAnchor(t)
	anchors := map[string]string{} // anchor of each linked word in lower case
	for _, term := range Terms(sample.Document()) {
		if term.Address == "" { // words that are not linked
			continue
		}
		id, ok := strings.CutPrefix(term.Address, GlossaryPage+".html#")
		if !ok || texts[id] == "" {
			t.Errorf("%q links to %q, which does not exist", term.Forms, term.Address)
		}
		for _, w := range term.Forms {
			if previous, ok := anchors[strings.ToLower(w)]; ok {
				t.Errorf("%q links to %q and %q, want one link", w, previous, id)
			}
			anchors[strings.ToLower(w)] = id
		}
	}
	for _, word := range []string{
		"score", "logit", "row", "rows", "weight", "distribution", "gate", "concentrated", "dead", "queries",
		"standard error", "pilot", "median stack", "quadrature", "LayerNorm", "mask", "block", "muP",
	} {
		if anchors[strings.ToLower(word)] == "" {
			t.Errorf("the word %q is not linked to the glossary", word)
		}
	}
	for _, word := range []string{"flat", "soft", "even", "model", "normal", "softs", "norm", "Gram matrix"} {
		if anchor := anchors[strings.ToLower(word)]; anchor != "" {
			t.Errorf("%q must not link to the glossary, but links to %q", word, anchor)
		}
	}
}

// TestGramIsExplainedIfUsed checks that the words for the Gram estimator are linked to the glossary
// if the document has an estimate from it.
func TestGramIsExplainedIfUsed(t *testing.T) {
	doc := sample.Document()
	doc.Estimates[0].Estimator = names.EstimatorGram
	terms := Terms(doc)
	isGram := func(term markdown.Term) bool { return slices.Contains(term.Forms, "Gram matrix") }
	if !slices.ContainsFunc(terms, isGram) {
		t.Error("the words \"Gram matrix\" are not linked to the glossary")
	}
}
