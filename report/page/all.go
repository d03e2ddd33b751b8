// Package page prepares the strings of each page, one file a subject: a page
// is a row of All, a template of the same name, and the function that fills
// it from the document.
package page

import "mcsim/report/view"

// Page is one page: its text is the template of the same name.
type Page struct {
	Name  string
	Title string // its heading, and its name in the navigation
	About string // what a reader finds there
	View  func(*view.Source) any
	Apart bool // knows when and where the run was, so it is in no other document
}

// All is the site, in reading order. A new page is a row here, a template,
// and the function that prepares its strings.
var All = []Page{
	{"index", "Answer", "the answer, and what it means for a model", func(s *view.Source) any { return answer(s) }, false},
	{"variance", "Variance", "the variance of a score, derived and measured", func(s *view.Source) any { return variance(s) }, false},
	{"exponents", "Exponents", "what dividing by a power of d_k leaves", func(s *view.Source) any { return exponents(s) }, false},
	{"softmax", "Softmax", "what softmax and its gradient make of the scores", func(s *view.Source) any { return softmax(s) }, false},
	{"alignment", "Alignment", "which scale suits a key that is aligned with its query", func(s *view.Source) any { return alignment(s) }, false},
	{"rules", "Rules", "other rules than the square root: variance and cost", func(s *view.Source) any { return rules(s) }, false},
	{"initialisations", "Initialisations", "what the defaults of frameworks make of a logit", func(s *view.Source) any { return initialisations(s) }, false},
	{"depth", "Depth", "scores and gradients along a stack of attention layers", func(s *view.Source) any { return depth(s) }, false},
	{"checks", "Checks", "every gate, with its band and its verdict", func(s *view.Source) any { return checks(s) }, false},
	{"methods", "Methods", "sampling, errors, gates, and how to repeat all of it", func(s *view.Source) any { return methods(s) }, false},
	{"cite", "Cite and download", "how to cite, and every file of the site", func(s *view.Source) any { return cite(s) }, false},
	{"run", "This run", "when and where the numbers were computed", func(s *view.Source) any { return thisRun(s) }, true},
}
