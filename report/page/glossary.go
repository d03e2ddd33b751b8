package page

import (
	"slices"
	"strings"

	"mcsim/report/markdown"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// GlossaryPage is the name of the page with the glossary.
const GlossaryPage = "cite"

// glossarySection is a section of the glossary.
type glossarySection struct {
	Title, About string
	Entries      []entry
	nameGroup    string // group of the entries in the table of names
}

// entry is a name with its explanation.
type entry struct{ Name, Text string }

// sections are the sections of the glossary without their entries.
var sections = []glossarySection{
	{nameGroup: names.GroupTerm, Title: "Words", About: "What the words of these pages mean."},
	{nameGroup: names.GroupLabel, Title: "Labels", About: "We label rows by how few keys have most of the weight, " +
		"and by the gradient at their keys. Where only the size of logits is known, as for initialisations and " +
		"released models, we treat logits as normal: the limit is then a standard deviation of √(2 ln n)."},
}

// glossarySections returns the sections with their entries.
func glossarySections(doc *result.Document) (filled []glossarySection) {
	for _, g := range sections {
		for _, e := range g.usedNames(doc) {
			g.Entries = append(g.Entries, entry{markdown.Escape(e.Name), formatExplanation(e)})
		}
		filled = append(filled, g)
	}
	return filled
}

// usedNames returns the names of a section that the pages of a document use. It omits the Gram
// estimator if the document has no estimates from it.
func (g glossarySection) usedNames(doc *result.Document) []names.Entry {
	isGram := func(r result.Estimate) bool { return r.Estimator == names.EstimatorGram }
	hasGram := slices.ContainsFunc(doc.Estimates, isGram)
	return slices.DeleteFunc(slices.Clone(names.Entries()), func(e names.Entry) bool {
		isUnused := e.Name == names.TermGram && !hasGram
		return e.Group != g.nameGroup || isUnused
	})
}

// formatExplanation returns the definition, the formula and the range of a name as Markdown on one
// line.
func formatExplanation(e names.Entry) string {
	text := markdown.EscapeExceptVariables(e.Definition)
	for _, part := range []struct{ title, value string }{{"Formula", e.Formula}, {"Range", e.Range}} {
		if part.value != "" {
			value := strings.ReplaceAll(part.value, "≥ ", "≥\u00a0")
			text += " *" + part.title + ":* " + markdown.EscapeExceptVariables(value) + "."
		}
	}
	return text
}

// additionalWords maps an entry to the words that pages link to it, in addition to its name and the
// plural of its name.
var additionalWords = map[string][]string{
	"query":        {"queries"},
	names.TermGram: {"Gram", "Gram matrix", "Gram matrices"},
}

// otherRowMeanings has phrases in which the word row has another meaning than in the glossary: the
// rows of a matrix are not attention rows. Pages do not link them, since the term has no address.
var otherRowMeanings = markdown.Term{Forms: []string{"rows × columns", "rows of a matrix", "row for each token"}}

// Terms returns the terms that pages link to the glossary, and otherRowMeanings.
func Terms(doc *result.Document) []markdown.Term {
	terms := []markdown.Term{otherRowMeanings}
	for _, g := range sections {
		for _, e := range g.usedNames(doc) {
			address := GlossaryPage + ".html#" + markdown.TermID(g.Title, e.Name)
			terms = append(terms, markdown.Term{Forms: linkedWords(e), Address: address})
		}
	}
	return terms
}

// unambiguousLabels are the labels that have no other meaning on the pages. A word such as spread
// has other meanings, so that pages do not link it.
var unambiguousLabels = []string{names.LabelConcentrated, names.LabelDead}

// linkedWords returns the words that pages link to an entry.
func linkedWords(e names.Entry) []string {
	words := slices.Clone(additionalWords[e.Name])
	switch {
	case e.Group == names.GroupTerm:
		return append(words, e.Name, e.Name+"s")
	case slices.Contains(unambiguousLabels, e.Name):
		return append(words, e.Name)
	}
	return words
}
