// Package rows selects estimates, curves and gates from a result document.
// It computes no statistic: what it returns is what the document holds, or
// the same thing in another unit (as a ratio to its theory).
package rows

import (
	"iter"
	"maps"
	"math"
	"slices"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Filter names the rows of one quantity.
type Filter struct {
	Experiment string
	Quantity   string
	Has        []string      // parameters that a row must have
	Lacks      []string      // parameters that a row must not have
	At         result.Params // parameters that must have these values
}

// Within returns f with more parameters fixed.
func (f Filter) Within(fixed result.Params) Filter {
	for name, value := range fixed {
		f = f.With(name, value)
	}
	return f
}

// With returns f with one more parameter fixed.
func (f Filter) With(name string, value any) Filter {
	at := result.Params{name: value}
	for k, v := range f.At {
		if k != name {
			at[k] = v
		}
	}
	f.At = at
	return f
}

// admits reports whether a row, line or gate is one that f names.
func (f Filter) admits(experiment, quantity string, p result.Params) bool {
	return experiment == f.Experiment && quantity == f.Quantity && f.At.Within(p) && f.shaped(p)
}

// shaped reports whether p has the parameters that f wants and lacks the others.
func (f Filter) shaped(p result.Params) bool {
	has := func(name string) bool { _, ok := p[name]; return ok }
	return !slices.ContainsFunc(f.Has, func(n string) bool { return !has(n) }) &&
		!slices.ContainsFunc(f.Lacks, has)
}

// present yields the rows that f admits and that hold a number, in the order of the
// document.
func present(doc *result.Document, f Filter) iter.Seq[*result.Estimate] {
	return func(yield func(*result.Estimate) bool) {
		for e := range doc.Rows(f.Experiment, f.Quantity, f.At) {
			if f.shaped(e.Params) && e.Value.Present() && !yield(e) {
				return
			}
		}
	}
}

// Estimates returns the rows that f admits and that hold a number, in the
// order of the document.
func Estimates(doc *result.Document, f Filter) []result.Estimate {
	var found []result.Estimate
	for e := range present(doc, f) {
		found = append(found, *e)
	}
	return found
}

// One returns the row that f admits: of several, the first that needs no
// estimator to be named, which is the reference, or else the first.
func One(doc *result.Document, f Filter) (result.Estimate, bool) {
	var first result.Estimate
	found := false
	for e := range present(doc, f) {
		if _, named := e.Params[names.ParamEstimator]; !named {
			return *e, true
		}
		if !found {
			first, found = *e, true
		}
	}
	return first, found
}

// Curves returns the lines, of theory or through what was drawn, that f admits.
func Curves(doc *result.Document, f Filter, axis string) (found []result.Curve) {
	for _, c := range doc.Curves {
		if c.Axis == axis && f.admits(c.Experiment, c.Quantity, c.Params) {
			found = append(found, c)
		}
	}
	return found
}

// CellOf is the cell that a line through what was drawn is of, empty if the document has
// no row of it: the one whose rows have the line's point at the drawn axes, which all of
// them have.
func CellOf(doc *result.Document, line result.Curve) string {
	at := result.Params{}
	for _, name := range []string{names.ParamLaw, names.ParamDimension, names.ParamKeys} {
		if v, ok := line.Params[name]; ok {
			at[name] = v
		}
	}
	for e := range doc.Rows(line.Experiment, names.GradientSurvival, at) {
		return e.Cell
	}
	return ""
}

// Gates returns the gates that f admits.
func Gates(doc *result.Document, f Filter) []result.Gate {
	var found []result.Gate
	for _, g := range doc.Gates {
		if f.admits(g.Experiment, g.Quantity, g.Params) {
			found = append(found, g)
		}
	}
	return found
}

// Judged returns the row that a gate judges.
func Judged(doc *result.Document, g result.Gate) (result.Estimate, bool) {
	for e := range doc.Rows(g.Experiment, g.Quantity, g.Params) {
		if e.Cell == g.Cell && len(e.Params) == len(g.Params) {
			return *e, true
		}
	}
	return result.Estimate{}, false
}

// OfGate is the row that a gate judges, with the value, the error and the interval that it
// holds against its band, which has no level of confidence of its own.
func OfGate(doc *result.Document, g result.Gate) result.Estimate {
	e, ok := Judged(doc, g)
	if !ok {
		e = result.Estimate{Experiment: g.Experiment, Cell: g.Cell, Params: g.Params, Quantity: g.Quantity, Theory: result.Absent(), TheoryKind: names.TheoryNone}
	}
	e.Value, e.SE, e.Lo, e.Hi, e.Level = g.Value, g.SE, g.Lo, g.Hi, result.Absent()
	return e
}

// Numbers returns the distinct values of a numeric parameter, ascending.
func Numbers(es []result.Estimate, name string) []float64 {
	found := map[float64]bool{}
	for _, e := range es {
		if x, ok := e.Params.Number(name); ok {
			found[x] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Names returns the distinct values of a named parameter in the order in
// which they appear.
func Names(es []result.Estimate, name string) []string {
	var found []string
	for _, e := range es {
		if s, ok := e.Params.Text(name); ok && !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	return found
}

// Values returns the numbers of a parameter, ascending, and behind them its names.
func Values(es []result.Estimate, name string) (found []any) {
	for _, x := range Numbers(es, name) {
		found = append(found, x)
	}
	for _, s := range Names(es, name) {
		found = append(found, s)
	}
	return found
}

// DefaultLaw returns the law that stands for all where one must be chosen:
// normal, or else the first that the document has.
func DefaultLaw(doc *result.Document) string { return defaultAmong(doc.Estimates) }

// ErrorUnknown reports whether nothing is known of a row's error: neither a
// standard error nor an interval.
func ErrorUnknown(e result.Estimate) bool {
	return !e.SE.Present() && !(e.Lo.Present() && e.Hi.Present())
}

// OnlyBounded reports whether a row has an interval and no standard error.
func OnlyBounded(e result.Estimate) bool {
	return !e.SE.Present() && e.Lo.Present() && e.Hi.Present()
}

// OverTheory returns the row in units of its theory, whose own theory is
// then 1. ok is false where the theory is absent or zero.
func OverTheory(e result.Estimate) (_ result.Estimate, ok bool) {
	t := e.Theory
	if !t.Present() || t == 0 {
		return e, false
	}
	e.Value, e.SE, e.Theory = e.Value/t, result.Number(math.Abs(float64(e.SE/t))), 1
	e.Lo, e.Hi = e.Lo/t, e.Hi/t
	if t < 0 {
		e.Lo, e.Hi = e.Hi, e.Lo
	}
	return e, true
}

// OverDimension returns the row in units of its d_k.
func OverDimension(e result.Estimate) (_ result.Estimate, ok bool) {
	d, ok := e.Params.Number(names.ParamDimension)
	if !ok || d <= 0 {
		return e, false
	}
	unit := result.Number(d)
	e.Value, e.SE, e.Lo, e.Hi, e.Theory = e.Value/unit, e.SE/unit, e.Lo/unit, e.Hi/unit, e.Theory/unit
	return e, true
}
