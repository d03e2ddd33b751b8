package sim

import (
	"fmt"

	"mcsim/sim/experiment"
)

// defaults fills the axes that the entry leaves out.
func (e *Entry) defaults() error {
	for _, a := range e.Experiment.Axes {
		if e.Values[a.Name] != nil || e.Experiment.Of != "" && !a.Shared {
			continue
		}
		if a.Default == nil {
			return fmt.Errorf("%s lacks its axis %s (%s)", e.Experiment.Name, a.Name, a.Doc)
		}
		for _, text := range a.Default {
			v, err := a.ParseAll(text)
			if err != nil {
				panic("sim: the default of an axis does not parse")
			}
			e.Values[a.Name] = append(e.Values[a.Name], v...)
		}
	}
	return nil
}

// points calls f for every point of the entry's drawn axes, the last axis
// running fastest.
func (e Entry) points(f func(map[string]experiment.Value)) {
	axes := make([]experiment.Axis, 0, len(e.Experiment.Axes))
	for _, a := range e.Experiment.Axes {
		if !a.Shared {
			axes = append(axes, a)
		}
	}
	var walk func(i int, at map[string]experiment.Value)
	walk = func(i int, at map[string]experiment.Value) {
		if i == len(axes) {
			f(at)
			return
		}
		for _, v := range e.Values[axes[i].Name] {
			next := map[string]experiment.Value{axes[i].Name: v}
			for name, old := range at {
				next[name] = old
			}
			walk(i+1, next)
		}
	}
	walk(0, map[string]experiment.Value{})
}

// cells are the cells that an entry draws.
func (e Entry) cells() []experiment.Cell {
	var cells []experiment.Cell
	if e.Experiment.Of != "" {
		return nil
	}
	e.points(func(at map[string]experiment.Value) {
		c := experiment.NewCell(e.Experiment, at)
		c.Tolerance, c.Gated, c.Shared = e.Tolerance, e.Gated, e.shared()
		cells = append(cells, c)
	})
	return cells
}

func (e Entry) shared() map[string][]experiment.Value {
	shared := map[string][]experiment.Value{}
	for _, a := range e.Experiment.Axes {
		if a.Shared {
			shared[a.Name] = e.Values[a.Name]
		}
	}
	return shared
}

// views are the cells of another experiment as the entry reads them. A view
// is gated where both are.
func (e Entry) views(of []experiment.Cell) []experiment.Cell {
	views := make([]experiment.Cell, len(of))
	for i, c := range of {
		views[i] = experiment.Cell{Experiment: e.Experiment, ID: c.ID, Values: c.Values,
			Shared: e.shared(), Tolerance: e.Tolerance, Gated: e.Gated && c.Gated}
	}
	return views
}

// MaxCells bounds a plan.
const MaxCells = 100_000

// cellIndex finds cells that are drawn twice, or that cannot be run.
type cellIndex struct {
	ids     map[string]bool
	readers map[string]bool
}

func (x *cellIndex) add(e Entry) error {
	if x.ids == nil {
		x.ids, x.readers = map[string]bool{}, map[string]bool{}
	}
	if e.Experiment.Of != "" {
		if x.readers[e.Experiment.Name] {
			return fmt.Errorf("%s stands here a second time; it reads every cell of %s already", e.Experiment.Name, e.Experiment.Of)
		}
		x.readers[e.Experiment.Name] = true
		return nil
	}
	points := 1
	for _, a := range e.Experiment.Axes {
		if !a.Shared {
			points *= len(e.Values[a.Name])
		}
	}
	if len(x.ids)+points > MaxCells {
		return fmt.Errorf("the plan has more than %d cells", MaxCells)
	}
	for _, c := range e.cells() {
		if x.ids[c.ID] {
			return fmt.Errorf("cell %s is drawn a second time", c.ID)
		}
		x.ids[c.ID] = true
		if err := e.Experiment.Refuse(c, c.Gated); err != nil {
			return fmt.Errorf("cell %s: %w", c.ID, err)
		}
	}
	return nil
}
