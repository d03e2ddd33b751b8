package view

import (
	"fmt"
	"slices"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Point is a measured number and the dimension at which it stands.
type Point struct {
	Dim, Value string
	Last       bool // of several
}

// AtDimensions picks a few rows of one law over the dimensions: those at 2, 64 and
// the largest, as far as there are.
func (s *Source) AtDimensions(f rows.Filter) []Point {
	f = f.With(names.ParamLaw, s.Law)
	return s.PointsAt(f, 2, 64, rows.Largest(s.Estimates(f), names.ParamDimension))
}

// PointsAt picks the rows at dimensions, each once, in ascending order.
func (s *Source) PointsAt(f rows.Filter, dims ...float64) (out []Point) {
	slices.Sort(dims)
	for _, d := range slices.Compact(dims) {
		if e, ok := rows.One(s.Doc, f.With(names.ParamDimension, d)); ok {
			out = append(out, Point{Dim: Short(result.Number(d)), Value: Said(e)})
		}
	}
	if n := len(out); n > 1 {
		out[n-1].Last = true
	}
	return out
}

// GatesOn says in a sentence how the gates on a quantity came out, which it
// calls by the given name.
func (s *Source) GatesOn(experiment, quantity, name string) string {
	t := Count(s.GatesAmong(experiment, quantity))
	switch {
	case t.Gates == 0:
		return ""
	case t.Clean():
		return Passing(t.Gates, name)
	}
	return t.Sentence()
}

// Passing says that all of so many gates on something pass.
func Passing(n int, name string) string {
	return fmt.Sprintf("%s on %s %s.", digits.All(n, "gate", "gates"), name, digits.Form(n, "passes", "pass"))
}

// GatesAmong returns the gates on quantities of an experiment.
func (s *Source) GatesAmong(experiment string, quantities ...string) []result.Gate {
	var gates []result.Gate
	for _, g := range s.Doc.Gates {
		if g.Experiment == experiment && slices.Contains(quantities, g.Quantity) {
			gates = append(gates, g)
		}
	}
	return gates
}
