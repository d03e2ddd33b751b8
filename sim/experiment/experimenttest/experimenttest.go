// Package experimenttest draws cells for the tests of experiments: [PointOf] makes a cell of
// values as a plan has them, [Drawn] draws its first blocks.
package experimenttest

import (
	"strings"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/result"
)

// Drawn returns the first blocks of a cell, merged.
func Drawn(c experiment.Cell, blocks int) moments.Node {
	_, all := Runs(c, 11, 1, blocks)
	return all
}

// Taught returns the cell with what its pilot teaches, which is then drawn but once, as for so
// many units.
func Taught(c experiment.Cell, units int64) experiment.Cell {
	c.Units = units
	c.SetPilot(c.Pilot())
	return c
}

// PointOf returns the cell of an experiment at values as a plan has them: drawn axes
// that are left out have their default, shared ones all of theirs.
func PointOf(t testing.TB, e *experiment.Experiment, values map[string]string) experiment.Cell {
	t.Helper()
	drawn, shared := map[string]experiment.AxisValue{}, map[string][]experiment.AxisValue{}
	for i := range e.Axes {
		a := &e.Axes[i]
		texts := a.Usual()
		if text, ok := values[a.Name]; ok {
			texts = strings.Split(text, " ")
		}
		for _, text := range texts {
			v, err := a.ParseAll(text)
			if err != nil {
				t.Fatal(err)
			}
			drawn[a.Name] = v[0]
			shared[a.Name] = append(shared[a.Name], v...)
		}
		if a.Shared {
			delete(drawn, a.Name)
		} else {
			delete(shared, a.Name)
		}
	}
	c := experiment.NewCell(e, drawn)
	c.Shared, c.Tolerance = shared, 0.05
	return c
}

// Runs are runs of a cell one after the other, of so many blocks each, and all of them
// merged: how often the intervals of a run hold a truth tells whether they are honest.
func Runs(c experiment.Cell, seed uint64, runs, blocks int) (each []moments.Node, all moments.Node) {
	open, block := stream.Open(stream.ID{Seed: seed, Cell: c.StreamName()}), c.Experiment.Sampler.Open(c)
	var d experiment.Draw
	for i := range runs * blocks {
		d.Begin(open, int64(i))
		if n := block(&d); i%blocks == 0 {
			each = append(each, n)
		} else {
			each[i/blocks] = moments.MergeNodes(each[i/blocks], n)
		}
	}
	first := moments.Reader{B: moments.AppendNode(nil, each[0])} // a copy, which takes in the others
	all = first.Node()
	for _, n := range each[1:] {
		all = moments.MergeNodes(all, n)
	}
	return each, all
}

// EstimateAt returns the estimate of a quantity at a value of a shared axis.
func EstimateAt(t testing.TB, f experiment.CellEstimates, quantity, axis string, value any) result.Estimate {
	t.Helper()
	for _, r := range f.Estimates {
		if r.Quantity == quantity && r.Params[axis] == value {
			return r
		}
	}
	t.Fatalf("no row %s at %s %v", quantity, axis, value)
	return result.Estimate{}
}

// DrawnRows draws at least as many rows of a cell.
func DrawnRows(c experiment.Cell, rows int64) moments.Node {
	units := c.BlockUnits()
	return Drawn(c, int((rows+units-1)/units))
}

// Finish calls the Finish of a reader; its error ends the test.
func Finish(
	t testing.TB, finish func(experiment.Sampled, *result.Document) error, sampled experiment.Sampled,
	doc *result.Document,
) {
	t.Helper()
	if err := finish(sampled, doc); err != nil {
		t.Fatal(err)
	}
}
