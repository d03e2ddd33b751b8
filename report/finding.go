package report

import (
	"fmt"
	"slices"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// point is a measured number and the dimension at which it stands.
type point struct {
	Dim, Value string
	Last       bool // of several
}

// along picks a few rows of one law over the dimensions: those at 2, 64 and
// the largest, as far as there are.
func (s *source) along(f rows.Filter) []point {
	f = f.With("law", s.law)
	dims := rows.Numbers(s.estimates(f), "d_k")
	if len(dims) == 0 {
		return nil
	}
	var out []point
	for _, d := range distinctNumbers(2, 64, dims[len(dims)-1]) {
		if e, ok := rows.One(s.doc, f.With("d_k", d)); ok {
			out = append(out, point{Dim: short(result.Number(d)), Value: measured(e)})
		}
	}
	if n := len(out); n > 1 {
		out[n-1].Last = true
	}
	return out
}

func distinctNumbers(xs ...float64) []float64 {
	slices.Sort(xs)
	return slices.Compact(xs)
}

// gatesOn says in a sentence how the gates on a quantity came out, which it
// calls by the given name.
func (s *source) gatesOn(experiment, quantity, name string) string {
	t := count(s.gatesAmong(experiment, quantity))
	switch {
	case t.gates == 0:
		return ""
	case t.clean() && t.gates == 1:
		return fmt.Sprintf("The one gate on %s passes.", name)
	case t.clean():
		return fmt.Sprintf("All %s gates on %s pass.", digits.Count(int64(t.gates)), name)
	}
	return t.sentence()
}

// gatesAmong returns the gates on quantities of an experiment.
func (s *source) gatesAmong(experiment string, quantities ...string) []result.Gate {
	var gates []result.Gate
	for _, g := range s.doc.Gates {
		if g.Experiment == experiment && slices.Contains(quantities, g.Quantity) {
			gates = append(gates, g)
		}
	}
	return gates
}
