// Package experimenttest makes cells for the tests of experiments ([NewCell]) and samples them
// ([SampleCell]).
package experimenttest

import (
	"strings"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/result"
)

// SampleCell samples the given number of blocks of a cell and returns their merged node.
func SampleCell(c experiment.Cell, blocks int) (merged moments.Node) {
	cellStream := stream.Open(stream.ID{Seed: 11, Cell: c.StreamName()})
	sampleBlock := c.Experiment.Sampler.Open(c)
	var blockStream experiment.BlockStream
	for i := range blocks {
		blockStream.Begin(cellStream, int64(i))
		node := sampleBlock(&blockStream)
		if i > 0 {
			node = moments.MergeNodes(merged, node)
		}
		merged = node
	}
	return merged
}

// WithPilot returns the cell with the given number of planned units and with the result of its
// pilot, so that the pilot is sampled only once.
func WithPilot(c experiment.Cell, units int64) experiment.Cell {
	c.Units = units
	c.SetPilot(c.Pilot())
	return c
}

// NewCell returns the cell of an experiment with the given values of axes, which are written as in
// a plan and separated by spaces. A sampled axis must have one value. Axes without values get their
// defaults. The tolerance of the cell is 5 %.
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
			parsed, err := a.ParseAll(text)
			if err != nil {
				t.Fatal(err)
			}
			if a.Shared {
				shared[a.Name] = append(shared[a.Name], parsed...)
			} else {
				sampledValues[a.Name] = parsed[0]
			}
		}
	}
	c := experiment.NewCell(e, sampledValues)
	c.Shared, c.Tolerance = shared, 0.05
	return c
}

// EstimateAt returns the estimate of a quantity at a value of a shared axis, or ends the test.
func EstimateAt(t testing.TB, f experiment.CellEstimates, quantity, axis string, value any) result.Estimate {
	t.Helper()
	for _, r := range f.Estimates {
		if r.Quantity == quantity && r.Params[axis] == value {
			return r
		}
	}
	t.Fatalf("there is no estimate of %s with %s = %v", quantity, axis, value)
	return result.Estimate{}
}

// SampleRows samples the smallest number of blocks of a cell that has at least the given number of
// rows, and returns their merged node.
func SampleRows(c experiment.Cell, rows int64) moments.Node {
	units := c.BlockUnits()
	return SampleCell(c, int((rows+units-1)/units))
}

// Finish calls finish, which is the Finish function of a reader, and ends the test if it fails.
func Finish(
	t testing.TB, finish func(experiment.SampledCells, *result.Document) error, sampled experiment.SampledCells,
	doc *result.Document,
) {
	t.Helper()
	if err := finish(sampled, doc); err != nil {
		t.Fatal(err)
	}
}
