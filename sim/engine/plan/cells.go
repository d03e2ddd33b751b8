package plan

import (
	"fmt"
	"maps"
	"slices"

	"mcsim/sim/experiment"
)

// fillDefaults sets the axes without values in the entry to their defaults. Shared axes, whose
// values are scalings, stay empty if the entry names a scaling; the exception is an experiment
// whose scalings are combinations of several axes.
func (e *Entry) fillDefaults() error {
	namesScaling := !e.Experiment.CartesianScalings &&
		slices.ContainsFunc(e.Experiment.Axes,
			func(a experiment.Axis) bool { return a.Shared && e.Values[a.Name] != nil })
	for _, a := range e.Experiment.Axes {
		isGiven := e.Values[a.Name] != nil
		belongsToSource := e.Experiment.ReadsFrom != "" && !a.Shared
		isOtherScaling := a.Shared && namesScaling
		if isGiven || belongsToSource || isOtherScaling {
			continue
		}
		if a.Defaults() == nil {
			return fmt.Errorf("%s: the axis %s (%s) is missing", e.Experiment.Name, a.Name, a.Doc())
		}
		for _, text := range a.Defaults() {
			v, err := a.ParseAll(text)
			if err != nil {
				panic("plan: the default of an axis does not parse")
			}
			e.Values[a.Name] = append(e.Values[a.Name], v...)
		}
	}
	return nil
}

// points returns the grid of the entry's sampled axes; the last axis varies fastest.
func (e Entry) points() []map[string]experiment.AxisValue {
	points := []map[string]experiment.AxisValue{{}}
	for _, a := range e.Experiment.Axes {
		if a.Shared {
			continue
		}
		var longer []map[string]experiment.AxisValue
		for _, point := range points {
			for _, v := range e.Values[a.Name] {
				next := maps.Clone(point)
				next[a.Name] = v
				longer = append(longer, next)
			}
		}
		points = longer
	}
	return points
}

// Cells returns the cells that the entry samples.
func (e Entry) Cells() []experiment.Cell {
	if e.Experiment.Sampler == nil {
		return nil
	}
	cells := make([]experiment.Cell, 0, int(e.count()))
	shared := e.shared()
	for _, point := range e.points() {
		c := experiment.NewCell(e.Experiment, point)
		c.Tolerance, c.Gated, c.Shared = e.Tolerance, e.Gated, shared
		cells = append(cells, c)
	}
	return cells
}

// shared returns the values of the shared axes, at which all cells of the entry are evaluated.
func (e Entry) shared() map[string][]experiment.AxisValue {
	shared := map[string][]experiment.AxisValue{}
	for _, a := range e.Experiment.Axes {
		if a.Shared {
			shared[a.Name] = e.Values[a.Name]
		}
	}
	return shared
}

// Views returns the cells of another experiment as the entry reads them. A view has gates if both
// the entry and the cell have gates. Its tolerance is the wider of their two tolerances.
func (e Entry) Views(cells []experiment.Cell) []experiment.Cell {
	views, shared := make([]experiment.Cell, len(cells)), e.shared()
	for i, c := range cells {
		c.Experiment, c.Shared = e.Experiment, shared
		c.Tolerance, c.Gated = max(e.Tolerance, c.Tolerance), e.Gated && c.Gated
		views[i] = c
	}
	return views
}

const (
	// DefaultMaxCells is the largest number of variants of a plan, unless the caller gives another
	// limit. A variant is a cell under one of its scalings.
	DefaultMaxCells = 100_000
	// MaxCellsLimit is the largest limit that a caller can give. A cell takes some 1.6 KiB to plan
	// and 4 KiB to run, so a plan of this size needs 4 GB.
	MaxCellsLimit = 1_000_000
	// maxScalings is the largest number of scalings of a cell. A worker has bins for each of them,
	// which take some 0.7 MB.
	maxScalings = 256
)

// cellIndex finds cells that are sampled twice, or that cannot be run.
type cellIndex struct {
	ids     map[string]int // index of the entry that samples the cell with this id
	readers map[string]int // index of the entry of an experiment that only reads cells
}

// add adds an entry. It refuses a second reader of the same cells, a cell that another entry
// samples, and a cell that its experiment refuses.
func (x *cellIndex) add(entry int, e Entry) error {
	if x.ids == nil {
		x.ids, x.readers = map[string]int{}, map[string]int{}
	}
	if source := e.Experiment.ReadsFrom; source != "" {
		if first, ok := x.readers[e.Experiment.Name]; ok {
			return fmt.Errorf("%s is already in experiments[%d], where it reads every cell of %s",
				e.Experiment.Name, first, source)
		}
		x.readers[e.Experiment.Name] = entry
		return nil
	}
	for _, c := range e.Cells() {
		if first, ok := x.ids[c.ID]; ok {
			return experiment.CellError{Cell: c, Err: fmt.Errorf("experiments[%d] samples it already", first)}
		}
		x.ids[c.ID] = entry
		if err := c.Refuse(c.Gated); err != nil {
			return experiment.CellError{Cell: c, Err: err}
		}
	}
	return nil
}

// count returns the number of cells that the entry samples, as a float64 since it may exceed every
// integer type.
func (e Entry) count() float64 {
	n := 1.0
	for _, a := range e.Experiment.Axes {
		if !a.Shared {
			n *= float64(len(e.Values[a.Name]))
		}
	}
	return n
}

// Scalings returns the number of scalings of each cell of the entry, at least 1.
func (e Entry) Scalings() int {
	sum, product := 0, 1
	for _, values := range e.shared() {
		sum += len(values)
		product *= len(values)
	}
	if e.Experiment.CartesianScalings {
		return product
	}
	return max(sum, 1)
}

// variants returns the number of cells of the plan, each counted under every scaling. It does not
// list them, which would take long if there are too many.
func (p *Plan) variants() float64 {
	var total float64
	for _, e := range p.Entries {
		cells := e.count()
		if source := e.Experiment.ReadsFrom; source != "" {
			cells = 0
			for _, other := range p.Entries {
				if other.Experiment.Name == source {
					cells += other.count()
				}
			}
		}
		total += float64(cells * float64(e.Scalings()))
	}
	return total
}
