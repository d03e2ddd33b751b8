// Package page lists the pages of a report, and prepares the data of their templates: tables and
// texts of estimates, the verdict, and claims. It computes no statistics.
package page

import "cmp"

// Page is a page of the report.
type Page struct {
	Name        string // name of its file, without extension
	Title       string // title in the navigation
	Group       string // group in the navigation, which is one of Groups
	Description string // description of its contents
	// TemplateData returns the data for the template. It is nil if the template needs only the
	// estimates that it names.
	TemplateData func(*Source) any
	// NotInReport omits the page from report.md. The lab is a program, the handout repeats other
	// pages on paper, and the page of claims is a collection of links.
	NotInReport bool
	template    string // name of the template if it is not the name of the page
}

// Template returns the name of the page's template, without extension.
func (p Page) Template() string { return cmp.Or(p.template, p.Name) }

// The groups of the navigation.
const (
	Answer    = "Answer"
	Lesson    = "Lesson"
	Evidence  = "Evidence"
	YourModel = "Your model"
	Trust     = "Trust"
)

// Groups are all groups in the order of the navigation.
var Groups = []string{Answer, Lesson, Evidence, YourModel, Trust}

// Record is the name of the page with all experiments, which every report has.
const Record = "record"

const recordDescription = "every experiment with its figures and rows, every check, the run"

// EssayPages are the pages of a report with the essay, in reading order. A new page needs an
// element here, and a template in the folder templates.
var EssayPages = []Page{
	{Name: "index", Title: "Answer", Group: Answer, Description: "the answer, and what it means for a model"},
	{Name: "example", Title: "Step by step", Group: Lesson, Description: "attention computed by hand"},
	{Name: "lab", Title: "Lab", Group: Lesson, Description: "draw one row yourself, and change its scale",
		NotInReport: true},
	{Name: "quiz", Title: "Questions", Group: Lesson,
		Description: "questions with choices, exercises, and their answers"},
	{Name: "handout", Title: "Handout", Group: Lesson, Description: "two sheets for print", NotInReport: true},
	{Name: "softmax", Title: "Why variance 1", Group: Evidence,
		Description: "the variance of a score, and what large scores do to weights, gradients and learning"},
	{Name: "training", Title: "Training", Group: Evidence,
		Description: "how training goes under other scales, aligned keys, and a stack of layers"},
	{Name: "claims", Title: "Claims and bugs", Group: Evidence,
		Description:  "what texts say about the scale, recomputed, and public bugs in the factor of scores",
		TemplateData: newClaimsView, NotInReport: true},
	{Name: "models", Title: "Released models", Group: YourModel,
		Description: "a calculator, what released models divide by, and what attention costs", TemplateData: newModelsTable},
	{Name: "model", Title: "Initialisation, rules, formats", Group: YourModel,
		Description: "which initialisations suit the scale, rules other than the root, and low precision"},
	{Name: "cite", Title: "Cite", Group: Trust,
		Description: "how to cite, how the numbers are made, a glossary, and every file", TemplateData: newCiteView},
	{Name: Record, Title: "Record", Group: Trust, Description: recordDescription, TemplateData: newRecordView},
}

// RecordPages are the pages of a report without the essay. A report does not have the essay if its
// document does not have all estimates that the essay needs.
var RecordPages = []Page{
	{Name: "index", Title: "Record", Group: Answer, Description: recordDescription, TemplateData: newRecordView,
		template: Record},
}

// EssayNames returns the names of the pages of the essay, which are all EssayPages except the
// record.
func EssayNames() (names []string) {
	for _, p := range EssayPages {
		if p.Name != Record {
			names = append(names, p.Name)
		}
	}
	return names
}
