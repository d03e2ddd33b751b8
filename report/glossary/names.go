package glossary

import (
	"slices"
	"strings"

	"mcsim/report/markdown"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/names/sense"
)

// NamesPage is the name of the page that explains every name that there is, whatever a
// document has.
const NamesPage = "names"

// Kind is a group of the table of names.
type Kind struct {
	Group, Title, About string
}

// Kinds are all groups, in the order of the page of names: what a reader of tables and
// files asks for first.
var Kinds = []Kind{
	{names.GroupColumn, "Columns", "What tables of data have beside the parameters: estimates.csv, gates, counts of `mcsim cost`, and times in run.json."},
	{names.GroupParameter, "Parameters", "What tells rows of one quantity apart: columns of estimates.csv, keys of plans, and flags, which have - in place of \\_."},
	{names.GroupQuantity, "Quantities", "What is measured or counted. A quantile over rows has the end \\_q50, \\_q05 and so on; a share of rows by another bound is written max\\_weight\\_above\\_50\\_percent, a count of keys keys\\_above\\_10\\_percent."},
	{names.GroupField, "Fields", "What results.json, run.json, plans, and the JSON objects of commands have beside columns, quantities and parameters."},
	{names.GroupValue, "Values", "What columns and fields of text hold: verdicts, estimators, kinds of theory, units, parts of a layer."},
	{names.GroupGate, "Gates", "What must hold, by the field name of gates. Of a control the gate is turned around, and its name begins with “control: ”."},
	{names.GroupControl, "Controls", "Deliberate mistakes, each of which a gate must notice: values of the column control."},
	{names.GroupLabel, "Labels", "What rows are called by what softmax leaves of their gradient, *R*, or by how they share their weight, and initialisations by the size of their logits."},
	{names.GroupExperiment, "Experiments", "What is asked, each by itself: values of the column experiment, and entries of plans."},
	{names.GroupLaw, "Laws", "What components are drawn from: values of the column law; κ is the fourth moment of a component."},
	{names.GroupRule, "Rules", "What makes a logit of a query and a key: values of the column rule. *S* is q·k, *n* the number of keys."},
	{names.GroupInitialisation, "Initialisations", "How W_Q and W_K are drawn: values of the column init. D is the number of components of a token, d that of a head, H the number of heads."},
	{names.GroupTerm, "Words", "What texts call things."},
	{names.GroupExample, "Worked examples", "What is computed with given numbers, in results.json."},
	{names.GroupStep, "Steps", "The matrices of worked examples, in results.json."},
	{names.GroupClaim, "Words of claims", "What ledgers of claims have: keys, kinds, verdicts, hedges, words and functions."},
}

// namesView is the view of the page of names.
type namesView struct{ Groups []group }

// NamesView fills the page with every name, and every flag.
func NamesView(*view.Source) namesView {
	var v namesView
	for _, k := range Kinds {
		g := group{Title: k.Title, About: k.About, of: k.Group}
		for _, e := range names.All() {
			if e.Group == k.Group {
				g.Entries = append(g.Entries, entry{called(e), strings.Join(slices.Concat(lines(e), senses(e), onPages(e)), "\n\n  ")})
			}
		}
		v.Groups = append(v.Groups, g)
	}
	v.Groups = append(v.Groups, group{Title: flagsTitle, About: "What commands take, and what it does in each that takes it.", Entries: flags()})
	return v
}

// NamesAddress is where the page of names explains an entry: one of a name that is composed
// at what it is composed of, or in its section.
func NamesAddress(e names.Entry) string {
	title := Kinds[slices.IndexFunc(Kinds, func(k Kind) bool { return k.Group == e.Group })].Title
	name := e.Name
	if base, _, ok := names.QuantileOf(name); ok && e.Group == names.GroupQuantity {
		name = base
	}
	if !slices.ContainsFunc(names.All(), func(other names.Entry) bool { return other.Group == e.Group && other.Name == name }) {
		return NamesPage + ".html#" + markdown.Slug(title)
	}
	return NamesPage + ".html#" + markdown.TermID(title, name)
}

// senses say what an entry means in places where that is something else.
func senses(e names.Entry) (found []string) {
	for _, s := range sense.Of(e) {
		found = append(found, "In `"+markdown.Code(s.Place())+"`: "+markdown.WithSubscripts(s.Definition))
	}
	return found
}

// onPages says which pages show a name, but of words, which are all over.
func onPages(e names.Entry) []string {
	var pages []string
	for _, p := range Places(e) {
		pages = append(pages, "["+strings.TrimSuffix(p.Page, ".html")+"]("+p.Page+")")
	}
	if len(pages) == 0 || e.Group == names.GroupTerm {
		return nil
	}
	return []string{"*Pages:* " + strings.Join(pages, ", ") + "."}
}
