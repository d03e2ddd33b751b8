// Package selection selects estimates, curves and gates from a result document.
// It computes no statistic: what it returns is what the document holds, or
// the same thing in another unit (as a ratio to its theory).
package selection

import (
	"cmp"
	"maps"
	"slices"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Filter selects rows of one quantity.
type Filter struct {
	Experiment string
	Quantity   string
	Has        []string      // parameters that a row must have
	Lacks      []string      // parameters that a row must not have
	At         result.Params // parameters that must have these values
}

// Of selects the rows of a quantity of an experiment that have these parameters.
func Of(experiment, quantity string, has ...string) Filter {
	return Filter{Experiment: experiment, Quantity: quantity, Has: has}
}

// Having returns f for rows that also have these parameters.
func (f Filter) Having(params ...string) Filter {
	f.Has = slices.Concat(f.Has, params)
	return f
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

// admits reports whether f selects a row, line or gate.
func (f Filter) admits(experiment, quantity string, p result.Params) bool {
	return experiment == f.Experiment && quantity == f.Quantity && f.At.Within(p) && f.hasShape(p)
}

// hasShape reports whether p has the parameters that f requires and lacks the others.
func (f Filter) hasShape(p result.Params) bool {
	has := func(name string) bool { _, ok := p[name]; return ok }
	return !slices.ContainsFunc(f.Has, func(n string) bool { return !has(n) }) &&
		!slices.ContainsFunc(f.Lacks, has)
}

// Estimates returns the rows that f admits and that hold a number, in the
// order of the document.
func Estimates(doc *result.Document, f Filter) (found []result.Estimate) {
	for e := range doc.Rows(f.Experiment, f.Quantity, f.At) {
		if f.hasShape(e.Params) && e.Value.Present() {
			found = append(found, *e)
		}
	}
	return found
}

// One returns the row that f admits. Of several it returns the first without the name of an
// estimator, which is the reference, or else the first.
func One(doc *result.Document, f Filter) (_ result.Estimate, ok bool) {
	all := Estimates(doc, f)
	if len(all) == 0 {
		return result.Estimate{}, false
	}
	unnamed := func(e result.Estimate) bool { return e.Params[names.ParamEstimator] == nil }
	return all[max(0, slices.IndexFunc(all, unnamed))], true
}

// Curves returns the lines, of theory or through single rows, that f admits.
func Curves(doc *result.Document, f Filter, axis string) (found []result.Curve) {
	for _, c := range doc.Curves {
		if c.Axis == axis && f.admits(c.Experiment, c.Quantity, c.Params) {
			found = append(found, c)
		}
	}
	return found
}

// CellOf returns the cell of a line through single rows, empty if the document has no row of it. The
// rows of the cell have the line's distribution, d_k and keys.
func CellOf(doc *result.Document, line result.Curve) string {
	at := result.Params{}
	for _, name := range []string{names.ParamDistribution, names.ParamDimension, names.ParamKeys} {
		if v, ok := line.Params[name]; ok {
			at[name] = v
		}
	}
	for e := range doc.Rows(line.Experiment, names.RelativeTrace, at) {
		return e.Cell
	}
	return ""
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

// OfGate returns the row that a gate judges, with the value, the error and the interval that the gate
// compares with its band. This interval has no level of confidence.
func OfGate(doc *result.Document, g result.Gate) result.Estimate {
	e, ok := Judged(doc, g)
	if !ok {
		e = result.Estimate{
			Experiment: g.Experiment, Cell: g.Cell, Params: g.Params, Quantity: g.Quantity,
			Theory: result.Absent(), TheoryKind: names.TheoryNone,
		}
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

// Values returns the numbers of a parameter, ascending, and then its names in the order in which they
// appear.
func Values(es []result.Estimate, name string) (found []any) {
	for _, x := range Numbers(es, name) {
		found = append(found, x)
	}
	for _, e := range es {
		if s, ok := e.Params.Text(name); ok && !slices.Contains(found, any(s)) {
			found = append(found, s)
		}
	}
	return found
}

// ErrorUnknown reports whether a row has neither a standard error nor an interval.
func ErrorUnknown(e result.Estimate) bool {
	return !e.SE.Present() && !(e.Lo.Present() && e.Hi.Present())
}

// OnlyBounded reports whether a row has an interval, which may be open above, and no standard
// error.
func OnlyBounded(e result.Estimate) bool {
	return !e.SE.Present() && e.Lo.Present() && e.Level.Present()
}

// over returns the row in another unit; ok is false if the unit is not positive.
func over(e result.Estimate, unit result.Number) (_ result.Estimate, ok bool) {
	for _, x := range []*result.Number{&e.Value, &e.SE, &e.Lo, &e.Hi, &e.Theory, &e.Resolution} {
		*x /= unit
	}
	return e, unit > 0
}

// OverTheory returns the row in units of its theory.
func OverTheory(e result.Estimate) (_ result.Estimate, ok bool) { return over(e, e.Theory) }

// OverDimension returns the row in units of its d_k.
func OverDimension(e result.Estimate) (_ result.Estimate, ok bool) {
	d, _ := e.Params.Number(names.ParamDimension)
	return over(e, result.Number(d))
}

// OneDistribution fixes the distribution (normal, or else the first of the rows) and the named
// parameters: of all their values those with the most values along another one.
func OneDistribution(f Filter, along string, params ...string) func(*result.Document) result.Params {
	return func(doc *result.Document) result.Params {
		distribution := mainDistribution(Estimates(doc, f))
		fixed := Commonest(f.With(names.ParamDistribution, distribution), along, params...)(doc)
		fixed[names.ParamDistribution] = distribution
		return fixed
	}
}

// Commonest fixes the named parameters, at most three, at the values with the most values along
// another one; of equal ones at the first.
func Commonest(f Filter, along string, params ...string) func(*result.Document) result.Params {
	type values [3]any
	of := func(e result.Estimate) (v values) {
		for i, name := range params {
			v[i] = e.Params[name]
		}
		return v
	}
	return func(doc *result.Document) result.Params {
		es := Estimates(doc, f)
		met := map[values]map[any]bool{}
		for _, e := range es {
			if met[of(e)] == nil {
				met[of(e)] = map[any]bool{}
			}
			met[of(e)][e.Params[along]] = true
		}
		var best values
		for _, e := range es {
			if v := of(e); len(met[v]) > len(met[best]) {
				best = v
			}
		}
		fixed := result.Params{}
		for i, name := range params {
			fixed[name] = best[i]
		}
		return fixed
	}
}

// mainDistribution returns normal if a row has it, or else the first distribution of the rows.
func mainDistribution(es []result.Estimate) string {
	first := ""
	for _, e := range es {
		distribution, _ := e.Params.Text(names.ParamDistribution)
		if distribution == names.DistributionNormal {
			return distribution
		}
		first = cmp.Or(first, distribution)
	}
	return cmp.Or(first, names.DistributionNormal)
}
