package report

// page is one page: its text is the template of the same name.
type page struct {
	name  string
	title string // its heading, and its name in the navigation
	about string // what a reader finds there
	view  func(*source) any
	apart bool // knows when and where the run was, so it is in no other document
}

// pages is the site, in reading order. A new page is a row here, a template,
// and the function that prepares its strings.
var pages = []page{
	{"index", "Answer", "the answer, and what it means for a model", func(s *source) any { return s.answer() }, false},
	{"variance", "Variance", "the variance of a score, derived and measured", func(s *source) any { return s.variance() }, false},
	{"exponents", "Exponents", "what dividing by a power of d_k leaves", func(s *source) any { return s.exponents() }, false},
	{"softmax", "Softmax", "what softmax and its gradient make of the scores", func(s *source) any { return s.softmax() }, false},
	{"alignment", "Alignment", "which scale suits a key that is aligned with its query", func(s *source) any { return s.alignment() }, false},
	{"rules", "Rules", "other rules than the square root: variance and cost", func(s *source) any { return s.rules() }, false},
	{"initialisations", "Initialisations", "what the defaults of frameworks make of a logit", func(s *source) any { return s.initialisations() }, false},
	{"depth", "Depth", "scores and gradients along a stack of attention layers", func(s *source) any { return s.depth() }, false},
	{"checks", "Checks", "every gate, with its band and its verdict", func(s *source) any { return s.checks() }, false},
	{"methods", "Methods", "sampling, errors, gates, and how to repeat all of it", func(s *source) any { return s.methods() }, false},
	{"cite", "Cite and download", "how to cite, and every file of the site", func(s *source) any { return s.cite() }, false},
	{"run", "This run", "when and where the numbers were computed", func(s *source) any { return s.thisRun() }, true},
}
