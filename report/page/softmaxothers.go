package page

import (
	"maps"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// sharedColumns are what is compared between rows with keys of their own and
// rows that share them.
var sharedColumns = []softmaxMean{{names.MaxWeight, "E max α"}, {names.EntropyRatio, "E H / ln n"}, {names.GradientSurvival, "mean R"}, {names.Quantile(names.GradientSurvival, 0.5), "median R"}}

// sharedKeys compares queries that share their keys with queries that have
// keys of their own.
func sharedKeys(s *view.Source) view.Table {
	t := view.Table{
		Caption: "The same means where the queries of a matrix share their keys, as in self-attention, and where each query has its own. " +
			"The errors of shared keys come from whole matrices.",
		Head: []string{"quantity", names.ParamDimension, "keys", "p", "keys of its own", "shared keys", "theory"},
	}
	for _, c := range sharedColumns {
		f := rows.Filter{Experiment: names.ExperimentSoftmax, Quantity: c.quantity, Has: []string{names.ParamExponent}}.With(names.ParamSharedKeys, names.Yes)
		for _, e := range s.Estimates(f) {
			p, ok := e.Params.Number(names.ParamExponent)
			if !ok {
				continue
			}
			t.Rows = append(t.Rows, []string{c.head, view.NumberIn(e.Params, names.ParamDimension), view.NumberIn(e.Params, names.ParamKeys), digits.Fraction(p),
				s.Cell(rows.Softmax(c.quantity).Within(alone(e.Params))), view.Concise(e), digits.Beside(float64(e.Theory), float64(e.SE))})
		}
	}
	return t
}

// alone are the parameters of the same rows with keys of their own.
func alone(shared result.Params) result.Params {
	out := maps.Clone(shared)
	delete(out, names.ParamSharedKeys)
	return out
}

// lawsCompared is the d_k and the number of keys at which the most laws were drawn.
func lawsCompared(s *view.Source) result.Params {
	f := rows.Softmax(names.MaxWeight)
	f.Has = []string{names.ParamExponent, names.ParamLaw, names.ParamDimension, names.ParamKeys}
	return rows.Commonest(s.Estimates(f), []string{names.ParamDimension, names.ParamKeys}, names.ParamLaw)
}

// softmaxLaws compares the laws of the components where several were drawn at
// one d_k and number of keys.
func softmaxLaws(s *view.Source) view.Table {
	f := rows.Softmax(names.MaxWeight)
	f.Has = []string{names.ParamExponent, names.ParamLaw, names.ParamDimension, names.ParamKeys}
	at := lawsCompared(s)
	laws := rows.Names(s.Estimates(f.Within(at)), names.ParamLaw)
	if len(laws) < 2 {
		return view.Table{}
	}
	var cols []view.Column
	for _, p := range rows.Numbers(s.Estimates(f.Within(at).With(names.ParamLaw, laws[len(laws)-1])), names.ParamExponent) {
		for _, c := range []softmaxMean{{names.MaxWeight, "E max α"}, {names.Quantile(names.GradientSurvival, 0.5), "median R"}} {
			cols = append(cols, view.Column{Heads: []string{c.head + ", p" + view.Equals + digits.Fraction(p)}, Rows: rows.Softmax(c.quantity).Within(at).With(names.ParamExponent, p)})
		}
	}
	return s.Fill(view.Table{
		Caption: "Largest weight on average and R of the median row for other laws of the components, at d_k" + view.Equals + view.NumberIn(at, names.ParamDimension) +
			" with " + view.NumberIn(at, names.ParamKeys) + " keys.",
		Head: []string{"law"},
	}, view.LinesOf(names.ParamLaw, laws, markdown.Escape), cols)
}
