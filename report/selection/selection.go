// Package selection selects estimates, curves and gates from a result document.
// It computes no statistics. It returns the numbers of the document, or the same
// numbers in another unit, such as their ratios to theory.
package selection

import (
	"cmp"
	"maps"
	"slices"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Filter selects estimates of one quantity.
type Filter struct {
	Experiment string
	Quantity   string
	Required   []string      // parameters that an estimate must have
	Excluded   []string      // parameters that an estimate must not have
	Fixed      result.Params // parameters with the values that they must have
}

// NewFilter returns a filter for the estimates of a quantity of an experiment that have the given
// parameters.
func NewFilter(experiment, quantity string, requiredParams ...string) Filter {
	return Filter{Experiment: experiment, Quantity: quantity, Required: requiredParams}
}

// Require returns f for estimates that also have the given parameters.
func (f Filter) Require(params ...string) Filter {
	f.Required = slices.Concat(f.Required, params)
	return f
}

// FixAll returns f for estimates with the given values of the given parameters.
func (f Filter) FixAll(fixed result.Params) Filter {
	for name, value := range fixed {
		f = f.Fix(name, value)
	}
	return f
}

// Fix returns f for estimates with the given value of a parameter, which replaces another value
// in f.
func (f Filter) Fix(name string, value any) Filter {
	fixed := result.Params{}
	maps.Copy(fixed, f.Fixed)
	fixed[name] = value
	f.Fixed = fixed
	return f
}

// matches reports whether f selects an estimate, curve or gate.
func (f Filter) matches(experiment, quantity string, p result.Params) bool {
	return experiment == f.Experiment && quantity == f.Quantity && f.Fixed.Within(p) && f.matchesParams(p)
}

// matchesParams reports whether p has the required parameters and none of the excluded ones.
func (f Filter) matchesParams(p result.Params) bool {
	has := func(name string) bool { _, ok := p[name]; return ok }
	return !slices.ContainsFunc(f.Required, func(n string) bool { return !has(n) }) &&
		!slices.ContainsFunc(f.Excluded, has)
}

// Estimates returns the estimates that f selects and that have a value, in the order of the
// document.
func Estimates(doc *result.Document, f Filter) (found []result.Estimate) {
	for e := range doc.Rows(f.Experiment, f.Quantity, f.Fixed) {
		if f.matchesParams(e.Params) && e.Value.Present() {
			found = append(found, *e)
		}
	}
	return found
}

// FindEstimate returns one of the estimates that f selects. It prefers the reference, which is the
// first without a parameter for its estimator, and otherwise returns the first. ok is false if f
// selects none.
func FindEstimate(doc *result.Document, f Filter) (_ result.Estimate, ok bool) {
	estimates := Estimates(doc, f)
	if len(estimates) == 0 {
		return result.Estimate{}, false
	}
	isReference := func(e result.Estimate) bool { return e.Params[names.ParamEstimator] == nil }
	return estimates[max(0, slices.IndexFunc(estimates, isReference))], true
}

// Curves returns the curves of the document over the given axis that f selects. A curve shows
// theory, or numbers of single sampled attention rows.
func Curves(doc *result.Document, f Filter, axis string) (found []result.Curve) {
	for _, c := range doc.Curves {
		if c.Axis == axis && f.matches(c.Experiment, c.Quantity, c.Params) {
			found = append(found, c)
		}
	}
	return found
}

// CellOfCurve returns the cell with the distribution, d_k and keys of a curve of single attention
// rows, or "" if the document has no estimate of the cell.
func CellOfCurve(doc *result.Document, curve result.Curve) string {
	fixed := result.Params{}
	for _, name := range []string{names.ParamDistribution, names.ParamDimension, names.ParamKeys} {
		if v, ok := curve.Params[name]; ok {
			fixed[name] = v
		}
	}
	for e := range doc.Rows(curve.Experiment, names.RelativeTrace, fixed) {
		return e.Cell
	}
	return ""
}

// JudgedEstimate returns the estimate that a gate judges; ok is false if the document does not
// have it.
func JudgedEstimate(doc *result.Document, g result.Gate) (_ result.Estimate, ok bool) {
	for e := range doc.Rows(g.Experiment, g.Quantity, g.Params) {
		if e.Cell == g.Cell && len(e.Params) == len(g.Params) {
			return *e, true
		}
	}
	return result.Estimate{}, false
}

// GateEstimate returns the estimate that a gate judges, with the gate's own value, standard error
// and interval. The gate compares this interval with its band. The interval has no confidence
// level.
func GateEstimate(doc *result.Document, g result.Gate) result.Estimate {
	e, ok := JudgedEstimate(doc, g)
	if !ok {
		e = result.Estimate{
			Experiment: g.Experiment, Cell: g.Cell, Params: g.Params, Quantity: g.Quantity,
			Theory: result.Absent(), TheoryKind: names.TheoryNone,
		}
	}
	e.Value, e.SE, e.Lo, e.Hi, e.Level = g.Value, g.SE, g.Lo, g.Hi, result.Absent()
	return e
}

// NumericValues returns the distinct values of a numeric parameter in ascending order.
func NumericValues(es []result.Estimate, name string) []float64 {
	found := map[float64]bool{}
	for _, e := range es {
		if x, ok := e.Params.Number(name); ok {
			found[x] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// ParamValues returns the distinct values of a parameter: first the numbers in ascending order,
// and then the strings in the order of the estimates.
func ParamValues(es []result.Estimate, name string) (found []any) {
	for _, x := range NumericValues(es, name) {
		found = append(found, x)
	}
	for _, e := range es {
		if s, ok := e.Params.Text(name); ok && !slices.Contains(found, any(s)) {
			found = append(found, s)
		}
	}
	return found
}

// HasUnknownError reports whether an estimate has neither a standard error nor an interval.
func HasUnknownError(e result.Estimate) bool {
	return !e.SE.Present() && !(e.Lo.Present() && e.Hi.Present())
}

// HasOnlyInterval reports whether an estimate has an interval, which may be open above, and no
// standard error.
func HasOnlyInterval(e result.Estimate) bool {
	return !e.SE.Present() && e.Lo.Present() && e.Level.Present()
}

// divideBy returns an estimate with its numbers divided by a unit; ok is false if the unit is not
// positive.
func divideBy(e result.Estimate, unit result.Number) (_ result.Estimate, ok bool) {
	for _, x := range []*result.Number{&e.Value, &e.SE, &e.Lo, &e.Hi, &e.Theory, &e.Resolution} {
		*x /= unit
	}
	return e, unit > 0
}

// DivideByTheory returns an estimate with its numbers divided by its theory; ok is false if the
// theory is not positive.
func DivideByTheory(e result.Estimate) (_ result.Estimate, ok bool) { return divideBy(e, e.Theory) }

// DivideByDimension returns an estimate with its numbers divided by its d_k; ok is false if it does
// not have a d_k.
func DivideByDimension(e result.Estimate) (_ result.Estimate, ok bool) {
	dimension, _ := e.Params.Number(names.ParamDimension)
	return divideBy(e, result.Number(dimension))
}

// FixMainDistribution returns a function that chooses values as FixMostCommon does, among the
// estimates of one distribution, which it also fixes: normal if an estimate has it, or otherwise
// the first.
func FixMainDistribution(f Filter, axis string, params ...string) func(*result.Document) result.Params {
	return func(doc *result.Document) result.Params {
		distribution := mainDistribution(Estimates(doc, f))
		fixed := FixMostCommon(f.Fix(names.ParamDistribution, distribution), axis, params...)(doc)
		fixed[names.ParamDistribution] = distribution
		return fixed
	}
}

// FixMostCommon returns a function that chooses values of the given parameters, at most three.
// Among the estimates that f selects, those with the chosen values have the most different values
// of the parameter axis. Of several equal combinations, the function chooses the first.
func FixMostCommon(f Filter, axis string, params ...string) func(*result.Document) result.Params {
	type values [3]any
	valuesOf := func(e result.Estimate) (v values) {
		for i, name := range params {
			v[i] = e.Params[name]
		}
		return v
	}
	return func(doc *result.Document) result.Params {
		estimates := Estimates(doc, f)
		axisValues := map[values]map[any]bool{}
		for _, e := range estimates {
			v := valuesOf(e)
			if axisValues[v] == nil {
				axisValues[v] = map[any]bool{}
			}
			axisValues[v][e.Params[axis]] = true
		}
		var best values
		for _, e := range estimates {
			if v := valuesOf(e); len(axisValues[v]) > len(axisValues[best]) {
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

// mainDistribution returns normal if an estimate has it, or otherwise the first distribution.
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
