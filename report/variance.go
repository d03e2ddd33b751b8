package report

import (
	"mcsim/report/digits"
	"mcsim/report/rows"
)

// varianceView is the view of the page on Var(q·k).
type varianceView struct {
	Verdict  verdict
	Standing standing
	At       []point // the variance of the lead law at a few dimensions
	Law      string
	Laws     string
	Gates    string

	Lead     table // one law in full
	Ratio    table // all laws, over theory
	Mean     table
	Skewness table
	Kurtosis table
	Error    table // the sample's own standard error over the exact one
	Blocks   table // and the one that the scatter of its blocks shows

	Far       []point // the distance from a normal law at a few dimensions
	Distance  table   // of the lead law
	Distances table   // of all laws
}

func variance(quantity string) rows.Filter {
	return rows.Filter{Experiment: "variance", Quantity: quantity}
}

func (s *source) variance() varianceView {
	lead := s.estimates(variance("score_variance").With("law", s.law))
	return varianceView{
		Verdict:  s.verdict(),
		Standing: s.standing(lead, "score_variance"),
		At:       s.along(variance("score_variance")),
		Law:      lawHead(s.law),
		Laws:     s.lawCount(),
		Gates:    s.gatesOn("variance", "score_variance", "it"),
		Lead:     s.leadVariance(),
		Ratio:    s.byLaw(variance("score_variance"), rows.OverTheory, "Var(q·k) over its theory d_k, for each law."),
		Mean:     s.byLaw(variance("score_mean"), nil, "Mean of the score q·k, for each law. Theory says 0."),
		Skewness: s.byLaw(variance("score_skewness"), nil, "Skewness of the score, for each law. Theory says 0 where the third moment exists."),
		Kurtosis: s.byLaw(variance("score_excess_kurtosis"), nil, "Excess kurtosis of the score, for each law. Theory says that it falls like 1/d_k, "+
			"as the score comes closer to a normal one."),
		Error: s.byLaw(variance("score_variance_se"), rows.OverTheory, "Standard error of the variance, read from the sample itself, over the exact one. "+
			"Theory says 1."),
		Blocks: s.byLaw(variance("score_variance_se_blocks"), rows.OverTheory, "Standard error of the variance, read from the scatter of the blocks, over the exact one. "+
			"Theory says 1."),
		Far:       s.along(variance("normal_ks")),
		Distance:  s.leadDistance(),
		Distances: s.distances(),
	}
}

// leadDistance is the distance of the lead law from a normal one, beside what
// its exact law gives.
func (s *source) leadDistance() table {
	es := s.estimates(variance("normal_ks").With("law", s.law))
	t := table{
		Caption: "Kolmogorov distance of the standardised score from the normal law, for " + lawHead(s.law) + ".",
		Head:    []string{"d_k", "pairs", "distance", level(es) + " interval", "theory"},
	}
	for _, e := range es {
		d, _ := e.Params.Number("d_k")
		t.Rows = append(t.Rows, []string{digits.Short(d), digits.Count(e.N), measured(e), interval(e), digits.Beside(float64(e.Theory), float64(e.SE))})
	}
	return t
}

// distances compares the laws, where there is more than one.
func (s *source) distances() table {
	f := variance("normal_ks")
	if len(rows.Names(s.estimates(f), "law")) < 2 {
		return table{}
	}
	return s.byLaw(f, nil, "Kolmogorov distance of the standardised score from the normal law, for each law.")
}

func (s *source) leadVariance() table {
	f := variance("score_variance").With("law", s.law)
	es := s.estimates(f)
	t := table{
		Caption: "Var(q·k) for " + lawHead(s.law) + ", with standard errors." + gramNote(es),
		Head:    []string{"d_k", "scores", "Var(q·k)", level(es) + " interval", "theory"},
	}
	for _, l := range s.lines(f) {
		if e, ok := rows.One(s.doc, l.of(f)); ok {
			t.Rows = append(t.Rows, []string{l.name(), scores(e), measured(e), interval(e), short(e.Theory)})
		}
	}
	return t
}
