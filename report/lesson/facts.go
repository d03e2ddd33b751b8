package lesson

import (
	"slices"

	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// facts are the measured numbers of one answer.
type facts struct {
	src   *view.Source
	shown []result.Estimate
}

// say writes the row that f admits with its error, or nothing.
func (a *facts) say(f rows.Filter) string {
	e, ok := rows.One(a.src.Doc, f)
	if !ok {
		return ""
	}
	a.shown = append(a.shown, e)
	return view.Measured(e)
}

// doubt says what keeps the numbers from bearing the answer out: gates on them that do not
// pass, or a number that contradicts its theory. It is empty where nothing does, and where
// there is neither a gate nor a theory to ask.
func (a *facts) doubt() string {
	var judged []string
	var known []result.Estimate
	for _, e := range a.shown {
		if slices.ContainsFunc(a.src.Doc.Gates, func(g result.Gate) bool { return g.Quantity == e.Quantity }) {
			judged = append(judged, e.Quantity)
		}
		if e.Theory.Present() {
			known = append(known, e)
		}
	}
	support := a.src.Support(known, judged...)
	if support.Firm || len(judged) == 0 && !slices.ContainsFunc(known, rows.Strays) {
		return ""
	}
	return support.Text
}

// variance names rows of the variance of a score, for the law that stands for all.
func variance(s *view.Source, dim float64) rows.Filter {
	return rows.Variance(names.ScoreVariance).With(names.ParamLaw, s.Law).With(names.ParamDimension, dim)
}

// scaled names rows of what a scale leaves of the variance, for that law.
func scaled(s *view.Source) rows.Filter {
	return rows.Filter{Experiment: names.ExperimentExponents, Quantity: names.ScaledVariance}.With(names.ParamLaw, s.Law)
}
