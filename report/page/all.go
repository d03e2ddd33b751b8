// Package page prepares the strings of each page, one file a subject: a page
// is a row of All, a template of the same name, and the function that fills
// it from the document.
package page

import (
	"mcsim/report/claims"
	"mcsim/report/glossary"
	"mcsim/report/lesson"
	"mcsim/report/precision"
	"mcsim/report/training"
	"mcsim/report/trust"
	"mcsim/report/view"
)

// Page is one page: its text is the template of the same name.
type Page struct {
	Name  string // of its template and of its file, without extension
	Title string // its heading, and its name in the navigation
	Group string // one of Groups, under which the navigation has it
	About string // what a reader finds there
	// View fills the template; nil: the template needs no strings.
	View func(*view.Source) any
	// Apart pages are not in report.md: that of the run, which knows when and where it
	// was, the lab, which is a program, the handout, which says on paper what other
	// pages say, and that of claims, which links to figures of other pages.
	Apart bool
}

// Strings returns what the page's template is filled with.
func (p Page) Strings(s *view.Source) any {
	if p.View == nil {
		return nil
	}
	return p.View(s)
}

// of is a view of any type.
func of[V any](strings func(*view.Source) V) func(*view.Source) any {
	return func(s *view.Source) any { return strings(s) }
}

// The groups of the navigation: the answer, how attention works, what the answer rests on,
// what it means for a model of the reader's own, and why to believe all of it.
const (
	Answer   = "Answer"
	Lesson   = "Lesson"
	Evidence = "Evidence"
	Yours    = "Your model"
	Trust    = "Trust"
)

// Groups are all groups in their order.
var Groups = []string{Answer, Lesson, Evidence, Yours, Trust}

// All is the site, in reading order, group after group. A new page is a row here, a
// template, and the function that prepares its strings.
var All = []Page{
	{Name: "index", Title: "Answer", Group: Answer, About: "the answer, and what it means for a model", View: of(answer)},
	{Name: "example", Title: "Step by step", Group: Lesson, About: "attention computed by hand, beside what texts print", View: of(lesson.Example)},
	{Name: "cost", Title: "Cost", Group: Lesson, About: "what attention costs: operations and bytes, over the length of a text", View: of(lesson.Cost)},
	{Name: "lab", Title: "Lab", Group: Lesson, About: "draw a row yourself, and change its scale", Apart: true},
	{Name: "quiz", Title: "Questions", Group: Lesson, About: "questions to predict from, exercises, and their answers", View: of(lesson.Quiz)},
	{Name: "handout", Title: "Handout", Group: Lesson, About: "two sheets for print: the derivation, what it does, and exercises", View: of(lesson.Handout), Apart: true},
	{Name: "variance", Title: "Variance", Group: Evidence, About: "the variance of a score, derived and measured", View: of(variance)},
	{Name: "exponents", Title: "Exponents", Group: Evidence, About: "what dividing by a power of d_k leaves", View: of(exponents)},
	{Name: "softmax", Title: "Softmax", Group: Evidence, About: "what softmax and its gradient make of the scores", View: of(softmax)},
	{Name: "alignment", Title: "Alignment", Group: Evidence, About: "which scale suits a key that is aligned with its query", View: of(alignment)},
	{Name: "depth", Title: "Depth", Group: Evidence, About: "scores and gradients along a stack of attention layers", View: of(depth)},
	{Name: "claims", Title: "Claims", Group: Evidence, About: "what five texts say about the scale, recomputed", View: of(claims.Page), Apart: true},
	{Name: "training", Title: "Training", Group: Evidence, About: "whether training suffers under another scale, at its own best rate", View: of(training.Page)},
	{Name: "initialisations", Title: "Initialisations", Group: Yours, About: "what the defaults of frameworks make of a logit", View: of(initialisations)},
	{Name: "rules", Title: "Rules", Group: Yours, About: "other rules than the square root: variance and cost", View: of(rules)},
	{Name: "precision", Title: "Precision", Group: Yours, About: "what float16, bfloat16 and 8 bits do to scores and weights", View: of(precision.Page)},
	{Name: "checks", Title: "Checks", Group: Trust, About: "every gate, with its band and its verdict", View: of(trust.Checks)},
	{Name: "methods", Title: "Methods", Group: Trust, About: "sampling, errors, gates, and how to repeat all of it", View: of(trust.Methods)},
	{Name: glossary.Page, Title: "Glossary", Group: Trust, About: "the words and labels of these pages", View: of(glossary.View)},
	{Name: "cite", Title: "Cite and download", Group: Trust, About: "how to cite, and every file of the site", View: of(cite)},
	{Name: "run", Title: "This run", Group: Trust, About: "when and where the numbers were computed", View: of(thisRun), Apart: true},
}
