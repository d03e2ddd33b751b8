package plan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/experiment"
	"mcsim/sim/markup"
)

// Error is a fault of a plan and where it stands. Its text is one line.
type Error = markup.Error

// maxText is how many bytes a key or a value may have.
const maxText = 200

// planReader walks a plan's YAML tree.
type planReader struct {
	markup.Reader
	places map[point]place // of the entry that is being read
	change Change
}

// Parse reads a plan. Every error is an *Error.
func Parse(file string, text []byte) (*Plan, error) { return Change{}.Parse(file, text) }

// Parse reads a plan with the change made to it. Every error is an *Error.
func (c Change) Parse(file string, text []byte) (*Plan, error) {
	r := &planReader{Reader: markup.Reader{File: file, Noun: "plan", MaxText: maxText}, change: c}
	tree, err := r.Tree(text)
	if err != nil {
		return nil, err
	}
	return r.plan(tree)
}

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
	_, err := r.Mapping(n, "", []markup.Field{
		markup.Key("name", reader(r, &p.Name, name)),
		markup.Key("seed", r.integer(&seed, 0, MaxSeed)),
		markup.Key("attempt", r.integer(&attempt, 0, MaxAttempt)),
		markup.Key("tolerance", r.number(&p.Tolerance, tolerances)),
		markup.Key("alpha", r.number(&p.Alpha, rates)),
		markup.Key("beta", r.number(&p.Beta, rates)),
		markup.Key("only", func(n ast.Node, _ string) error { only = n; return nil }),
		markup.Key("experiments", func(n ast.Node, _ string) error { list = n; return nil }),
	})
	if err != nil {
		return nil, err
	}
	p.Seed, p.Attempt = uint64(seed), int(attempt)
	r.change.rates(p)
	if list == nil {
		return nil, r.At(n, "", errors.New("the plan lacks the key experiments, a list of what it measures"))
	}
	items, ok := list.(*ast.SequenceNode)
	if !ok {
		return nil, r.At(list, "experiments", r.Misplaced(list, "a list of experiments belongs"))
	}
	if len(items.Values) == 0 {
		return nil, r.At(list, "experiments", errors.New("the list of experiments is empty"))
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
	if err := r.change.known(items, r.which); err != nil {
		return err
	}
	var cells cellIndex
	for i, item := range items.Values {
		path := fmt.Sprintf("experiments[%d]", i)
		e, err := r.entry(p, item, path)
		if err != nil {
			return err
		}
		parts, err := r.change.apart(e, p.Entries)
		if err != nil {
			return r.At(item, path, err)
		}
		p.Entries = append(p.Entries, parts...)
		if n, most := p.variants(), r.change.most(); n > most {
			return r.At(item, path, fmt.Errorf("the plan has %.15g variants up to here, which are cells, each under every scaling; at most %.15g are drawn, or as many as --max-cells says, up to %d", n, most, MostCells))
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
		return r.At(item, path, err)
	}
	axis := of.Cell.Experiment.Axes[0].Name
	if named := (experiment.AxisError{}); errors.As(err, &named) {
		axis = named.Axis
	}
	if set := r.change.setting(of.Cell.Experiment, axis); set != nil {
		return set.wrong(err)
	}
	if wheres := r.change.wheres(of.Cell.Experiment); wheres != "" {
		err = fmt.Errorf("after %s: %w", wheres, err)
	}
	if at, ok := r.places[point{axis, of.Cell.Value(axis)}]; ok {
		return r.At(at.node, at.path, err)
	}
	return r.At(item, path, err)
}

// sources refuses an experiment that reads the cells of one that is not there.
func (r *planReader) sources(p *Plan, items *ast.SequenceNode) error {
	for i, e := range p.Entries {
		of := e.Experiment.Of
		if of == "" || slices.ContainsFunc(p.Entries, func(o Entry) bool { return o.Experiment.Name == of }) {
			continue
		}
		return r.At(items.Values[i], fmt.Sprintf("experiments[%d]", i),
			fmt.Errorf("%s reads the cells of %s, of which the plan has none", e.Experiment.Name, of))
	}
	return nil
}
