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

// defined lists the anchors of all entries of the page.
func defined(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, g := range groups(sample.Document()) {
		for _, e := range g.Entries {
			id := markdown.TermID(g.Title, strings.ReplaceAll(e.Name, `\`, ""))
			if _, twice := found[id]; twice {
				t.Errorf("two entries have the anchor %q", id)
			}
			found[id] = e.Text
		}
	}
	return found
}

// The page explains every word, and every label that figures show.
func TestEveryNameIsExplained(t *testing.T) {
	found := defined(t)
	for _, e := range names.Entries() {
		if e.Group == names.GroupTerm && e.Name != names.TermGram && found[markdown.TermID("Words", e.Name)] == "" { // which no row of the sample has
			t.Errorf("nothing explains %q", e.Name)
		}
	}
	for _, g := range plot.Grades {
		if found[markdown.TermID("Labels", g.Name)] == "" {
			t.Errorf("nothing explains %q", g.Name)
		}
	}
}

// What a name is, its formula and its range are all there.
func TestEntriesAreWhole(t *testing.T) {
	text := explanation(names.EntryOf(names.GroupQuantity, names.EntropyRatio))
	for _, want := range []string{"The entropy of the weights over ln n", "*Formula:* −Σ α ln α/ln n", "*Range:*"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
}

// Every word leads to an entry of the page, and to one alone.
func TestTermsLeadToEntries(t *testing.T) {
	found := defined(t)
	of := map[string]string{}
	for _, term := range Terms(sample.Document()) {
		if term.Address == "" { // words that mean no entry
			continue
		}
		id, ok := strings.CutPrefix(term.Address, Explaining+".html#")
		if !ok || found[id] == "" {
			t.Errorf("%q leads to %q, where nothing is", term.Words, term.Address)
		}
		for _, w := range term.Words {
			if other, twice := of[strings.ToLower(w)]; twice {
				t.Errorf("%q means %q and %q", w, other, id)
			}
			of[strings.ToLower(w)] = id
		}
	}
	for _, word := range []string{"score", "logit", "row", "rows", "weight", "distribution", "gate", "concentrated", "dead", "queries", "standard error", "pilot", "median stack", "quadrature", "LayerNorm", "mask", "block", "muP"} {
		if of[strings.ToLower(word)] == "" {
			t.Errorf("%q leads nowhere", word)
		}
	}
	for _, word := range []string{"flat", "soft", "even", "model", "normal", "softs", "norm", "Gram matrix"} {
		if of[word] != "" {
			t.Errorf("%q, which means other things too, leads to %q", word, of[word])
		}
	}
}

// The Gram estimator is explained, and led to, where a row has it.
func TestGramWhereItIsUsed(t *testing.T) {
	doc := sample.Document()
	doc.Estimates[0].Estimator = names.EstimatorGram
	terms := Terms(doc)
	if !slices.ContainsFunc(terms, func(term markdown.Term) bool { return slices.Contains(term.Words, "Gram matrix") }) {
		t.Error("a Gram matrix leads nowhere")
	}
}
