package plan

import (
	"errors"
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/gate"
	"mcsim/sim/markup"
)

// entry reads one experiment with its grid; tolerance and rates are the plan's where it
// does not say its own.
func (r *planReader) entry(p *Plan, n ast.Node, path string) (Entry, error) {
	e := Entry{Tolerance: p.Tolerance, Gated: true, Values: map[string][]experiment.Value{}}
	which, err := r.which(n, path)
	if err != nil {
		return e, err
	}
	e.Experiment = which
	own := gate.Rates{Alpha: p.Alpha, Beta: p.Beta}
	r.places = map[point]place{}
	fields := []markup.Field{
		markup.Key("experiment", func(ast.Node, string) error { return nil }),
		markup.Key("tolerance", r.number(&e.Tolerance, tolerances)),
		markup.Key("alpha", r.number(&own.Alpha, rates)),
		markup.Key("beta", r.number(&own.Beta, rates)),
		markup.Key("gate", r.boolean(&e.Gated)),
	}
	if err := r.drawn(n, path, which); err != nil {
		return e, err
	}
	if which.Of == "" {
		fields = append(fields, markup.Key("samples", r.integer(&e.Samples, 1, MaxSamples)),
			markup.Key("rel_se", r.number(&e.RelativeSE, relativeErrors)))
	}
	for i := range which.Axes {
		a := &which.Axes[i]
		if which.Of == "" || a.Shared {
			fields = append(fields, markup.Key(a.Name, r.axis(a, e.Values)))
		}
	}
	seen, err := r.Mapping(n, path, fields)
	if err != nil {
		return e, err
	}
	if seen["alpha"] != nil || seen["beta"] != nil {
		e.Rates = &own
	}
	if seen["samples"] != nil && seen["rel_se"] != nil {
		return e, r.At(seen["rel_se"], markup.Join(path, "rel_se"), errors.New("samples and rel_se exclude each other"))
	}
	if err := r.change.set(&e); err != nil {
		return e, err
	}
	if err := e.defaults(); err != nil {
		return e, r.At(n, path, err)
	}
	return e, nil
}

// which reads the entry's experiment, before its other keys make sense.
func (r *planReader) which(n ast.Node, path string) (*experiment.Experiment, error) {
	pairs, err := r.Pairs(n, path)
	if err != nil {
		return nil, err
	}
	for _, pair := range pairs {
		if pair.Key.GetToken().Value != "experiment" {
			continue
		}
		path := markup.Join(path, "experiment")
		name, err := r.Scalar(pair.Value, path)
		if err != nil {
			return nil, err
		}
		e, err := all.Lookup(name)
		if err != nil {
			return nil, r.At(pair.Value, path, err)
		}
		return e, nil
	}
	return nil, r.At(n, path, errors.New("lacks the key experiment"))
}

// drawn refuses keys that say how to draw in an entry that draws nothing.
func (r *planReader) drawn(n ast.Node, path string, e *experiment.Experiment) error {
	pairs, err := r.Pairs(n, path)
	if e.Of == "" || err != nil {
		return err
	}
	for _, pair := range pairs {
		key := pair.Key.GetToken().Value
		a := e.Axis(key)
		if key == "samples" || key == "rel_se" || a != nil && !a.Shared {
			return r.At(pair.Key, markup.Join(path, key), fmt.Errorf("has no meaning here: %s draws nothing, it reads every cell of %s", e.Name, e.Of))
		}
	}
	return nil
}

// axis reads the values of an axis: one, or a list.
func (r *planReader) axis(a *experiment.Axis, into map[string][]experiment.Value) func(ast.Node, string) error {
	return func(n ast.Node, path string) error {
		return r.Each(n, path, markup.MaxSize, func(n ast.Node, path string) error { return r.value(a, n, path, into) })
	}
}

// value reads one value of an axis, or a range.
func (r *planReader) value(a *experiment.Axis, n ast.Node, path string, into map[string][]experiment.Value) error {
	text, err := r.Scalar(n, path)
	if err != nil {
		return err
	}
	values, err := a.ParseAll(text)
	if err != nil {
		return r.At(n, path, err)
	}
	for _, v := range values {
		if first, ok := r.places[point{a.Name, v}]; ok {
			return r.At(n, path, fmt.Errorf("%v stands here a second time, first in %s", v, first.path))
		}
		r.places[point{a.Name, v}] = place{n, path}
		into[a.Name] = append(into[a.Name], v)
	}
	return nil
}
