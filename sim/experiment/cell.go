package experiment

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/moments"
	"mcsim/sim/base/store"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Cell is one combination of values of the sampled axes of an experiment. If the experiment reads
// the cells of another experiment, the id and the values are the same as in the other experiment,
// but the shared values belong to the reading experiment.
type Cell struct {
	Experiment   *Experiment
	ID           string
	Shared       map[string][]AxisValue // values of the shared axes
	Tolerance    float64                // tolerance of the gates: relative, or absolute for some quantities
	Gated        bool                   // the cell has gates
	Units        int64                  // number of units in the plan; 0 if unknown
	pilotNode    *moments.Node          // result of the bin pilot; nil before SetPilot
	params       result.Params          // values on the sampled axes, without omitted values
	distribution distribution.Distribution
}

// NewCell returns the cell of e at the given values of the sampled axes.
func NewCell(e *Experiment, values map[string]AxisValue) Cell {
	parts := []string{e.Name}
	for i := range e.Axes {
		a := &e.Axes[i]
		v, ok := values[a.Name]
		if a.Shared || !ok || a.isOmitted(v) {
			continue
		}
		switch v.Name {
		case "": // a number
			parts = append(parts, a.Name+"="+v.String())
		case names.Yes:
			parts = append(parts, a.Name)
		default:
			parts = append(parts, v.Name)
		}
	}
	return NewAggregate(e, strings.Join(parts, "/"), values)
}

// NewAggregate returns a cell with the given id for an estimate over several cells, such as a slope
// through them.
func NewAggregate(e *Experiment, id string, values map[string]AxisValue) Cell {
	c := Cell{Experiment: e, ID: id, params: result.Params{}}
	for name, v := range values {
		if a := e.Axis(name); a == nil || !a.isOmitted(v) {
			c.params[name] = v.Any()
		}
	}
	if v, ok := values[DistributionAxis.Name]; ok {
		d, err := distribution.Parse(v.Name, Number)
		if err != nil {
			panic(fmt.Sprintf("experiment: the distribution of a cell does not parse: %v", err))
		}
		c.distribution = d
	}
	return c
}

// StoreID returns the id of the cell's nodes in a store. It has everything that determines the bits
// of the nodes except the seed and the attempt.
func (c Cell) StoreID() store.CellID {
	var layout []byte
	for _, column := range c.Experiment.Sampler.Columns(c) {
		layout = append(layout, column.Name...)
		layout = append(layout, ' ')
		layout = strconv.AppendInt(layout, int64(column.Order), 10)
		layout = append(layout, ' ')
	}
	id := store.CellID{ID: c.ID, Columns: string(layout), Units: c.BlockUnits()}
	if contents := c.Experiment.Sampler.Contents; contents != nil {
		id.Contents = contents(c)
	}
	return id
}

// BlockUnits returns the number of units of a block of the cell.
func (c Cell) BlockUnits() int64 { return c.Experiment.Sampler.BlockUnits(c) }

// UnitCost returns the cost of a unit of the cell, in sampled components.
func (c Cell) UnitCost() float64 { return c.Experiment.Sampler.Cost(c) }

// StreamName returns the name of the random stream of the cell.
func (c Cell) StreamName() string {
	if s := c.Experiment.Sampler.Stream; s != nil {
		return s(c)
	}
	return c.ID
}

// Refuse returns why the cell cannot be run, or why it cannot have gates if gated is true. It
// returns nil if nothing prevents either.
func (c Cell) Refuse(gated bool) error {
	if refuse := c.Experiment.Judge.Refuse; refuse != nil {
		return refuse(c, gated)
	}
	return nil
}

// Distribution returns the cell's distribution; the experiment must have that axis.
func (c Cell) Distribution() distribution.Distribution { return c.distribution }

// Aggregate returns an aggregate with the values of the cell on the given axes.
func (c Cell) Aggregate(id string, axes ...string) Cell {
	values := map[string]AxisValue{}
	for _, axis := range axes {
		values[axis] = c.Value(axis)
	}
	return NewAggregate(c.Experiment, id, values)
}

// Value returns the cell's value on a sampled axis. If the params omit the value, Value returns the
// omitted value of the axis. If the experiment does not have the axis, it returns the zero value.
func (c Cell) Value(axis string) AxisValue {
	switch v := c.params[axis].(type) {
	case string:
		return AxisValue{Name: v}
	case float64:
		return AxisValue{Number: v}
	}
	if a := c.Experiment.Axis(axis); a != nil && a.OmittedValue != "" {
		v, _ := a.Parse(a.OmittedValue) // it is a default, and a test parses all defaults
		return v
	}
	return AxisValue{}
}

// Dimension returns the cell's d_k.
func (c Cell) Dimension() int { return int(c.Value(names.ParamDimension).Number) }

// Params returns the parameters of the cell and the extra ones. Without extra parameters it returns
// the map of the cell itself, which its estimates share and which must not be changed.
func (c Cell) Params(extra ...result.Params) result.Params {
	if !slices.ContainsFunc(extra, func(p result.Params) bool { return len(p) > 0 }) {
		return c.params
	}
	params := maps.Clone(c.params)
	for _, m := range extra {
		maps.Copy(params, m)
	}
	return params
}
