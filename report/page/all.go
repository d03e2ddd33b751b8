// Package page says which pages a report has, and prepares what the template of each is
// filled with: the record, which any plan has, and of the essay what no person can write,
// such as the list of claims and the lines to cite.
package page

import (
	"cmp"

	"mcsim/report/view"
)

// Page is one page: its text is the template of the same name.
type Page struct {
	Name  string // of its file, without extension
	Title string // its name in the navigation
	Group string // one of Groups, under which the navigation has it
	About string // what a reader finds there
	// View fills the template; nil: the template needs nothing but rows.
	View func(*view.Source) any
	// Apart pages are not in report.md: the lab, which is a program, the handout, which says
	// on paper what other pages say, and that of claims, which links to figures of others.
	Apart bool
	from  string // name of the template, where it is not that of the page
}

// Template is the name of the page's template, without extension.
func (p Page) Template() string { return cmp.Or(p.from, p.Name) }

// Strings returns what the page's template is filled with.
func (p Page) Strings(s *view.Source) any {
	if p.View == nil {
		return nil
	}
	return p.View(s)
}

// The groups of the navigation.
const (
	Answer   = "Answer"
	Lesson   = "Lesson"
	Evidence = "Evidence"
	Yours    = "Your model"
	Trust    = "Trust"
)

// Groups are all groups in their order.
var Groups = []string{Answer, Lesson, Evidence, Yours, Trust}

// Record is the name of the page of every report.
const Record = "record"

// record is that page.
var record = Page{Name: Record, Title: "Record", Group: Trust, About: "every experiment with its figures and rows, every check, the run", View: recorded}

// Essay is the pages of a report that has the essay, in reading order. A new page is a row
// here and a template.
var Essay = []Page{
	{Name: "index", Title: "Answer", Group: Answer, About: "the answer, and what it means for a model"},
	{Name: "example", Title: "Step by step", Group: Lesson, About: "attention computed by hand"},
	{Name: "lab", Title: "Lab", Group: Lesson, About: "draw one row yourself, and change its scale", Apart: true},
	{Name: "quiz", Title: "Questions", Group: Lesson, About: "questions with choices, exercises, and their answers"},
	{Name: "handout", Title: "Handout", Group: Lesson, About: "two sheets for print", Apart: true},
	{Name: "variance", Title: "Variance", Group: Evidence, About: "the variance of a score, and what dividing by a power of d_k leaves"},
	{Name: "softmax", Title: "Softmax", Group: Evidence, About: "what softmax does with large scores, and what happens to the gradient"},
	{Name: "alignment", Title: "Alignment, depth", Group: Evidence, About: "aligned keys, and a stack of layers"},
	{Name: "training", Title: "Training", Group: Evidence, About: "how training goes under other scales"},
	{Name: "claims", Title: "Claims", Group: Evidence, About: "what texts and public lessons say about the scale, recomputed", View: claimed, Apart: true},
	{Name: "models", Title: "Released models", Group: Yours, About: "what released models divide by, and what attention costs"},
	{Name: "model", Title: "Initialisation, rules, formats", Group: Yours, About: "which initialisations suit the scale, other rules than the root, and short number formats"},
	{Name: "cite", Title: "Cite", Group: Trust, About: "how to cite, how the numbers are made, words, and every file", View: cite},
	record,
}

// Alone is the pages of a report whose document the essay does not speak of: the record.
var Alone = []Page{{Name: "index", Title: "Record", Group: Answer, About: record.About, View: record.View, from: record.Name}}

// Names are the templates of the essay, which read rows.
func Names() (all []string) {
	for _, p := range Essay {
		if p.Name != record.Name {
			all = append(all, p.Name)
		}
	}
	return all
}
