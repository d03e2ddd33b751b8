package page

import (
	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/result"
)

// exponentsView is the view of the page on the scales.
type exponentsView struct {
	Verdict view.Verdict
	Support view.Support
	Law     string
	Flat    string // exponent at which the variance stands still
	Slope   string // of the log variance of the unscaled score
	Gates   string
	Scaled  view.Table // what each scale leaves, for the default law
	Slopes  view.Table // slope and flat exponent, by law
	Unit    view.Table // the exponent that gives variance 1, by law and d_k
}

// exponentRows names rows of the experiment.
func exponentRows(quantity string) rows.Filter {
	return rows.Filter{Experiment: "exponents", Quantity: quantity}
}

// exponents fills the page on the scales.
func exponents(s *view.Source) exponentsView {
	v := exponentsView{
		Verdict: s.Verdict(),
		Law:     view.LawHead(s.Law),
		Gates:   s.GatesOn("exponents", "variance_slope", "the slope"),
		Scaled:  scaled(s),
		Slopes:  slopes(s),
		Unit:    s.ByLaw(exponentRows("unit_exponent"), nil, "The exponent that would bring the measured variance to exactly 1, for each law and d_k. Theory says 0.5."),
	}
	if e, ok := rows.One(s.Doc, exponentRows("flat_exponent").With("law", s.Law)); ok {
		v.Flat = view.Measured(e)
		v.Support = s.Support([]result.Estimate{e}, "variance_slope")
	}
	if e, ok := rows.One(s.Doc, exponentRows("variance_slope").With("law", s.Law).With("exponent", 0.0)); ok {
		v.Slope = view.Measured(e)
	}
	return v
}

// column is one scale of the table of scaled variances.
type column struct {
	head string
	row  rows.Filter
}

// scales are the columns of all scales that the rows have.
func scales(s *view.Source, f rows.Filter) []column {
	es := s.Estimates(f)
	var cols []column
	for _, p := range rows.Numbers(es, "exponent") {
		cols = append(cols, column{"p" + view.Equals + digits.Fraction(p), f.With("exponent", p)})
	}
	for _, rule := range rows.Names(es, "rule") {
		cols = append(cols, column{view.RuleName(rule), f.With("rule", rule)})
	}
	return cols
}

// scaled holds what each scale leaves of the variance.
func scaled(s *view.Source) view.Table {
	f := exponentRows("scaled_variance").With("law", s.Law)
	cols := scales(s, f)
	t := view.Table{
		Caption: "Variance of the score for " + view.LawHead(s.Law) + " after dividing by d_k^p, or by a rule. Theory says d_k^(1−2p)." + view.ConciseNote,
		Head:    []string{"d_k"},
	}
	for _, c := range cols {
		t.Head = append(t.Head, c.head)
	}
	for _, l := range s.Lines(f) {
		line := []string{l.Name()}
		for _, c := range cols {
			line = append(line, s.Cell(l.Of(c.row)))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// slopes holds the slopes of the variance after each scale, by law.
func slopes(s *view.Source) view.Table {
	es := s.Estimates(exponentRows("variance_slope"))
	flat := s.Estimates(exponentRows("flat_exponent"))
	ps := rows.Numbers(es, "exponent")
	t := view.Table{
		Caption: "Slope of log variance on log d_k after dividing by d_k^p, and the exponent at which it is zero. Theory says 1 − 2p, and 0.5." +
			view.ConciseNote + " The errors along a line are one and the same.",
		Head: []string{"law"},
	}
	for _, p := range ps {
		t.Head = append(t.Head, "p"+view.Equals+digits.Fraction(p))
	}
	t.Head = append(t.Head, "flat at")
	for _, law := range rows.Names(append(append([]result.Estimate{}, es...), flat...), "law") {
		line := []string{markdown.Escape(law)}
		for _, p := range ps {
			line = append(line, s.Cell(exponentRows("variance_slope").With("law", law).With("exponent", p)))
		}
		t.Rows = append(t.Rows, append(line, s.Cell(exponentRows("flat_exponent").With("law", law))))
	}
	return t
}
