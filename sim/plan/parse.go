package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/gate"
	"mcsim/sim/names"
)

// Parse reads a plan. Every error is an *Error.
func Parse(file string, text []byte) (*Plan, error) {
	r := &planReader{file: file}
	tree, err := r.tree(text)
	if err != nil {
		return nil, err
	}
	return r.plan(tree)
}

// field is one key of a mapping and what reads its value.
type field struct {
	key  string
	read func(ast.Node, string) error
}

// pairs are the keys and values of a mapping.
func (r *planReader) pairs(n ast.Node, path string) ([]*ast.MappingValueNode, error) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, nil
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, nil
	}
	return nil, r.at(n, cmp.Or(path, "plan"), misplaced(n, "keys with values belong"))
}

// mapping reads the keys of a mapping, each known and each once.
func (r *planReader) mapping(n ast.Node, path string, fields []field) (map[string]ast.Node, error) {
	pairs, err := r.pairs(n, path)
	if err != nil {
		return nil, err
	}
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.key
	}
	seen, line := map[string]ast.Node{}, map[string]int{}
	for _, pair := range pairs {
		token := pair.Key.GetToken()
		key := token.Value
		i := slices.Index(known, key)
		switch {
		case len(key) > maxText:
			return nil, r.at(pair.Key, path, fmt.Errorf("a key of %d bytes is not one of a plan's", len(key)))
		case i < 0:
			return nil, r.at(pair.Key, path, names.UnknownError{Kind: "key", Name: key, Names: known})
		case seen[key] != nil:
			return nil, r.at(pair.Key, path, fmt.Errorf("key %q stands here a second time, first on line %d", key, line[key]))
		}
		seen[key], line[key] = pair.Value, token.Position.Line
		if err := fields[i].read(pair.Value, join(path, key)); err != nil {
			return nil, err
		}
	}
	return seen, nil
}

// join is the path of a key under another.
func join(path, key string) string { return strings.TrimPrefix(path+"."+key, ".") }

// Bounds of what a plan may ask for.
const (
	MaxSeed    = 1 << 53 // whole numbers that JSON readers keep
	MaxSamples = 1 << 50
	MaxAttempt = 20
	maxName    = 80 // characters
)

var (
	tolerances     = span{0, 1}
	rates          = span{1e-15, 0.5}
	relativeErrors = span{1e-6, 1}
)

// RelativeSE reads a wanted relative standard error.
func RelativeSE(text string) (float64, error) { return relativeErrors.number(text) }

// plan reads the mapping that is the whole plan. What it leaves out has
// its default (defaults.go).
func (r *planReader) plan(n ast.Node) (*Plan, error) {
	p := &Plan{Name: "plan", Seed: defaultSeed, Tolerance: DefaultTolerance, Alpha: DefaultRate, Beta: DefaultRate}
	var list ast.Node
	seed, attempt := int64(defaultSeed), int64(0)
	_, err := r.mapping(n, "", []field{
		{"name", reader(r, &p.Name, name)},
		{"seed", r.integer(&seed, 0, MaxSeed)},
		{"attempt", r.integer(&attempt, 0, MaxAttempt)},
		{"tolerance", r.number(&p.Tolerance, tolerances)},
		{"alpha", r.number(&p.Alpha, rates)},
		{"beta", r.number(&p.Beta, rates)},
		{"experiments", func(n ast.Node, _ string) error { list = n; return nil }},
	})
	if err != nil {
		return nil, err
	}
	p.Seed, p.Attempt = uint64(seed), int(attempt)
	if list == nil {
		return nil, r.at(n, "", errors.New("the plan lacks the key experiments, a list of what it measures"))
	}
	items, ok := list.(*ast.SequenceNode)
	if !ok {
		return nil, r.at(list, "experiments", misplaced(list, "a list of experiments belongs"))
	}
	if len(items.Values) == 0 {
		return nil, r.at(list, "experiments", errors.New("the list of experiments is empty"))
	}
	return p, r.entries(p, items)
}

// entries reads the list of experiments, and looks each entry's cells over as it comes, so
// that an error points at it.
func (r *planReader) entries(p *Plan, items *ast.SequenceNode) error {
	var cells cellIndex
	for i, item := range items.Values {
		path := fmt.Sprintf("experiments[%d]", i)
		e, err := r.entry(p, item, path)
		if err != nil {
			return err
		}
		p.Entries = append(p.Entries, e)
		if err := cells.add(e); err != nil {
			return r.blame(item, path, err)
		}
	}
	return r.sources(p, items)
}

// point is a value of an axis.
type point struct {
	axis  string
	value experiment.Value
}

// place is where a value stands in the plan.
type place struct {
	node ast.Node
	path string
}

// blame points at the cause of an error about an entry: for one of its cells,
// the value of the axis that the error names, or of its first.
func (r *planReader) blame(item ast.Node, path string, err error) error {
	var of CellError
	if !errors.As(err, &of) {
		return r.at(item, path, err)
	}
	axis := of.Cell.Experiment.Axes[0].Name
	if named := (experiment.AxisError{}); errors.As(err, &named) {
		axis = named.Axis
	}
	if at, ok := r.places[point{axis, of.Cell.Value(axis)}]; ok {
		return r.at(at.node, at.path, err)
	}
	return r.at(item, path, err)
}

// sources refuses an experiment that reads the cells of one that is not there.
func (r *planReader) sources(p *Plan, items *ast.SequenceNode) error {
	for i, e := range p.Entries {
		of := e.Experiment.Of
		if of == "" || slices.ContainsFunc(p.Entries, func(o Entry) bool { return o.Experiment.Name == of }) {
			continue
		}
		return r.at(items.Values[i], fmt.Sprintf("experiments[%d]", i),
			fmt.Errorf("%s reads the cells of %s, of which the plan has none", e.Experiment.Name, of))
	}
	return nil
}

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
	fields := []field{
		{"experiment", func(ast.Node, string) error { return nil }},
		{"tolerance", r.number(&e.Tolerance, tolerances)},
		{"alpha", r.number(&own.Alpha, rates)},
		{"beta", r.number(&own.Beta, rates)},
		{"gate", r.boolean(&e.Gated)},
	}
	if err := r.drawn(n, path, which); err != nil {
		return e, err
	}
	if which.Of == "" {
		fields = append(fields, field{"samples", r.integer(&e.Samples, 1, MaxSamples)},
			field{"rel_se", r.number(&e.RelativeSE, relativeErrors)})
	}
	for i := range which.Axes {
		a := &which.Axes[i]
		if which.Of == "" || a.Shared {
			fields = append(fields, field{a.Name, r.axis(a, e.Values)})
		}
	}
	seen, err := r.mapping(n, path, fields)
	if err != nil {
		return e, err
	}
	if seen["alpha"] != nil || seen["beta"] != nil {
		e.Rates = &own
	}
	if seen["samples"] != nil && seen["rel_se"] != nil {
		return e, r.at(seen["rel_se"], join(path, "rel_se"), errors.New("samples and rel_se exclude each other"))
	}
	if err := e.defaults(); err != nil {
		return e, r.at(n, path, err)
	}
	return e, nil
}

// which reads the entry's experiment, before its other keys make sense.
func (r *planReader) which(n ast.Node, path string) (*experiment.Experiment, error) {
	pairs, err := r.pairs(n, path)
	if err != nil {
		return nil, err
	}
	for _, pair := range pairs {
		if pair.Key.GetToken().Value != "experiment" {
			continue
		}
		path := join(path, "experiment")
		name, err := r.scalar(pair.Value, path)
		if err != nil {
			return nil, err
		}
		e, err := all.Lookup(name)
		if err != nil {
			return nil, r.at(pair.Value, path, err)
		}
		return e, nil
	}
	return nil, r.at(n, path, errors.New("lacks the key experiment"))
}

// drawn refuses keys that say how to draw in an entry that draws nothing.
func (r *planReader) drawn(n ast.Node, path string, e *experiment.Experiment) error {
	pairs, err := r.pairs(n, path)
	if e.Of == "" || err != nil {
		return err
	}
	for _, pair := range pairs {
		key := pair.Key.GetToken().Value
		a := e.Axis(key)
		if key == "samples" || key == "rel_se" || a != nil && !a.Shared {
			return r.at(pair.Key, join(path, key), fmt.Errorf("has no meaning here: %s draws nothing, it reads every cell of %s", e.Name, e.Of))
		}
	}
	return nil
}

// axis reads the values of an axis: one, or a list.
func (r *planReader) axis(a *experiment.Axis, into map[string][]experiment.Value) func(ast.Node, string) error {
	return func(n ast.Node, path string) error {
		list, ok := n.(*ast.SequenceNode)
		if !ok {
			return r.value(a, n, path, into)
		}
		if len(list.Values) == 0 {
			return r.at(n, path, errors.New("the list is empty"))
		}
		for i, node := range list.Values {
			if err := r.value(a, node, fmt.Sprintf("%s[%d]", path, i), into); err != nil {
				return err
			}
		}
		return nil
	}
}

// value reads one value of an axis, or a range.
func (r *planReader) value(a *experiment.Axis, n ast.Node, path string, into map[string][]experiment.Value) error {
	text, err := r.scalar(n, path)
	if err != nil {
		return err
	}
	values, err := a.ParseAll(text)
	if err != nil {
		return r.at(n, path, err)
	}
	for _, v := range values {
		if first, ok := r.places[point{a.Name, v}]; ok {
			return r.at(n, path, fmt.Errorf("%v stands here a second time, first in %s", v, first.path))
		}
		r.places[point{a.Name, v}] = place{n, path}
		into[a.Name] = append(into[a.Name], v)
	}
	return nil
}
