package report

import (
	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// exponentsView is the view of the page on the scales.
type exponentsView struct {
	Verdict  verdict
	Standing standing
	Law      string
	Flat     string // exponent at which the variance stands still
	Slope    string // of the log variance of the unscaled score
	Gates    string
	Scaled   table // what each scale leaves, for the lead law
	Slopes   table // slope and flat exponent, by law
	Unit     table // the exponent that gives variance 1, by law and d_k
}

func exponents(quantity string) rows.Filter {
	return rows.Filter{Experiment: "exponents", Quantity: quantity}
}

func (s *source) exponents() exponentsView {
	v := exponentsView{
		Verdict: s.verdict(),
		Law:     lawHead(s.law),
		Gates:   s.gatesOn("exponents", "variance_slope", "the slope"),
		Scaled:  s.scaled(),
		Slopes:  s.slopes(),
		Unit:    s.byLaw(exponents("unit_exponent"), nil, "The exponent that would bring the measured variance to exactly 1, for each law and d_k. Theory says 0.5."),
	}
	if e, ok := rows.One(s.doc, exponents("flat_exponent").With("law", s.law)); ok {
		v.Flat = measured(e)
		v.Standing = s.standing([]result.Estimate{e}, "variance_slope")
	}
	if e, ok := rows.One(s.doc, exponents("variance_slope").With("law", s.law).With("exponent", 0.0)); ok {
		v.Slope = measured(e)
	}
	return v
}

// column is one scale of the table of scaled variances.
type column struct {
	head string
	row  rows.Filter
}

func (s *source) scales(f rows.Filter) []column {
	es := s.estimates(f)
	var cols []column
	for _, p := range rows.Numbers(es, "exponent") {
		cols = append(cols, column{"p" + is + digits.Fraction(p), f.With("exponent", p)})
	}
	for _, rule := range rows.Names(es, "rule") {
		cols = append(cols, column{ruleName(rule), f.With("rule", rule)})
	}
	return cols
}

// ruleName writes a rule as people do, or as it stands in the plan.
func ruleName(rule string) string {
	if rule == "sqrt(d_k/2)" {
		return "√(d_k/2)"
	}
	return escape(rule)
}

func (s *source) scaled() table {
	f := exponents("scaled_variance").With("law", s.law)
	cols := s.scales(f)
	t := table{
		Caption: "Variance of the score for " + lawHead(s.law) + " after dividing by d_k^p, or by a rule. Theory says d_k^(1−2p)." + conciseNote,
		Head:    []string{"d_k"},
	}
	for _, c := range cols {
		t.Head = append(t.Head, c.head)
	}
	for _, l := range s.lines(f) {
		line := []string{l.name()}
		for _, c := range cols {
			line = append(line, s.cell(l.of(c.row)))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// cell writes the row that f admits for a wide table, or nothing.
func (s *source) cell(f rows.Filter) string {
	e, ok := rows.One(s.doc, f)
	if !ok {
		return ""
	}
	return concise(e)
}

func (s *source) slopes() table {
	es := s.estimates(exponents("variance_slope"))
	flat := s.estimates(exponents("flat_exponent"))
	ps := rows.Numbers(es, "exponent")
	t := table{
		Caption: "Slope of log variance on log d_k after dividing by d_k^p, and the exponent at which it is zero. Theory says 1 − 2p, and 0.5." +
			conciseNote + " The errors along a line are one and the same.",
		Head: []string{"law"},
	}
	for _, p := range ps {
		t.Head = append(t.Head, "p"+is+digits.Fraction(p))
	}
	t.Head = append(t.Head, "flat at")
	for _, law := range rows.Names(append(append([]result.Estimate{}, es...), flat...), "law") {
		line := []string{escape(law)}
		for _, p := range ps {
			line = append(line, s.cell(exponents("variance_slope").With("law", law).With("exponent", p)))
		}
		t.Rows = append(t.Rows, append(line, s.cell(exponents("flat_exponent").With("law", law))))
	}
	return t
}
