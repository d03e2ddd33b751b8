// Package glossary prepares the page that explains the words, labels and names of the
// other pages, out of the table of names, and says which words lead there.
package glossary

import (
	"slices"
	"strings"

	"mcsim/report/markdown"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Page is the name of the page.
const Page = "glossary"

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
	{of: names.GroupTerm, Title: "Words", About: "What these pages call things."},
	{of: names.GroupLabel, Title: "Labels", About: "What rows are called by what softmax leaves of their gradient, *R*, or by how they share their weight, and initialisations by the size of their logits."},
	{of: names.GroupQuantity, Title: "Quantities", About: "What is measured or counted, by its name in estimates.csv and in the data of figures. A quantile over rows has the end \\_q50, \\_q05 and so on."},
	{of: names.GroupParameter, Title: "Parameters", About: "What tells rows of one quantity apart: columns of estimates.csv."},
	{of: names.GroupLaw, Title: "Laws", About: "What components are drawn from; κ is the fourth moment of a component."},
	{of: names.GroupExperiment, Title: "Experiments", About: "What is asked, each by itself."},
	{of: names.GroupColumn, Title: "Columns", About: "What tables of data have beside the parameters: estimates.csv, gates, counts of `mcsim cost`, and times in run.json."},
}

// pageView is the view of the page.
type pageView struct{ Groups []group }

// View fills the page with what the document has.
func View(s *view.Source) pageView {
	var v pageView
	shown := shownBy(s.Doc)
	for _, g := range sections {
		for _, e := range names.All() {
			if e.Group == g.of && shown(e) {
				g.Entries = append(g.Entries, entry{called(e), Explained(e)})
			}
		}
		if len(g.Entries) > 0 {
			v.Groups = append(v.Groups, g)
		}
	}
	return v
}

// always are the groups of names that stand on the page whatever a document has.
var always = []string{names.GroupTerm, names.GroupLabel, names.GroupColumn}

// shownBy says of which names the pages of a document speak: of words, labels and columns in any
// case, but for an estimator that no row names, and of what it has rows or gates for.
func shownBy(doc *result.Document) func(names.Entry) bool {
	seen := map[[2]string]bool{}
	note := func(experiment, quantity string, p result.Params) {
		if base, _, ok := names.QuantileOf(quantity); ok {
			quantity = base
		}
		seen[[2]string{names.GroupExperiment, experiment}] = true
		seen[[2]string{names.GroupQuantity, quantity}] = true
		for name := range p {
			seen[[2]string{names.GroupParameter, name}] = true
		}
		if law, ok := p.Text(names.ParamLaw); ok {
			base, _, _, _ := names.CutParameter(law)
			seen[[2]string{names.GroupLaw, base}] = true
		}
	}
	for _, e := range doc.Estimates {
		note(e.Experiment, e.Quantity, e.Params)
	}
	for _, c := range doc.Curves {
		if c.Experiment == names.ExperimentCost { // which has lines alone
			note(c.Experiment, c.Quantity, c.Params)
			note(c.Experiment, c.Quantity, result.Params{c.Axis: nil})
		}
	}
	for _, g := range doc.Gates {
		note(g.Experiment, g.Quantity, g.Params)
	}
	return func(e names.Entry) bool {
		if e.Group == names.GroupTerm && e.Name == names.TermGram {
			return seen[[2]string{names.GroupParameter, names.ParamEstimator}]
		}
		return slices.Contains(always, e.Group) || seen[[2]string{e.Group, e.Name}]
	}
}

// called is an entry's name as pages write it.
func called(e names.Entry) string {
	if e.Group == names.GroupTerm || e.Group == names.GroupLabel {
		return markdown.Escape(e.Name)
	}
	return "`" + markdown.Code(e.Name) + "`"
}

// Explained is what an entry says, in Markdown on one line.
func Explained(e names.Entry) string { return strings.Join(lines(e), " ") }

// lines are what an entry says: its definition and formula, its unit and range, its source.
func lines(e names.Entry) (found []string) {
	join := func(parts ...string) {
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
		if len(parts) > 0 {
			found = append(found, strings.Join(parts, " "))
		}
	}
	part := func(what, text string, write func(string) string) string {
		if text == "" {
			return ""
		}
		return "*" + what + ":* " + write(text) + "."
	}
	title, unit := "", e.Unit
	if e.Group == names.GroupQuantity || e.Group == names.GroupLaw { // of which the name says less than the title
		title = "*" + markdown.WithSubscripts(e.Title) + ".*"
	}
	if unit == "1" {
		unit = "none, a pure number"
	}
	join(title, markdown.WithSubscripts(e.Definition), part("Formula", e.Formula, markdown.Formula))
	join(part("Unit", unit, markdown.Escape), part("Range", strings.ReplaceAll(e.Range, "≥ ", "≥\u00a0"), markdown.Formula))
	join(part("Source", e.Source, view.References))
	return found
}

// otherWords are by what else texts call an entry than by its name and its plural.
var otherWords = map[string][]string{
	names.TermQuery:        {"queries"},
	names.TermGram:         {"Gram", "Gram matrix", "Gram matrices"},
	names.Entropy:          {names.Entropy},
	names.ZScore:           {"z-score", "z-scores"},
	names.ParamTemperature: {"temperature", "temperatures"},
	names.ParamResidual:    {"residual"},
	names.ParamEstimator:   {"estimator", "estimators"},
}

// otherSense are words that hold those of an entry and mean something else: the rows of a
// matrix are no queries with their keys.
var otherSense = markdown.Term{Words: []string{"rows × columns", "rows of a matrix", "row for each token"}}

// Terms are what pages can lead from to their explanations.
func Terms(doc *result.Document) (terms []markdown.Term) {
	terms = append(terms, otherSense)
	shown := shownBy(doc)
	codes := map[string]int{}
	for _, e := range names.All() {
		codes[e.Name]++
	}
	for _, g := range sections {
		for _, e := range names.All() {
			if e.Group != g.of || !shown(e) {
				continue
			}
			t := markdown.Term{Words: words(e), Address: Page + ".html#" + markdown.TermID(g.Title, e.Name)}
			if codes[e.Name] == 1 { // a name that two things have says nothing by itself
				t.Code = e.Name
			}
			terms = append(terms, t)
		}
	}
	return terms
}

// plainLabels are the labels that pages use for nothing else, unlike soft or safe.
var plainLabels = []string{names.LabelHealthy, names.LabelFading, names.LabelDying, names.LabelDead, names.LabelSaturated, names.LabelTooSoft}

// words are those that mean an entry wherever they stand. Names of one plain word mean
// other things too, such as the parameter scale or the label soft.
func words(e names.Entry) []string {
	found := slices.Clone(otherWords[e.Name])
	switch {
	case e.Group == names.GroupTerm:
		return append(found, e.Name, e.Name+"s")
	case slices.Contains(plainLabels, e.Name):
		return append(found, e.Name)
	case e.Group == names.GroupQuantity && strings.Contains(e.Name, "_"):
		return append(found, strings.ReplaceAll(e.Name, "_", " "))
	}
	return found
}

// Address is where the page explains an entry; empty for one of a group that it does not
// have.
func Address(e names.Entry) string {
	i := slices.IndexFunc(sections, func(g group) bool { return g.of == e.Group })
	if i < 0 {
		return ""
	}
	return Page + ".html#" + markdown.TermID(sections[i].Title, e.Name)
}
