// Package page prepares the strings of each page, one file a subject: a page
// is a row of All, a template of the same name, and the function that fills
// it from the document.
package page

import (
	"mcsim/report/trust"
	"mcsim/report/view"
)

// Page is one page: its text is the template of the same name.
type Page struct {
	Name  string // of its template and of its file, without extension
	Title string // its heading, and its name in the navigation
	About string // what a reader finds there
	// View fills the template; nil: the template needs no strings.
	View func(*view.Source) any
	// Apart pages know when and where the run was, and so are in no other
	// document; by default a page is in report.md too.
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

// All is the site, in reading order. A new page is a row here, a template,
// and the function that prepares its strings.
var All = []Page{
	{Name: "index", Title: "Answer", About: "the answer, and what it means for a model", View: of(answer)},
	{Name: "variance", Title: "Variance", About: "the variance of a score, derived and measured", View: of(variance)},
	{Name: "exponents", Title: "Exponents", About: "what dividing by a power of d_k leaves", View: of(exponents)},
	{Name: "softmax", Title: "Softmax", About: "what softmax and its gradient make of the scores", View: of(softmax)},
	{Name: "alignment", Title: "Alignment", About: "which scale suits a key that is aligned with its query", View: of(alignment)},
	{Name: "rules", Title: "Rules", About: "other rules than the square root: variance and cost", View: of(rules)},
	{Name: "initialisations", Title: "Initialisations", About: "what the defaults of frameworks make of a logit", View: of(initialisations)},
	{Name: "depth", Title: "Depth", About: "scores and gradients along a stack of attention layers", View: of(depth)},
	{Name: "checks", Title: "Checks", About: "every gate, with its band and its verdict", View: of(trust.Checks)},
	{Name: "methods", Title: "Methods", About: "sampling, errors, gates, and how to repeat all of it", View: of(trust.Methods)},
	{Name: "cite", Title: "Cite and download", About: "how to cite, and every file of the site", View: of(cite)},
	{Name: "run", Title: "This run", About: "when and where the numbers were computed", View: of(thisRun), Apart: true},
}
