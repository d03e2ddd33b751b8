package page

import (
	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// varianceView is the view of the page on Var(q·k).
type varianceView struct {
	Verdict view.Verdict
	Support view.Support
	At      *view.Point // the variance of the default law at the largest dimension
	Law     string
	Laws    string
	Gates   string

	OfLaw    view.Table // one law in full
	Ratio    view.Table // all laws, over theory
	Mean     view.Table
	Skewness view.Table
	Kurtosis view.Table
	// ErrorKnown: the gates on the sample's own standard error pass, and no row strays.
	ErrorKnown bool
	Error      view.Table // the sample's own standard error over the exact one
	Blocks     view.Table // and the one that the scatter of its blocks shows

	Far       []view.Point // the difference from a normal law at a few dimensions
	Distance  view.Table   // of the default law
	Distances view.Table   // of all laws
	Exact     view.Table   // the distance to the exact law
	Fit       lawFit
}

// variance fills the page on the variance of a score.
func variance(s *view.Source) varianceView {
	ofLaw := s.Estimates(rows.Variance(names.ScoreVariance).With(names.ParamLaw, s.Law))
	return varianceView{
		Verdict:  s.Verdict(),
		Support:  s.Support(ofLaw, names.ScoreVariance),
		At:       last(s.AtDimensions(rows.Variance(names.ScoreVariance))),
		Law:      view.LawHead(s.Law),
		Laws:     lawCount(s),
		Gates:    s.GatesOn(names.ExperimentVariance, names.ScoreVariance, "the variance"),
		OfLaw:    defaultVariance(s),
		Ratio:    s.ByLaw(rows.Variance(names.ScoreVariance), rows.OverTheory, "Var(q·k) over its theory d_k, for each law."),
		Mean:     s.ByLaw(rows.Variance(names.ScoreMean), nil, "Mean of the score q·k, for each law. Theory says 0."),
		Skewness: s.ByLaw(rows.Variance(names.ScoreSkewness), nil, "Skewness of the score, for each law. Theory says 0 where the third moment exists."),
		Kurtosis: s.ByLaw(rows.Variance(names.ScoreExcessKurtosis), nil, "Excess kurtosis of the score, for each law. Theory says that it falls like 1/d_k, "+
			"as the score comes closer to a normal one."),
		ErrorKnown: s.Support(s.Estimates(rows.Variance(names.ScoreVarianceSE)), names.ScoreVarianceSE).Firm,
		Error: s.ByLaw(rows.Variance(names.ScoreVarianceSE), rows.OverTheory, "Standard error of the variance, read from the sample itself, over the exact one. "+
			"Theory says 1."),
		Blocks: s.ByLaw(rows.Variance(names.ScoreVarianceSEBlocks), rows.OverTheory, "Standard error of the variance, read from the scatter of the blocks, over the exact one. "+
			"Theory says 1."),
		Far:       s.AtDimensions(rows.Variance(names.NormalDifference)),
		Distance:  defaultDistance(s),
		Distances: distances(s),
		Exact:     exactLaw(s),
		Fit:       fitOf(s),
	}
}

// last is the last of some points, or nothing.
func last(points []view.Point) *view.Point {
	if len(points) == 0 {
		return nil
	}
	return &points[len(points)-1]
}

// lawFit says how the scores of the default law stand to their exact one.
type lawFit struct {
	Tests  string // how many d_k
	Above  string // how many of them lie above the 95 % limit
	Least  string // the least p-value
	Holds  bool   // it is not below a part of 5 % for each d_k
	AtMost string // that part
}

// fitOf compares the smallest p-value with its part of 5 % (Bonferroni).
func fitOf(s *view.Source) lawFit {
	es := s.Estimates(rows.Variance(names.ExactKSP).With(names.ParamLaw, s.Law))
	above, least, n := 0, result.Number(1), 0
	for _, e := range es {
		if !e.Value.Present() {
			continue
		}
		n++
		if e.Value < 0.05 {
			above++
		}
		least = min(least, e.Value)
	}
	if n == 0 {
		return lawFit{}
	}
	part := 0.05 / float64(n)
	return lawFit{digits.Count(int64(n)), digits.Count(int64(above)), digits.Decimals(float64(least), 3), float64(least) >= part, digits.Decimals(part, 3)}
}

// exactLaw holds the distance of the default law's scores to their exact law, which is
// known where a distance is.
func exactLaw(s *view.Source) view.Table {
	f := rows.Variance(names.ExactKS).With(names.ParamLaw, s.Law)
	t := view.Table{
		Caption: "Kolmogorov distance of the scores to their exact law, times √N, for " + view.LawHead(s.Law) + "; what it exceeds once in twenty times if they have that law; and the chance of one as large.",
		Head:    []string{names.ParamDimension, "pairs N", "√N·D_N", "95 % limit", "p-value"},
	}
	for _, e := range s.Estimates(f) {
		d, _ := e.Params.Number(names.ParamDimension)
		limit, _ := rows.One(s.Doc, rows.Variance(names.ExactKSLimit).With(names.ParamLaw, s.Law).With(names.ParamDimension, d))
		p, ok := rows.One(s.Doc, rows.Variance(names.ExactKSP).With(names.ParamLaw, s.Law).With(names.ParamDimension, d))
		if ok && e.Value.Present() {
			t.Rows = append(t.Rows, []string{digits.Short(d), digits.Count(e.N), digits.Decimals(float64(e.Value), 3), digits.Decimals(float64(limit.Value), 3), digits.Decimals(float64(p.Value), 3)})
		}
	}
	return t
}

// defaultDistance is the signed difference of the default law from a normal one, at the
// place where theory has it greatest, beside their distance by the exact law.
func defaultDistance(s *view.Source) view.Table {
	es := s.Estimates(rows.Variance(names.NormalDifference).With(names.ParamLaw, s.Law))
	t := view.Table{
		Caption: "Signed difference F − Φ at x* of the standardised score from the normal law, for " + view.LawHead(s.Law) + ", beside the Kolmogorov distance D by theory, which is its expected value. A measured difference can lie below 0; a distance cannot.",
		Head:    []string{names.ParamDimension, "pairs", "F − Φ at x*", view.Level(es) + " interval", "D by theory"},
	}
	for _, e := range es {
		t.Rows = append(t.Rows, []string{view.NumberIn(e.Params, names.ParamDimension), digits.Count(e.N), view.Measured(e), view.Interval(e), digits.Beside(float64(e.Theory), float64(e.SE))})
	}
	return t
}

// distances compares the laws, where there is more than one.
func distances(s *view.Source) view.Table {
	f := rows.Variance(names.NormalDifference)
	if len(rows.Names(s.Estimates(f), names.ParamLaw)) < 2 {
		return view.Table{}
	}
	return s.ByLaw(f, nil, "Signed difference F − Φ at x* of the standardised score from the normal law, for each law.")
}

// defaultVariance holds the variance of the default law in full.
func defaultVariance(s *view.Source) view.Table {
	f := rows.Variance(names.ScoreVariance).With(names.ParamLaw, s.Law)
	es := s.Estimates(f)
	t := view.Table{
		Caption: "Var(q·k) for " + view.LawHead(s.Law) + ", with standard errors.",
		Head:    []string{names.ParamDimension, "scores", "Var(q·k)", view.Level(es) + " interval", "theory"},
	}
	for _, l := range s.Lines(f) {
		if e, ok := rows.One(s.Doc, l.At(f)); ok {
			t.Rows = append(t.Rows, []string{l.Name, view.Scores(e), view.Measured(e), view.Interval(e), view.Short(e.Theory)})
		}
	}
	return t
}
