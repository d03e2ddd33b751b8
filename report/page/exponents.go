package page

import (
	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
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
	Unity   bool       // that is one half, as far as gates and rows tell
}

// exponentRows names rows of the experiment.
func exponentRows(quantity string) rows.Filter {
	return rows.Filter{Experiment: names.ExperimentExponents, Quantity: quantity}
}

// exponents fills the page on the scales.
func exponents(s *view.Source) exponentsView {
	v := exponentsView{
		Verdict: s.Verdict(),
		Law:     view.LawHead(s.Law),
		Gates:   s.GatesOn(names.ExperimentExponents, names.VarianceSlope, "the slope"),
		Slope:   s.SaidAt(exponentRows(names.VarianceSlope).With(names.ParamLaw, s.Law).With(names.ParamExponent, 0.0)),
		Scaled:  scaled(s),
		Slopes:  slopes(s),
		Unit:    s.ByLaw(exponentRows(names.UnitExponent), nil, "The exponent that would bring the measured variance to exactly 1, for each law and d_k. Theory says 0.5."),
	}
	v.Unity = s.Support(s.Estimates(exponentRows(names.UnitExponent)), names.ScoreVariance).Firm
	if e, ok := rows.One(s.Doc, exponentRows(names.FlatExponent).With(names.ParamLaw, s.Law)); ok {
		v.Flat = view.Said(e)
		shown := append([]result.Estimate{e}, s.Estimates(exponentRows(names.VarianceSlope).With(names.ParamLaw, s.Law).With(names.ParamExponent, 0.0))...)
		v.Support = s.Support(shown, names.VarianceSlope)
	}
	return v
}

// scales are the columns of all scales that the rows have.
func scales(s *view.Source, f rows.Filter) []view.Column {
	es := s.Estimates(f)
	var cols []view.Column
	for _, p := range rows.Numbers(es, names.ParamExponent) {
		cols = append(cols, view.Column{Heads: []string{"p" + view.Equals + digits.Fraction(p)}, Rows: f.With(names.ParamExponent, p)})
	}
	for _, rule := range rows.Names(es, names.ParamRule) {
		cols = append(cols, view.Column{Heads: []string{view.RuleName(rule)}, Rows: f.With(names.ParamRule, rule)})
	}
	return cols
}

// scaled holds what each scale leaves of the variance.
func scaled(s *view.Source) view.Table {
	f := exponentRows(names.ScaledVariance).With(names.ParamLaw, s.Law)
	return s.Fill(view.Table{
		Caption: "Variance of the score for " + view.LawHead(s.Law) + " after dividing by d_k^p, or by a rule. Theory says d_k^(1−2p).",
		Head:    []string{names.ParamDimension},
	}, s.Lines(f), scales(s, f))
}

// slopes holds the slopes of the variance after each scale, by law.
func slopes(s *view.Source) view.Table {
	slope, flat := exponentRows(names.VarianceSlope), exponentRows(names.FlatExponent)
	laws := rows.Names(append(s.Estimates(slope), s.Estimates(flat)...), names.ParamLaw)
	return s.Fill(view.Table{
		Caption: "Slope of log variance on log d_k after dividing by d_k^p, and the exponent at which it is zero. Theory says 1 − 2p, and 0.5." +
			" The errors along a line are one and the same for every *p*; that of the flat exponent is half of it.",
		Head: []string{"law"},
	}, view.LinesOf(names.ParamLaw, laws, markdown.Escape), append(scales(s, slope), view.Column{Heads: []string{"flat at"}, Rows: flat}))
}
