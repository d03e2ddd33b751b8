package page

import (
	"slices"
	"strings"

	"mcsim/report/markdown"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Explaining is the name of the page that explains words.
const Explaining = "cite"

// group is a section of the page.
type group struct {
	Title, About string
	Entries      []entry
	names        string // the group of the table of names
}

// entry is an explained name.
type entry struct{ Name, Text string }

// sections are in the order of the page.
var sections = []group{
	{names: names.GroupTerm, Title: "Words", About: "What the words of these pages mean."},
	{names: names.GroupLabel, Title: "Labels", About: "We label rows by how few keys have most of the weight, " +
		"and by the gradient at their keys. Where only the size of logits is known, as of initialisations and " +
		"released models, we take logits as normal: the limit is then a standard deviation of √(2 ln n)."},
}

// groups returns the sections with their entries.
func groups(doc *result.Document) (all []group) {
	for _, g := range sections {
		for _, e := range g.namesIn(doc) {
			g.Entries = append(g.Entries, entry{markdown.Escape(e.Name), explanation(e)})
		}
		all = append(all, g)
	}
	return all
}

// namesIn returns the names of a section that the pages of a document use: an estimator only if
// a row has it.
func (g group) namesIn(doc *result.Document) []names.Entry {
	isGram := func(r result.Estimate) bool { return r.Estimator == names.EstimatorGram }
	hasGram := slices.ContainsFunc(doc.Estimates, isGram)
	return slices.DeleteFunc(slices.Clone(names.Entries()), func(e names.Entry) bool {
		return e.Group != g.names || e.Name == names.TermGram && !hasGram
	})
}

// explanation writes an entry in Markdown on one line.
func explanation(e names.Entry) string {
	text := markdown.WithSubscripts(e.Definition)
	add := func(title, value string) {
		if value != "" {
			value = strings.ReplaceAll(value, "≥ ", "≥\u00a0")
			text += " *" + title + ":* " + markdown.WithSubscripts(value) + "."
		}
	}
	add("Formula", e.Formula)
	add("Range", e.Range)
	return text
}

// otherWords are the words for an entry in addition to its name and its plural.
var otherWords = map[string][]string{
	"query":        {"queries"},
	names.TermGram: {"Gram", "Gram matrix", "Gram matrices"},
}

// otherMeanings are phrases that contain the word of an entry in another meaning: the rows of a
// matrix are not queries with their keys.
var otherMeanings = markdown.Term{Words: []string{"rows × columns", "rows of a matrix", "row for each token"}}

// Terms returns the words that pages link to their explanations.
func Terms(doc *result.Document) []markdown.Term {
	terms := []markdown.Term{otherMeanings}
	for _, g := range sections {
		for _, e := range g.namesIn(doc) {
			address := Explaining + ".html#" + markdown.TermID(g.Title, e.Name)
			terms = append(terms, markdown.Term{Words: wordsOf(e), Address: address})
		}
	}
	return terms
}

// unambiguousLabels are the labels that pages use for nothing else, unlike spread.
var unambiguousLabels = []string{names.LabelConcentrated, names.LabelDead}

// wordsOf returns the words that mean an entry wherever they occur.
func wordsOf(e names.Entry) []string {
	words := slices.Clone(otherWords[e.Name])
	switch {
	case e.Group == names.GroupTerm:
		return append(words, e.Name, e.Name+"s")
	case slices.Contains(unambiguousLabels, e.Name):
		return append(words, e.Name)
	}
	return words
}
