package report

import (
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// answer is the view of the first page.
type answer struct {
	Verdict  verdict
	Numbers  table
	Law      string // whose numbers these are
	Laws     string // how many laws were drawn, in words; empty below two
	Widths   bool   // more than one dimension was drawn
	Raw      string // variance of the unscaled score at Dim
	Halved   string // what p = 1/2 leaves there
	Shrunken string // what p = 1 leaves there
	Rule     string // what √(d_k/2) leaves there
	Dim      string
	Flat     string // exponent that makes the variance flat
	Level    string
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
	dim := headline(rows.Numbers(es, "d_k"))
	a := answer{Verdict: s.verdict(), Law: lawHead(s.law), Dim: short(result.Number(dim)), Laws: s.lawCount(), Widths: len(rows.Numbers(es, "d_k")) > 1, Level: level(es)}
	t := table{Head: []string{"quantity", "measured", "theory"}}
	t.Caption = "The four numbers that decide, for components of " + a.Law + ", with their standard errors."
	for _, n := range s.decisive(dim) {
		e, ok := rows.One(s.doc, n.row)
		if !ok {
			continue
		}
		t.Rows = append(t.Rows, []string{n.name, measured(e), short(e.Theory)})
	}
	a.Numbers = t
	s.sayings(&a, dim)
	return a
}

// sayings fills the numbers that the prose uses; an absent row leaves its
// string empty, and the template leaves out the sentence.
func (s *source) sayings(a *answer, dim float64) {
	far := rows.Filter{Experiment: "exponents", Quantity: "scaled_variance"}.With("law", s.law).With("d_k", dim)
	for _, f := range []struct {
		to  *string
		row rows.Filter
	}{
		{&a.Raw, rows.Filter{Experiment: "variance", Quantity: "score_variance"}.With("law", s.law).With("d_k", dim)},
		{&a.Halved, far.With("exponent", 0.5)},
		{&a.Shrunken, far.With("exponent", 1.0)},
		{&a.Rule, far.With("rule", "sqrt(d_k/2)")},
		{&a.Flat, rows.Filter{Experiment: "exponents", Quantity: "flat_exponent"}.With("law", s.law)},
	} {
		if e, ok := rows.One(s.doc, f.row); ok {
			*f.to = measured(e)
		}
	}
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
