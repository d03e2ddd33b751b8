package report

import (
	"fmt"
	"slices"

	"mcsim/report/rows"
	"mcsim/sim/result"
)

// answer is the view of the first page.
type answer struct {
	Verdict  verdict
	Standing standing
	Numbers  table
	Law      string // whose numbers these are
	Widths   bool   // more than one dimension was drawn
	Dim      string
	Raw      string // variance of the unscaled score at Dim
	Halved   string // what p = 1/2 leaves there
	Flat     string // exponent that makes the variance flat
	Advice   advice
	Softmax  softened // what softmax does to the rows of one grid
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
func (s *source) decisive(dim float64) []named {
	at := func(experiment, quantity string) rows.Filter {
		return rows.Filter{Experiment: experiment, Quantity: quantity}.With("law", s.law)
	}
	d := short(result.Number(dim))
	return []named{
		{"Var(q·k) at d_k" + is + d, at("variance", "score_variance").With("d_k", dim)},
		{"slope of ln Var(q·k) on ln d_k", at("exponents", "variance_slope").With("exponent", 0.0)},
		{"exponent that makes the variance flat", at("exponents", "flat_exponent")},
		{"variance left by √d_k at d_k" + is + d, at("exponents", "scaled_variance").With("d_k", dim).With("exponent", 0.5)},
	}
}

func (s *source) answer() answer {
	es := s.estimates(rows.Filter{Experiment: "variance", Quantity: "score_variance"}.With("law", s.law))
	if len(es) == 0 {
		es = s.estimates(rows.Filter{Experiment: "exponents", Quantity: "scaled_variance"}.With("law", s.law))
	}
	dims := rows.Numbers(es, "d_k")
	dim := headline(dims)
	a := answer{Verdict: s.verdict(), Law: lawHead(s.law), Dim: short(result.Number(dim)), Widths: len(dims) > 1,
		Softmax: s.softened(rows.SoftmaxGrid(s.doc))}
	t := table{Head: []string{"quantity", "measured", "theory"}}
	for _, n := range s.decisive(dim) {
		e, ok := rows.One(s.doc, n.row)
		if !ok {
			continue
		}
		t.Rows = append(t.Rows, []string{n.name, measured(e), short(e.Theory)})
	}
	t.Caption = fmt.Sprintf("The %s, for components of %s, with %s.", map[bool]string{true: "number that decides", false: words[len(t.Rows)] + " numbers that decide"}[len(t.Rows) == 1],
		a.Law, map[bool]string{true: "its standard error", false: "their standard errors"}[len(t.Rows) == 1])
	a.Numbers = t
	s.sayings(&a, dim)
	return a
}

// sayings fills the numbers that the prose uses; an absent row leaves its
// string empty, and the template leaves out the sentence.
func (s *source) sayings(a *answer, dim float64) {
	far := rows.Filter{Experiment: "exponents", Quantity: "scaled_variance"}.With("law", s.law).With("d_k", dim)
	raw, okRaw := rows.One(s.doc, rows.Filter{Experiment: "variance", Quantity: "score_variance"}.With("law", s.law).With("d_k", dim))
	halved, okHalved := rows.One(s.doc, far.With("exponent", 0.5))
	flat, okFlat := rows.One(s.doc, rows.Filter{Experiment: "exponents", Quantity: "flat_exponent"}.With("law", s.law))
	shrunken, okShrunken := rows.One(s.doc, far.With("exponent", 1.0))
	rule, okRule := rows.One(s.doc, far.With("rule", "sqrt(d_k/2)"))
	var shown []result.Estimate
	say := func(to *string, e result.Estimate, ok bool) {
		if ok {
			*to = measured(e)
			shown = append(shown, e)
		}
	}
	say(&a.Raw, raw, okRaw)
	say(&a.Halved, halved, okHalved)
	say(&a.Flat, flat, okFlat)
	a.Standing = s.standing(shown, "score_variance", "scaled_variance", "variance_slope")
	a.Standing.Firm = a.Standing.Firm && s.gated("variance_slope") && s.gated("score_variance")
	if !a.Verdict.Passed && !a.Verdict.None {
		return // nobody is advised from rows whose gates do not pass
	}
	v := &a.Advice
	v.One = !a.Widths && dim == 1
	v.Everywhere = a.Widths && a.Standing.Firm
	if v.One {
		return
	}
	for _, c := range []struct {
		to *string
		e  result.Estimate
		ok bool
	}{
		{&v.Keep, halved, okHalved && (v.Everywhere || agrees(halved))},
		{&v.Sharp, raw, okRaw && above(raw, sharp)},
		{&v.Faint, shrunken, okShrunken && below(shrunken, faint)},
		{&v.Rule, rule, okRule && (v.Everywhere || agrees(rule))},
	} {
		if c.ok {
			*c.to = measured(c.e)
		}
	}
	if s.standing(nil, "score_variance").Firm {
		v.Laws = s.lawCount()
	}
	v.Any = v.Keep != "" || v.Sharp != "" || v.Faint != "" || v.Rule != "" || v.Laws != ""
}

// gated reports whether any gate judges a quantity.
func (s *source) gated(quantity string) bool {
	return slices.ContainsFunc(s.doc.Gates, func(g result.Gate) bool { return g.Quantity == quantity })
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
func (s *source) lawCount() string {
	n := len(rows.Names(s.estimates(rows.Filter{Experiment: "variance", Quantity: "score_variance"}), "law"))
	if n < 2 {
		return ""
	}
	if n < len(words) {
		return words[n]
	}
	return short(result.Number(n))
}
