package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
)

// Parse reads a plan. Every error is an *Error.
func Parse(file string, text []byte) (*Plan, error) { return Change{}.Parse(file, text) }

// Parse reads a plan with the change made to it. Every error is an *Error.
func (c Change) Parse(file string, text []byte) (*Plan, error) {
	r := &planReader{file: file, change: c}
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

// Tolerance reads a tolerance, as a plan has it.
func Tolerance(text string) (float64, error) { return tolerances.number(text) }

// Rate reads an error rate, as a plan has it.
func Rate(text string) (float64, error) { return rates.number(text) }

// plan reads the mapping that is the whole plan. What it leaves out has
// its default (defaults.go).
func (r *planReader) plan(n ast.Node) (*Plan, error) {
	p := &Plan{Name: unnamed, Seed: defaultSeed, Tolerance: DefaultTolerance, Alpha: DefaultRate, Beta: DefaultRate}
	var list, only ast.Node
	seed, attempt := int64(defaultSeed), int64(0)
	_, err := r.mapping(n, "", []field{
		{"name", reader(r, &p.Name, name)},
		{"seed", r.integer(&seed, 0, MaxSeed)},
		{"attempt", r.integer(&attempt, 0, MaxAttempt)},
		{"tolerance", r.number(&p.Tolerance, tolerances)},
		{"alpha", r.number(&p.Alpha, rates)},
		{"beta", r.number(&p.Beta, rates)},
		{"only", func(n ast.Node, _ string) error { only = n; return nil }},
		{"experiments", func(n ast.Node, _ string) error { list = n; return nil }},
	})
	if err != nil {
		return nil, err
	}
	p.Seed, p.Attempt = uint64(seed), int(attempt)
	r.change.rates(p)
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
	if err := r.entries(p, items); err != nil {
		return nil, err
	}
	if err := r.part(p, only); err != nil {
		return nil, err
	}
	return p, nil
}

// entries reads the list of experiments, and looks each entry's cells over as it comes, so
// that an error points at it.
func (r *planReader) entries(p *Plan, items *ast.SequenceNode) error {
	in, err := r.change.known(items, r.which)
	if err != nil {
		return err
	}
	r.in = in
	var cells cellIndex
	for i, item := range items.Values {
		path := fmt.Sprintf("experiments[%d]", i)
		e, err := r.entry(p, item, path)
		if err != nil {
			return err
		}
		parts, err := r.change.apart(e, p.Entries)
		if err != nil {
			return r.at(item, path, err)
		}
		p.Entries = append(p.Entries, parts...)
		if n, most := p.variants(), r.change.most(); n > most {
			return r.at(item, path, fmt.Errorf("the plan has %.15g variants up to here, which are cells, each under every scaling; at most %.15g are drawn, or as many as --max-cells says, up to %d", n, most, MostCells))
		}
		for _, e := range parts {
			if err := cells.add(i, e); err != nil {
				return r.blame(item, path, err)
			}
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
	err = r.change.orAlone(err, of.Cell.Experiment, r.in)
	if set := r.change.setting(of.Cell.Experiment, axis); set != nil {
		return set.wrong(err)
	}
	if wheres := r.change.wheres(of.Cell.Experiment); wheres != "" {
		err = fmt.Errorf("after %s: %w", wheres, err)
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
