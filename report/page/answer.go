package page

import (
	"fmt"
	"slices"

	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/result"
)

// answerView is the view of the first page.
type answerView struct {
	Verdict view.Verdict
	Support view.Support
	Numbers view.Table
	Law     string // whose numbers these are
	Widths  bool   // more than one dimension was drawn
	Dim     string
	Raw     string // variance of the unscaled score at Dim
	Halved  string // what p = 1/2 leaves there
	Flat    string // exponent that makes the variance flat
	Advice  advice
	Softmax softmaxSummary // what softmax does to the rows of one grid
}

// advice is what the rows support of the advice that the first page gives: a
// number stands only where it says what its sentence says of it.
type advice struct {
	Any        bool
	One        bool   // only the dimension 1, where all scales are one
	Keep       string // what p = 1/2 leaves
	Sharp      string // the unscaled variance, where it is large
	Faint      string // what p = 1 leaves, where it is small
	Rule       string // what √(d_k/2) leaves
	Laws       string // how many laws were drawn, in words, where they agree
	Everywhere bool   // the same at every dimension, by the gates
}

// named is one of the decisive numbers: a row, under a name of its own.
type named struct {
	name string
	row  rows.Filter
}

// decisive are the numbers of the first page: that the variance is d_k, that
// it grows as its first power, which exponent undoes this, and what is left.
func decisive(s *view.Source, dim float64) []named {
	at := func(experiment, quantity string) rows.Filter {
		return rows.Filter{Experiment: experiment, Quantity: quantity}.With("law", s.Law)
	}
	d := view.Short(result.Number(dim))
	return []named{
		{"Var(q·k) at d_k" + view.Equals + d, at("variance", "score_variance").With("d_k", dim)},
		{"slope of ln Var(q·k) on ln d_k", at("exponents", "variance_slope").With("exponent", 0.0)},
		{"exponent that makes the variance flat", at("exponents", "flat_exponent")},
		{"variance left by √d_k at d_k" + view.Equals + d, at("exponents", "scaled_variance").With("d_k", dim).With("exponent", 0.5)},
	}
}

// answer fills the first page.
func answer(s *view.Source) answerView {
	es := s.Estimates(rows.Filter{Experiment: "variance", Quantity: "score_variance"}.With("law", s.Law))
	if len(es) == 0 {
		es = s.Estimates(rows.Filter{Experiment: "exponents", Quantity: "scaled_variance"}.With("law", s.Law))
	}
	dims := rows.Numbers(es, "d_k")
	dim := headline(dims)
	a := answerView{Verdict: s.Verdict(), Law: view.LawHead(s.Law), Dim: view.Short(result.Number(dim)), Widths: len(dims) > 1,
		Softmax: summarySoftmax(s, rows.SoftmaxGrid(s.Doc))}
	t := view.Table{Head: []string{"quantity", "measured", "theory"}}
	for _, n := range decisive(s, dim) {
		e, ok := rows.One(s.Doc, n.row)
		if !ok {
			continue
		}
		t.Rows = append(t.Rows, []string{n.name, view.Measured(e), view.Short(e.Theory)})
	}
	t.Caption = fmt.Sprintf("The %s, for components of %s, with %s.", map[bool]string{true: "number that decides", false: words[len(t.Rows)] + " numbers that decide"}[len(t.Rows) == 1],
		a.Law, map[bool]string{true: "its standard error", false: "their standard errors"}[len(t.Rows) == 1])
	a.Numbers = t
	fillAnswer(s, &a, dim)
	return a
}

// fillAnswer fills the numbers that the prose uses; an absent row leaves its
// string empty, and the template leaves out the sentence.
func fillAnswer(s *view.Source, a *answerView, dim float64) {
	far := rows.Filter{Experiment: "exponents", Quantity: "scaled_variance"}.With("law", s.Law).With("d_k", dim)
	raw, okRaw := rows.One(s.Doc, rows.Filter{Experiment: "variance", Quantity: "score_variance"}.With("law", s.Law).With("d_k", dim))
	halved, okHalved := rows.One(s.Doc, far.With("exponent", 0.5))
	flat, okFlat := rows.One(s.Doc, rows.Filter{Experiment: "exponents", Quantity: "flat_exponent"}.With("law", s.Law))
	shrunken, okShrunken := rows.One(s.Doc, far.With("exponent", 1.0))
	rule, okRule := rows.One(s.Doc, far.With("rule", "sqrt(d_k/2)"))
	var shown []result.Estimate
	say := func(to *string, e result.Estimate, ok bool) {
		if ok {
			*to = view.Measured(e)
			shown = append(shown, e)
		}
	}
	say(&a.Raw, raw, okRaw)
	say(&a.Halved, halved, okHalved)
	say(&a.Flat, flat, okFlat)
	a.Support = s.Support(shown, "score_variance", "scaled_variance", "variance_slope")
	a.Support.Firm = a.Support.Firm && gated(s, "variance_slope") && gated(s, "score_variance")
	if !a.Verdict.Passed && !a.Verdict.None {
		return // nobody is advised from rows whose gates do not pass
	}
	v := &a.Advice
	v.One = !a.Widths && dim == 1
	v.Everywhere = a.Widths && a.Support.Firm
	if v.One {
		return
	}
	for _, c := range []struct {
		to *string
		e  result.Estimate
		ok bool
	}{
		{&v.Keep, halved, okHalved && (v.Everywhere || view.Agrees(halved))},
		{&v.Sharp, raw, okRaw && view.Above(raw, view.Sharp)},
		{&v.Faint, shrunken, okShrunken && view.Below(shrunken, view.Faint)},
		{&v.Rule, rule, okRule && (v.Everywhere || view.Agrees(rule))},
	} {
		if c.ok {
			*c.to = view.Measured(c.e)
		}
	}
	if s.Support(nil, "score_variance").Firm {
		v.Laws = lawCount(s)
	}
	v.Any = v.Keep != "" || v.Sharp != "" || v.Faint != "" || v.Rule != "" || v.Laws != ""
}

// gated reports whether any gate judges a quantity.
func gated(s *view.Source, quantity string) bool {
	return slices.ContainsFunc(s.Doc.Gates, func(g result.Gate) bool { return g.Quantity == quantity })
}

// headline picks the dimension that the first page speaks of: 512, or the
// largest there is.
func headline(dims []float64) float64 {
	best := 0.0
	for _, d := range dims {
		if d == 512 {
			return d
		}
		best = d
	}
	return best
}

var words = []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

// lawCount says how many laws have a row of the variance, where there is
// something to compare.
func lawCount(s *view.Source) string {
	n := len(rows.Names(s.Estimates(rows.Filter{Experiment: "variance", Quantity: "score_variance"}), "law"))
	if n < 2 {
		return ""
	}
	if n < len(words) {
		return words[n]
	}
	return view.Short(result.Number(n))
}
