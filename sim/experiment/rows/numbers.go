package rows

import (
	"fmt"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/statistics/quantile"
)

// Collector collects numbers of the rows of a block, with histograms of their positions on scales.
type Collector interface {
	// Node returns the node of the collected rows and discards the rows. If hasNext is true, it
	// omits the histograms and continues them with the next block, which is merged with this one.
	Node(hasNext bool) moments.Node
	// KeepPositions makes the collector of a pilot keep the positions of all its rows.
	KeepPositions()
	// PilotPositions returns the kept positions for each histogram, and the function from a row to
	// its cluster that quantile.NewPilot requires.
	PilotPositions() (positions [][]float64, clusters func(row int) int)
}

// Opener returns a collector for the rows of a cell, with the fine bins that the pilot found, and a
// function that samples the rows of a block into the collector.
type Opener func(c experiment.Cell, pilot moments.Node) (
	collector Collector, sampleBlock func(*experiment.BlockStream))

// WithFineBins returns the sampler with histograms whose fine bins a pilot places. Its blocks and
// its pilot use the given Opener.
func WithFineBins(s experiment.Sampler, open Opener) *experiment.Sampler {
	s.HasFineBins = true
	contents := s.Contents
	s.Contents = func(c experiment.Cell) string { // the number of rows determines the bins
		text := fmt.Sprintf(";bins for %d", quantile.PilotSizeClass(c.Units))
		if contents != nil {
			text = contents(c) + text
		}
		return text
	}
	s.Open = func(c experiment.Cell) experiment.BlockFunc {
		collector, sampleBlock := open(c, c.Pilot())
		return func(b *experiment.BlockStream) moments.Node {
			sampleBlock(b)
			return collector.Node(b.HasNext)
		}
	}
	s.Pilot = func(c experiment.Cell) experiment.Pilot {
		collector, sampleBlock := open(c, moments.Node{})
		collector.KeepPositions()
		return experiment.Pilot{
			Units: pilotRows(c),
			Block: func(b *experiment.BlockStream) moments.Node {
				sampleBlock(b)
				return moments.Node{} // the collector has the rows of all blocks
			},
			Summarise: func(moments.Node) moments.Node {
				positions, clusters := collector.PilotPositions()
				return summarisePilot(collector.Node(false), positions, clusters, c.Units)
			},
		}
	}
	return &s
}

// Numbers is a Collector of a fixed list of numbers of each row, with a histogram for each number.
type Numbers struct {
	values    [][]float64 // values[i] has number i of each row of a block
	positions [][]float64 // positions[i] has the position in histogram i of each row of a block or pilot
	isPilot   bool        // all positions are kept
	counters  []*quantile.Counter
}

// NewNumbers returns an empty collector of n numbers, with fine bins from the result of a pilot.
func NewNumbers(n int, pilot moments.Node) *Numbers { return NewValues(n, n, pilot.Histograms) }

// NewValues returns an empty collector with the given numbers of values and histograms of a row,
// which need not be of the same quantities.
func NewValues(values, histograms int, pilot []moments.Histogram) *Numbers {
	return &Numbers{values: make([][]float64, values), positions: make([][]float64, histograms),
		counters: quantile.NewCounters(histograms, pilot)}
}

// Add adds number i of a row and its position on the scale of its histogram.
func (t *Numbers) Add(i int, x, position float64) {
	t.values[i] = append(t.values[i], x)
	t.positions[i] = append(t.positions[i], position)
}

// AddValue adds number i of a row, which has no histogram.
func (t *Numbers) AddValue(i int, x float64) { t.values[i] = append(t.values[i], x) }

// Node implements [Collector]. It counts positions histogram by histogram, since the bins of one
// histogram fit into the first-level cache, but the bins of all histograms do not.
func (t *Numbers) Node(hasNext bool) (n moments.Node) {
	for i := range t.values {
		n.Moments = append(n.Moments, moments.New(t.values[i], experiment.ErrorOrder))
		t.values[i] = t.values[i][:0]
	}
	for i, c := range t.counters {
		if !t.isPilot {
			for _, position := range t.positions[i] {
				c.Add(c.Bin(position), 1)
			}
			t.positions[i] = t.positions[i][:0]
		}
		if !hasNext {
			n.Histograms = append(n.Histograms, c.Take())
		}
	}
	return n
}

// KeepPositions implements [Collector].
func (t *Numbers) KeepPositions() { t.isPilot = true }

// PilotPositions implements [Collector]. It returns no clusters, since all rows are independent.
func (t *Numbers) PilotPositions() (positions [][]float64, clusters func(row int) int) {
	if !t.isPilot {
		return nil, nil
	}
	return t.positions, nil
}
