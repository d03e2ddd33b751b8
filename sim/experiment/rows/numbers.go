package rows

import (
	"fmt"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/statistics/quantile"
)

// Collector collects the rows of a block.
type Collector interface {
	// Node returns the node of the collected rows and clears them. If hasNext is true, it keeps the
	// histograms for the next block, which is merged with this one.
	Node(hasNext bool) moments.Node
	// KeepPositions makes it keep the positions of all rows on the scales of the histograms, for a
	// pilot.
	KeepPositions()
	// PilotPositions returns these positions for each histogram, and the cluster of each row, as in
	// quantile.NewPilot.
	PilotPositions() (places [][]float64, clusters func(row int) int)
}

// Opener returns a collector for the rows of a cell, with the fine bins that the pilot found, and a
// function that samples a block into it.
type Opener func(c experiment.Cell, pilot moments.Node) (Collector, func(*experiment.BlockStream))

// WithFineBins returns the sampler with blocks and a pilot that use the given Opener, and with
// histograms whose fine bins the pilot places.
func WithFineBins(s experiment.Sampler, open Opener) *experiment.Sampler {
	s.HasFineBins = true
	contents := s.Contents
	s.Contents = func(c experiment.Cell) string { // the number of rows determines the bins of histograms
		text := fmt.Sprintf(";bins for %d", quantile.PilotSizeClass(c.Units))
		if contents != nil {
			text = contents(c) + text
		}
		return text
	}
	s.Open = func(c experiment.Cell) experiment.BlockFunc {
		collector, draw := open(c, c.Pilot())
		return func(from *experiment.BlockStream) moments.Node {
			draw(from)
			return collector.Node(from.HasNext)
		}
	}
	s.Pilot = func(c experiment.Cell) experiment.Pilot {
		collector, draw := open(c, moments.Node{})
		collector.KeepPositions()
		block := func(from *experiment.BlockStream) (none moments.Node) {
			draw(from)
			return none
		}
		return experiment.Pilot{Units: pilotRows(c), Block: block, Summarise: func(moments.Node) moments.Node {
			places, clusters := collector.PilotPositions()
			return summarisePilot(collector.Node(false), places, clusters, c.Units)
		}}
	}
	return &s
}

// Numbers is a Collector of a fixed list of numbers of each row, with a histogram for each.
type Numbers struct {
	values    [][]float64 // of each number, over the rows of a block
	positions [][]float64 // of each histogram, over the rows of a block or of a whole pilot
	isPilot   bool        // it keeps all positions
	counters  []*quantile.Counter
}

// NewNumbers returns an empty collector of n numbers with the pilot's bins.
func NewNumbers(n int, pilot moments.Node) *Numbers { return newNumbers(n, n, pilot.Histograms) }

// newNumbers returns an empty collector of values and histograms, which may be of different
// quantities.
func newNumbers(values, histograms int, pilot []moments.Histogram) *Numbers {
	return &Numbers{values: make([][]float64, values), positions: make([][]float64, histograms),
		counters: quantile.NewCounters(histograms, pilot)}
}

// Add adds number i of a row and its position on the scale of its histogram.
func (t *Numbers) Add(i int, x, place float64) {
	t.values[i] = append(t.values[i], x)
	t.positions[i] = append(t.positions[i], place)
}

// Node implements [Collector]. It counts positions histogram by histogram, since the bins of one
// fit into the first-level cache and the bins of all do not.
func (t *Numbers) Node(hasNext bool) (n moments.Node) {
	for i := range t.values {
		n.Moments = append(n.Moments, moments.New(t.values[i], experiment.ErrorOrder))
		t.values[i] = t.values[i][:0]
	}
	for i, c := range t.counters {
		if !t.isPilot {
			for _, at := range t.positions[i] {
				c.Add(c.Bin(at), 1)
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

// PilotPositions implements [Collector]; all rows are independent.
func (t *Numbers) PilotPositions() (places [][]float64, clusters func(row int) int) {
	if t.isPilot {
		places = t.positions
	}
	return places, nil
}
