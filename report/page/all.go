// Package page says which pages a report has, and prepares what they show: tables and texts of rows,
// the verdict, and what the template of each page is filled with. It computes no statistic.
package page

import "cmp"

// Page is one page: its text is the template of the same name.
type Page struct {
	Name  string // of its file, without extension
	Title string // its name in the navigation
	Group string // one of Groups, under which the navigation has it
	About string // what a reader finds there
	// View returns what the template is filled with. It is nil if the template needs only rows.
	View func(*Source) any
	// Apart pages are not in report.md: the lab, which is a program, the handout, which says
	// on paper what other pages say, and that of claims, which links to figures of others.
	Apart    bool
	template string // name of the template, if it is not that of the page
}

// Template is the name of the page's template, without extension.
func (p Page) Template() string { return cmp.Or(p.template, p.Name) }

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

const recordAbout = "every experiment with its figures and rows, every check, the run"

// Essay is the pages of a report that has the essay, in reading order. A new page is a row
// here and a template.
var Essay = []Page{
	{Name: "index", Title: "Answer", Group: Answer, About: "the answer, and what it means for a model"},
	{Name: "example", Title: "Step by step", Group: Lesson, About: "attention computed by hand"},
	{Name: "lab", Title: "Lab", Group: Lesson, About: "draw one row yourself, and change its scale", Apart: true},
	{Name: "quiz", Title: "Questions", Group: Lesson,
		About: "questions with choices, exercises, and their answers"},
	{Name: "handout", Title: "Handout", Group: Lesson, About: "two sheets for print", Apart: true},
	{Name: "variance", Title: "Variance", Group: Evidence,
		About: "the variance of a score, and what dividing by a power of d_k leaves"},
	{Name: "softmax", Title: "Softmax", Group: Evidence,
		About: "what softmax does with large scores, and what happens to the gradient"},
	{Name: "alignment", Title: "Alignment, depth", Group: Evidence, About: "aligned keys, and a stack of layers"},
	{Name: "training", Title: "Training", Group: Evidence, About: "how training goes under other scales"},
	{Name: "claims", Title: "Claims", Group: Evidence,
		About: "what texts and public lessons say about the scale, recomputed", View: claimsOf, Apart: true},
	{Name: "models", Title: "Released models", Group: Yours,
		About: "what released models divide by, and what attention costs"},
	{Name: "model", Title: "Initialisation, rules, formats", Group: Yours,
		About: "which initialisations suit the scale, other rules than the root, and short number formats"},
	{Name: "cite", Title: "Cite", Group: Trust,
		About: "how to cite, how the numbers are made, words, and every file", View: citeOf},
	{Name: Record, Title: "Record", Group: Trust, About: recordAbout, View: recordOf},
}

// Alone is the pages of a report whose document lacks rows of the essay: the record.
var Alone = []Page{
	{Name: "index", Title: "Record", Group: Answer, About: recordAbout, View: recordOf, template: Record},
}

// EssayNames returns the names of the pages of the essay, whose templates read rows.
func EssayNames() (names []string) {
	for _, p := range Essay {
		if p.Name != Record {
			names = append(names, p.Name)
		}
	}
	return names
}
