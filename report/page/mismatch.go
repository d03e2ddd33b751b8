package page

import (
	"strings"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/result"
)

// componentParams are what the components of queries and keys may have, in the
// order in which a table names them.
var componentParams = []struct{ param, sign string }{
	{"q_mean", "mean of q"}, {"k_mean", "mean of k"}, {"q_sd", "σ of q"}, {"k_sd", "σ of k"},
	{"q_correlation", "correlation in q"}, {"k_correlation", "correlation in k"},
}

// mismatched holds the variance of scores whose components do not have mean 0
// and variance 1, or are not independent.
func mismatched(s *view.Source) view.Table {
	t := view.Table{
		Caption: "Variance of q·k where the components do not have mean 0 and variance 1 or are not independent, what dividing by √d_k leaves of it, and what differs between two keys of one query, which is all that softmax sees, over d_k." + view.ConciseNote,
		Head:    []string{"components", "d_k", "Var(q·k)", "theory", "difference", "over d_k", "theory", "between keys, over d_k", "theory"},
	}
	for _, e := range s.Estimates(rows.Filter{Experiment: "mismatch", Quantity: "score_variance"}) {
		at := func(q string) result.Estimate { return besides(s, e, q) }
		d, _ := e.Params.Number("d_k")
		line := append([]string{components(e.Params), digits.Short(d)}, view.RowWithTheory(e)...)
		line = append(line, view.RowWithTheory(at("scaled_variance"))[:2]...)
		t.Rows = append(t.Rows, append(line, view.RowWithTheory(inUnits(at("key_variance"), d))[:2]...))
	}
	return t
}

// components writes how the components differ from independent ones of mean 0
// and variance 1.
func components(p result.Params) string {
	var parts []string
	for _, c := range componentParams {
		if x, ok := p.Number(c.param); ok {
			parts = append(parts, c.sign+view.Equals+digits.Fraction(x))
		}
	}
	if len(parts) == 0 {
		return "as usual"
	}
	return strings.Join(parts, ", ")
}

// besides is the row of another quantity of the same cell.
func besides(s *view.Source, e result.Estimate, quantity string) result.Estimate {
	for _, o := range s.Doc.Estimates {
		if o.Experiment == e.Experiment && o.Cell == e.Cell && o.Quantity == quantity {
			return o
		}
	}
	none := result.Absent()
	return result.Estimate{Value: none, SE: none, Lo: none, Hi: none, Theory: none}
}

// inUnits returns a row over a number.
func inUnits(e result.Estimate, of float64) result.Estimate {
	unit := result.Number(of)
	e.Value, e.SE, e.Lo, e.Hi, e.Theory = e.Value/unit, e.SE/unit, e.Lo/unit, e.Hi/unit, e.Theory/unit
	return e
}
