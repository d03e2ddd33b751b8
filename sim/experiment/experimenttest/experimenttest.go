// Package experimenttest samples cells for the tests of experiments. [NewCell] makes a cell from
// the values of a plan, and [SampleCell] samples its first blocks.
package experimenttest

import (
	"strings"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/result"
)

// SampleCell returns the first blocks of a cell, merged.
func SampleCell(c experiment.Cell, blocks int) moments.Node {
	_, merged := SampleRuns(c, 11, 1, blocks)
	return merged
}

// WithPilot returns the cell with the node of its pilot, sized for the given units, so that the
// pilot is sampled only once.
func WithPilot(c experiment.Cell, units int64) experiment.Cell {
	c.Units = units
	c.SetPilot(c.Pilot())
	return c
}

// NewCell returns the cell of an experiment at the given values, separated by spaces, as a plan has
// them. Axes without values get their defaults.
func NewCell(t testing.TB, e *experiment.Experiment, values map[string]string) experiment.Cell {
	t.Helper()
	sampledValues, shared := map[string]experiment.AxisValue{}, map[string][]experiment.AxisValue{}
	for i := range e.Axes {
		a := &e.Axes[i]
		texts := a.Defaults()
		if text, ok := values[a.Name]; ok {
			texts = strings.Split(text, " ")
		}
		for _, text := range texts {
			v, err := a.ParseAll(text)
			if err != nil {
				t.Fatal(err)
			}
			sampledValues[a.Name] = v[0]
			shared[a.Name] = append(shared[a.Name], v...)
		}
		if a.Shared {
			delete(sampledValues, a.Name)
		} else {
			delete(shared, a.Name)
		}
	}
	c := experiment.NewCell(e, sampledValues)
	c.Shared, c.Tolerance = shared, 0.05
	return c
}

// SampleRuns samples consecutive runs of a cell with the given number of blocks each. It returns
// the node of each run and the merged node of all, with which a test can measure the coverage of
// intervals.
func SampleRuns(c experiment.Cell, seed uint64, runs, blocks int) (nodes []moments.Node, merged moments.Node) {
	cellStream, block := stream.Open(stream.ID{Seed: seed, Cell: c.StreamName()}), c.Experiment.Sampler.Open(c)
	var d experiment.BlockStream
	for i := range runs * blocks {
		d.Begin(cellStream, int64(i))
		if n := block(&d); i%blocks == 0 {
			nodes = append(nodes, n)
		} else {
			nodes[i/blocks] = moments.MergeNodes(nodes[i/blocks], n)
		}
	}
	first := moments.Reader{B: moments.AppendNode(nil, nodes[0])} // copy it, since MergeNodes may change it
	merged = first.Node()
	for _, n := range nodes[1:] {
		merged = moments.MergeNodes(merged, n)
	}
	return nodes, merged
}

// EstimateAt returns the estimate of a quantity at a value of a shared axis.
func EstimateAt(t testing.TB, f experiment.CellEstimates, quantity, axis string, value any) result.Estimate {
	t.Helper()
	for _, r := range f.Estimates {
		if r.Quantity == quantity && r.Params[axis] == value {
			return r
		}
	}
	t.Fatalf("no estimate %s at %s %v", quantity, axis, value)
	return result.Estimate{}
}

// SampleRows samples at least the given number of rows of a cell.
func SampleRows(c experiment.Cell, rows int64) moments.Node {
	units := c.BlockUnits()
	return SampleCell(c, int((rows+units-1)/units))
}

// Finish calls the Finish function of a reader and ends the test if it fails.
func Finish(
	t testing.TB, finish func(experiment.SampledCells, *result.Document) error, sampled experiment.SampledCells,
	doc *result.Document,
) {
	t.Helper()
	if err := finish(sampled, doc); err != nil {
		t.Fatal(err)
	}
}
