package page

import (
	"strings"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// componentParams are what the components of queries and keys may have, in the
// order in which a table names them.
var componentParams = []struct{ param, sign string }{
	{names.ParamQueryMean, "mean of q"}, {names.ParamKeyMean, "mean of k"}, {names.ParamQuerySD, "σ of q"}, {names.ParamKeySD, "σ of k"},
	{names.ParamQueryCorrelation, "correlation in q"}, {names.ParamKeyCorrelation, "correlation in k"},
}

// mismatched holds the variance of scores whose components do not have mean 0
// and variance 1, or are not independent.
func mismatched(s *view.Source) view.Table {
	t := view.Table{
		Caption: "Variance of q·k where the components do not have mean 0 and variance 1 or are not independent, what dividing by √d_k leaves of it, and what differs between two keys of one query, which is all that softmax sees, over d_k.",
		Head:    []string{"components", names.ParamDimension, "Var(q·k)", "theory", "difference", "over d_k", "theory", "between keys, over d_k", "theory"},
	}
	for _, e := range s.Estimates(rows.Filter{Experiment: names.ExperimentMismatch, Quantity: names.ScoreVariance}) {
		at := func(q string) result.Estimate { return besides(s, e, q) }
		d, _ := e.Params.Number(names.ParamDimension)
		line := append([]string{components(e.Params), digits.Short(d)}, view.WithTheory(e)...)
		line = append(line, view.BesideTheory(at(names.ScaledVariance))...)
		t.Rows = append(t.Rows, append(line, view.BesideTheory(inUnits(at(names.KeyVariance), d))...))
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
	for o := range s.Doc.RowsOf(e.Cell) {
		if o.Experiment == e.Experiment && o.Quantity == quantity {
			return *o
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
