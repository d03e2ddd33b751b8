package experiment

import (
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

// Cell is one point of an experiment. A cell of an experiment that reads
// another's has that one's id and values, and its own shared values.
type Cell struct {
	Experiment   *Experiment
	ID           string
	Shared       map[string][]AxisValue    // values of the shared axes
	Tolerance    float64                   // of its gates: relative, or absolute for some quantities
	Gated        bool                      // has gates
	Units        int64                     // number of units in the plan; 0 if unknown
	pilotNode    *moments.Node             // what its pilot taught, nil until it is drawn
	params       result.Params             // its point on the drawn axes, but for what they omit
	distribution distribution.Distribution // that its point names
}

// NewCell returns the cell of e at the given values of the sampled axes.
func NewCell(e *Experiment, values map[string]AxisValue) Cell {
	parts := []string{e.Name}
	for i := range e.Axes {
		a := &e.Axes[i]
		v, ok := values[a.Name]
		if a.Shared || !ok || a.omits(v) {
			continue
		}
		switch v.Name {
		case "":
			parts = append(parts, a.Name+"="+v.String())
		case names.Yes:
			parts = append(parts, a.Name)
		default:
			parts = append(parts, v.Name)
		}
	}
	return NewAggregate(e, strings.Join(parts, "/"), values)
}

// NewAggregate returns a cell for an estimate over several cells, such as a slope through them,
// with its own id.
func NewAggregate(e *Experiment, id string, values map[string]AxisValue) Cell {
	c := Cell{Experiment: e, ID: id, params: result.Params{}}
	for name, v := range values {
		if a := e.Axis(name); a == nil || !a.omits(v) {
			c.params[name] = v.Any()
		}
	}
	if v, ok := values[DistributionAxis.Name]; ok {
		var err error
		if c.distribution, err = distribution.Parse(v.Name, Number); err != nil {
			panic("experiment: the distribution of a cell is not in canonical form")
		}
	}
	return c
}

// StoreID returns the id of the cell's nodes in a store: everything that determines their bits.
func (c Cell) StoreID() store.CellID {
	var columns []byte
	for _, k := range c.Experiment.Sampler.Columns(c) {
		columns = strconv.AppendInt(append(append(columns, k.Name...), ' '), int64(k.Order), 10)
		columns = append(columns, ' ')
	}
	key := store.CellID{ID: c.ID, Columns: string(columns), Units: c.BlockUnits()}
	if contents := c.Experiment.Sampler.Contents; contents != nil {
		key.Contents = contents(c)
	}
	return key
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

// Refuse returns why the cell cannot be run, or be gated, and nil if it can.
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

// Value returns the cell's value on a sampled axis. If params omit it, that is the axis's omitted
// value; if the experiment does not have the axis, it is zero.
func (c Cell) Value(axis string) AxisValue {
	switch v := c.params[axis].(type) {
	case string:
		return AxisValue{Name: v}
	case float64:
		return AxisValue{Number: v}
	}
	if a := c.Experiment.Axis(axis); a != nil && a.OmittedValue != "" {
		v, _ := a.Parse(a.OmittedValue)
		return v
	}
	return AxisValue{}
}

// Dimension returns the cell's d_k.
func (c Cell) Dimension() int { return int(c.Value(names.ParamDimension).Number) }

// Params returns the parameters of the cell and the extra ones. Without extra parameters it returns
// a map that the estimates of the cell share and that must not be changed.
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
