package plan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/base/markup"
	"mcsim/sim/experiment"
)

// Error is a fault of a plan and its position. Its text is one line.
type Error = markup.Error

// maxText is the largest number of bytes of a key or a value.
const maxText = 200

// planReader walks the YAML tree of a plan.
type planReader struct {
	markup.Reader
	positions map[axisValue]position // where the current entry has its values
	change    Change
}

// Parse parses a plan. Every error is an *Error.
func Parse(file string, text []byte) (*Plan, error) { return Change{}.Parse(file, text) }

// Parse parses a plan and applies the change. Every error is an *Error.
func (c Change) Parse(file string, text []byte) (*Plan, error) {
	r := &planReader{Reader: markup.Reader{File: file, Noun: "plan", MaxText: maxText}, change: c}
	tree, err := r.Parse(text)
	if err != nil {
		return nil, err
	}
	return r.readPlan(tree)
}

// Bounds of the values in a plan.
const (
	MaxSamples = 1 << 50
	MaxAttempt = 20
	maxName    = 80 // characters
)

// readPlan reads the mapping of the whole plan.
func (r *planReader) readPlan(n ast.Node) (*Plan, error) {
	p := Default()
	var list, selection ast.Node
	if _, err := r.ReadMapping(n, "", r.fields(p, &list, &selection)); err != nil {
		return nil, err
	}
	r.change.applyRates(p)
	if err := r.readEntries(p, list); err != nil {
		return nil, err
	}
	if err := r.selectExperiments(p, selection); err != nil {
		return nil, err
	}
	return p, nil
}

// Default returns a plan with default settings and no entries.
func Default() *Plan {
	return &Plan{Name: defaultName, Seed: 1, Tolerance: DefaultTolerance, Alpha: DefaultRate, Beta: DefaultRate}
}

// Ungated returns a plan that samples the cells of the entries and judges none of them.
func Ungated(name string, seed uint64, entries []Entry) *Plan {
	p := Default()
	p.Name, p.Seed = name, seed
	for _, e := range entries {
		e.Gated, e.Tolerance = false, p.Tolerance
		p.Entries = append(p.Entries, e)
	}
	return p
}

// fields returns the keys of a plan.
func (r *planReader) fields(p *Plan, list, selection *ast.Node) []markup.Field {
	return []markup.Field{
		{Key: "name", Read: readWith(r, &p.Name, checkName), Schema: nameSchema},
		integerField(r, "seed", "seed of the random streams, a whole number in 0..2^53",
			&p.Seed, 0, experiment.MaxSeed),
		integerField(r, "attempt",
			"0..20: how often the plan was undecided; each attempt draws other bits, twice as many, at half the error rates",
			&p.Attempt, 0, MaxAttempt),
		r.numberField("tolerance", "how far a gated quantity may be from theory, such as 0.05 or 5%",
			&p.Tolerance, experiment.Tolerances),
		r.numberField("alpha", "probability that any gate does not pass although theory is right",
			&p.Alpha, experiment.Rates),
		r.numberField("beta", "probability that all gates pass although a quantity is on the edge of its band or outside",
			&p.Beta, experiment.Rates),
		{Key: "only",
			Doc:  "the only experiments to sample; the error rates and sample sizes remain those of the whole plan",
			Read: markup.KeepNode(selection), Schema: onlySchema},
		markup.Field{Key: "experiments", Read: markup.KeepNode(list), Schema: entriesSchema}.MakeRequired(),
	}
}

// readEntries reads the list of experiments and checks the cells of each entry as it comes, so that
// an error points at it.
func (r *planReader) readEntries(p *Plan, list ast.Node) error {
	var cells cellIndex
	var experiments []*experiment.Experiment // of the entries
	var items []ast.Node                     // the nodes of the entries
	err := r.ReadList(list, "experiments", markup.MaxSize, func(item ast.Node, path string) error {
		e, err := r.readEntry(p, item, path)
		if err != nil {
			return err
		}
		parts, err := r.change.subtractEarlier(e, p.Entries)
		if err != nil {
			return r.NewError(item, path, err)
		}
		p.Entries = append(p.Entries, parts...)
		experiments, items = append(experiments, e.Experiment), append(items, item)
		if n, limit := p.variants(), r.change.maxVariants(); n > limit {
			return r.NewError(item, path,
				fmt.Errorf("the plan has at least %.15g variants (cells × scalings); the limit is %.15g; "+
					"raise it with --max-cells (up to %d)", n, limit, MaxCellsLimit))
		}
		if n := e.Scalings(); n > maxScalings && e.Experiment.Sampler != nil {
			return r.NewError(item, path, fmt.Errorf("each cell has %d scalings; at most %d are drawn", n, maxScalings))
		}
		for _, e := range parts {
			if err := cells.add(len(items)-1, e); err != nil {
				return r.locate(item, path, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := r.change.validate(experiments); err != nil {
		return err
	}
	for i, e := range experiments {
		if e.ReadsFrom != "" && !slices.ContainsFunc(experiments,
			func(o *experiment.Experiment) bool { return o.Name == e.ReadsFrom }) {
			return r.NewError(items[i], fmt.Sprintf("experiments[%d]", i),
				fmt.Errorf("%s reads the cells of %s, but the plan does not contain that experiment", e.Name,
					e.ReadsFrom))
		}
	}
	return nil
}

// axisValue is a value together with the name of its axis.
type axisValue struct {
	axis  string
	value experiment.AxisValue
}

// position is the position of a value in the plan.
type position struct {
	node ast.Node
	path string
}

// locate adds the position of its cause to an error about an entry. If the error is about a cell,
// the cause is the value of the axis that the error names, or else of the first axis; that value
// may come from a setting.
func (r *planReader) locate(item ast.Node, path string, err error) error {
	var cellError experiment.CellError
	if !errors.As(err, &cellError) {
		return r.NewError(item, path, err)
	}
	axis := cellError.Cell.Experiment.Axes[0].Name
	if named := (experiment.AxisError{}); errors.As(err, &named) {
		axis = named.Axis
	}
	if set := r.change.setting(cellError.Cell.Experiment, axis); set != nil {
		return set.wrapError(err)
	}
	if sources := r.change.settingSources(cellError.Cell.Experiment); sources != "" {
		err = fmt.Errorf("after %s: %w", sources, err)
	}
	if position, ok := r.positions[axisValue{axis, cellError.Cell.Value(axis)}]; ok {
		return r.NewError(position.node, position.path, err)
	}
	return r.NewError(item, path, err)
}
