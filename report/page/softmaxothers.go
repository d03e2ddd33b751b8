package page

import (
	"maps"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/result"
)

// sharedColumns are what is compared between rows with keys of their own and
// rows that share them.
var sharedColumns = []softmaxMean{{"max_weight", "E max α"}, {"entropy_ratio", "E H / ln n"}, {"gradient_survival", "mean R"}, {"gradient_survival_q50", "median R"}}

// sharedKeys compares queries that share their keys with queries that have
// keys of their own.
func sharedKeys(s *view.Source) view.Table {
	t := view.Table{
		Caption: "The same means where the queries of a matrix share their keys, as in self-attention, and where each query has its own. " +
			"The errors of shared keys come from whole matrices." + view.ConciseNote,
		Head: []string{"quantity", "d_k", "keys", "p", "keys of its own", "shared keys", "theory"},
	}
	for _, c := range sharedColumns {
		f := rows.Filter{Experiment: "softmax", Quantity: c.quantity, Has: []string{"exponent"}}.With("shared_keys", "yes")
		for _, e := range s.Estimates(f) {
			p, ok := e.Params.Number("exponent")
			if !ok {
				continue
			}
			t.Rows = append(t.Rows, []string{c.head, view.NumberIn(e.Params, "d_k"), view.NumberIn(e.Params, "keys"), digits.Fraction(p),
				s.Cell(rows.Softmax(c.quantity).Within(alone(e.Params))), view.Concise(e), digits.Beside(float64(e.Theory), float64(e.SE))})
		}
	}
	return t
}

// alone are the parameters of the same rows with keys of their own.
func alone(shared result.Params) result.Params {
	out := maps.Clone(shared)
	delete(out, "shared_keys")
	return out
}

// softmaxLaws compares the laws of the components where several were drawn at
// one d_k and number of keys.
func softmaxLaws(s *view.Source) view.Table {
	f := rows.Softmax("max_weight")
	f.Has = []string{"exponent", "law", "d_k", "keys"}
	at := commonest(s, f)
	laws := rows.Names(s.Estimates(f.Within(at)), "law")
	if len(laws) < 2 {
		return view.Table{}
	}
	exponents := rows.Numbers(s.Estimates(f.Within(at).With("law", laws[len(laws)-1])), "exponent")
	t := view.Table{
		Caption: "Largest weight on average and R of the median row for other laws of the components, at d_k" + view.Equals + view.NumberIn(at, "d_k") +
			" with " + view.NumberIn(at, "keys") + " keys." + view.ConciseNote,
		Head: []string{"law"},
	}
	for _, p := range exponents {
		t.Head = append(t.Head, "E max α, p"+view.Equals+digits.Fraction(p), "median R, p"+view.Equals+digits.Fraction(p))
	}
	for _, law := range laws {
		line := []string{markdown.Escape(law)}
		for _, p := range exponents {
			cell := func(q string) string {
				return s.Cell(rows.Softmax(q).Within(at).With("law", law).With("exponent", p))
			}
			line = append(line, cell("max_weight"), cell("gradient_survival_q50"))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// commonest is the d_k and the number of keys at which the most laws were
// drawn, the first of equals.
func commonest(s *view.Source, f rows.Filter) result.Params {
	most, best := 0, result.Params{}
	for _, e := range s.Estimates(f) {
		at := result.Params{"d_k": e.Params["d_k"], "keys": e.Params["keys"]}
		if n := len(rows.Names(s.Estimates(f.Within(at)), "law")); n > most {
			most, best = n, at
		}
	}
	return best
}
