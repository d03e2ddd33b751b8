// Package page prepares the strings of each page, one file a subject: a page
// is a row of All, a template of the same name, and the function that fills
// it from the document.
package page

import "mcsim/report/view"

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
	{"index", "Answer", "the answer, and what it means for a model", of(answer), false},
	{"variance", "Variance", "the variance of a score, derived and measured", of(variance), false},
	{"exponents", "Exponents", "what dividing by a power of d_k leaves", of(exponents), false},
	{"softmax", "Softmax", "what softmax and its gradient make of the scores", of(softmax), false},
	{"alignment", "Alignment", "which scale suits a key that is aligned with its query", of(alignment), false},
	{"rules", "Rules", "other rules than the square root: variance and cost", of(rules), false},
	{"initialisations", "Initialisations", "what the defaults of frameworks make of a logit", of(initialisations), false},
	{"depth", "Depth", "scores and gradients along a stack of attention layers", of(depth), false},
	{"checks", "Checks", "every gate, with its band and its verdict", of(checks), false},
	{"methods", "Methods", "sampling, errors, gates, and how to repeat all of it", of(methods), false},
	{"cite", "Cite and download", "how to cite, and every file of the site", of(cite), false},
	{"run", "This run", "when and where the numbers were computed", of(thisRun), true},
}
