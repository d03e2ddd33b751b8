package plan

import (
	"errors"
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/base/markup"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/statistics/gate"
)

// entry reads one experiment with its grid. Its tolerance and rates default to the plan's.
func (r *planReader) entry(p *Plan, n ast.Node, path string) (Entry, error) {
	e := Entry{Tolerance: p.Tolerance, Gated: true, Values: map[string][]experiment.AxisValue{}}
	which, err := r.which(n, path)
	if err != nil {
		return e, err
	}
	e.Experiment = which
	own := gate.Rates{Alpha: p.Alpha, Beta: p.Beta}
	r.places = map[axisValue]position{}
	seen, err := r.ReadMapping(n, path, r.entryFields(&e, &own))
	if err != nil {
		return e, err
	}
	if seen["alpha"] != nil || seen["beta"] != nil {
		e.Rates = &own
	}
	if seen["samples"] != nil && seen["rel_se"] != nil {
		return e, r.NewError(seen["rel_se"], markup.JoinPath(path, "rel_se"), errors.New("samples and rel_se exclude each other"))
	}
	if err := r.change.set(&e); err != nil {
		return e, err
	}
	if err := e.defaults(); err != nil {
		return e, r.NewError(n, path, err)
	}
	return e, nil
}

// entryFields returns the keys of an entry. An experiment that samples nothing refuses the keys
// that say how to sample.
func (r *planReader) entryFields(e *Entry, own *gate.Rates) []markup.Field {
	x := e.Experiment
	is := func() map[string]any { return map[string]any{"const": x.Name} }
	headline := ""
	if x.Sampler != nil {
		headline = x.Sampler.Headline
	}
	fields := []markup.Field{
		{Key: "experiment", Read: markup.KeepNode(new(ast.Node)), Schema: is},
		r.number("tolerance", "in place of the plan's", &e.Tolerance, tolerances),
		r.number("alpha", "in place of a share of the plan's", &own.Alpha, rates),
		r.number("beta", "in place of the plan's", &own.Beta, rates),
		{Key: "gate", Doc: "false: measure, but do not judge", Read: r.boolean(&e.Gated), Schema: booleanSchema},
		integer(r, "samples", "units of each cell, in place of what the rates ask for; rounded up to blocks",
			&e.Samples, 1, MaxSamples),
		r.number("rel_se", "wanted relative standard error of "+headline+", in place of samples", &e.RelativeSE,
			relativeErrors),
	}
	for i := range x.Axes {
		fields = append(fields, r.axis(x, &x.Axes[i], e.Values))
	}
	if x.ReadsFrom == "" {
		return fields
	}
	for i := range fields {
		f := &fields[i]
		if a := x.Axis(f.Key); f.Key == "samples" || f.Key == "rel_se" || a != nil && !a.Shared {
			f.Schema = nil
			f.Read = func(n ast.Node, path string) error {
				return r.NewError(n, path,
					fmt.Errorf("has no meaning here: %s draws nothing, it reads every cell of %s", x.Name, x.ReadsFrom))
			}
		}
	}
	return fields
}

// which reads the entry's experiment, which says what the other keys mean.
func (r *planReader) which(n ast.Node, path string) (*experiment.Experiment, error) {
	pairs, err := r.Pairs(n, path)
	if err != nil {
		return nil, err
	}
	for _, pair := range pairs {
		if pair.Key.GetToken().Value != "experiment" {
			continue
		}
		path := markup.JoinPath(path, "experiment")
		var e *experiment.Experiment
		err := reader(r, &e, all.Lookup)(pair.Value, path)
		return e, err
	}
	return nil, r.NewError(n, path, errors.New("lacks the key experiment"))
}

// axis returns the key of an axis, whose value is one value or a list.
func (r *planReader) axis(x *experiment.Experiment, a *experiment.Axis,
	into map[string][]experiment.AxisValue) markup.Field {
	read := func(n ast.Node, path string) error {
		return r.ReadOneOrList(n, path, markup.MaxSize, func(n ast.Node, path string) error { return r.value(a, n, path, into) })
	}
	return markup.Field{Key: a.Name, Read: read,
		Schema: func() map[string]any { return axisSchema(a, x.CartesianScalings) }}
}

// value reads one value of an axis, or a range.
func (r *planReader) value(a *experiment.Axis, n ast.Node, path string, into map[string][]experiment.AxisValue) error {
	return r.ScalarReader(func(text string) error {
		values, err := a.ParseAll(text)
		if err != nil {
			return err
		}
		for _, v := range values {
			if first, ok := r.places[axisValue{a.Name, v}]; ok {
				return fmt.Errorf("%v stands here a second time, first in %s", v, first.path)
			}
			r.places[axisValue{a.Name, v}] = position{n, path}
			into[a.Name] = append(into[a.Name], v)
		}
		return nil
	})(n, path)
}
