package page

import (
	"slices"
	"strings"

	"mcsim/report/markdown"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Explaining is the name of the page that explains words.
const Explaining = "cite"

// group is a section of the page.
type group struct {
	Title, About string
	Entries      []entry
	of           string // the group of the table of names
}

// entry is an explained name.
type entry struct{ Name, Text string }

// sections are in the order of the page.
var sections = []group{
	{of: names.GroupTerm, Title: "Words", About: "What the words of these pages mean."},
	{of: names.GroupLabel, Title: "Labels", About: "We label rows by how few keys have most of the weight, and by the gradient at their keys. Where only the size of logits is known, as of initialisations and released models, we take logits as normal: the limit is then a standard deviation of √(2 ln n)."},
}

// groups are the sections, with what the document has.
func groups(s *view.Source) (all []group) {
	for _, g := range sections {
		for _, e := range shown(s.Doc, g) {
			g.Entries = append(g.Entries, entry{markdown.Escape(e.Name), explained(e)})
		}
		all = append(all, g)
	}
	return all
}

// shown are the entries of a section that the pages of a document speak of: an estimator only if
// a row names it.
func shown(doc *result.Document, g group) []names.Entry {
	isGram := func(r result.Estimate) bool { return r.Estimator == names.EstimatorGram }
	gram := slices.ContainsFunc(doc.Estimates, isGram)
	return slices.DeleteFunc(slices.Clone(names.All()), func(e names.Entry) bool {
		return e.Group != g.of || e.Name == names.TermGram && !gram
	})
}

// explained is what an entry says, in Markdown on one line.
func explained(e names.Entry) string {
	text := markdown.WithSubscripts(e.Definition)
	for _, part := range []struct{ name, says string }{{"Formula", e.Formula}, {"Range", e.Range}} {
		if part.says != "" {
			text += " *" + part.name + ":* " + markdown.WithSubscripts(strings.ReplaceAll(part.says, "≥ ", "≥\u00a0")) + "."
		}
	}
	return text
}

// otherWords are by what else texts call an entry than by its name and its plural.
var otherWords = map[string][]string{
	"query":        {"queries"},
	names.TermGram: {"Gram", "Gram matrix", "Gram matrices"},
}

// otherSense are words that hold those of an entry and mean something else: the rows of a
// matrix are no queries with their keys.
var otherSense = markdown.Term{Words: []string{"rows × columns", "rows of a matrix", "row for each token"}}

// Terms are what pages can lead from to their explanations.
func Terms(doc *result.Document) (terms []markdown.Term) {
	terms = append(terms, otherSense)
	for _, g := range sections {
		for _, e := range shown(doc, g) {
			terms = append(terms, markdown.Term{Words: wordsOf(e), Address: Explaining + ".html#" + markdown.TermID(g.Title, e.Name)})
		}
	}
	return terms
}

// plainLabels are the labels that pages use for nothing else, unlike soft.
var plainLabels = []string{names.LabelConcentrated, names.LabelDead}

// wordsOf are those that mean an entry wherever they stand, unlike the label soft.
func wordsOf(e names.Entry) []string {
	found := slices.Clone(otherWords[e.Name])
	switch {
	case e.Group == names.GroupTerm:
		return append(found, e.Name, e.Name+"s")
	case slices.Contains(plainLabels, e.Name):
		return append(found, e.Name)
	}
	return found
}
