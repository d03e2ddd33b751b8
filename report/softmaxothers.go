package report

import (
	"maps"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// sharedColumns are what is compared between rows with keys of their own and
// rows that share them.
var sharedColumns = []softmaxMean{{"max_weight", "E max α"}, {"entropy_ratio", "E H / ln n"}, {"gradient_survival", "mean R"}, {"gradient_survival_q50", "median R"}}

// sharedKeys compares queries that share their keys with queries that have
// keys of their own.
func (s *source) sharedKeys() table {
	t := table{
		Caption: "The same means where the queries of a matrix share their keys, as in self-attention, and where each query has its own. " +
			"The errors of shared keys come from whole matrices." + conciseNote,
		Head: []string{"quantity", "d_k", "keys", "p", "keys of its own", "shared keys", "theory"},
	}
	for _, c := range sharedColumns {
		f := rows.Filter{Experiment: "softmax", Quantity: c.quantity, Has: []string{"exponent"}}.With("shared_keys", "yes")
		for _, e := range s.estimates(f) {
			p, ok := e.Params.Number("exponent")
			if !ok {
				continue
			}
			t.Rows = append(t.Rows, []string{c.head, numberOf(e.Params, "d_k"), numberOf(e.Params, "keys"), digits.Fraction(p),
				s.cell(rows.Softmax(c.quantity).Within(alone(e.Params))), concise(e), digits.Beside(float64(e.Theory), float64(e.SE))})
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
func (s *source) softmaxLaws() table {
	f := rows.Softmax("max_weight")
	f.Has = []string{"exponent", "law", "d_k", "keys"}
	at := s.commonest(f)
	laws := rows.Names(s.estimates(f.Within(at)), "law")
	if len(laws) < 2 {
		return table{}
	}
	exponents := rows.Numbers(s.estimates(f.Within(at).With("law", laws[len(laws)-1])), "exponent")
	t := table{
		Caption: "Largest weight on average and R of the median row for other laws of the components, at d_k" + is + numberOf(at, "d_k") +
			" with " + numberOf(at, "keys") + " keys." + conciseNote,
		Head: []string{"law"},
	}
	for _, p := range exponents {
		t.Head = append(t.Head, "E max α, p"+is+digits.Fraction(p), "median R, p"+is+digits.Fraction(p))
	}
	for _, law := range laws {
		line := []string{escape(law)}
		for _, p := range exponents {
			cell := func(q string) string {
				return s.cell(rows.Softmax(q).Within(at).With("law", law).With("exponent", p))
			}
			line = append(line, cell("max_weight"), cell("gradient_survival_q50"))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// commonest is the d_k and the number of keys at which the most laws were
// drawn, the first of equals.
func (s *source) commonest(f rows.Filter) result.Params {
	most, best := 0, result.Params{}
	for _, e := range s.estimates(f) {
		at := result.Params{"d_k": e.Params["d_k"], "keys": e.Params["keys"]}
		if n := len(rows.Names(s.estimates(f.Within(at)), "law")); n > most {
			most, best = n, at
		}
	}
	return best
}
