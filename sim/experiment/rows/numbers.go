package rows

import (
	"fmt"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/statistics/quantile"
)

// Collector is what the rows of a block are drawn into.
type Collector interface {
	// Node returns what was collected, and starts again, but for the histograms if more
	// follows that is merged with it.
	Node(more bool) moments.Node
	// Learn makes it keep all places on the scales of the histograms, for a pilot.
	Learn()
	// Learnt are these places; clusters says of each row what it is in, as quantile.NewPilot
	// has it.
	Learnt() (places [][]float64, clusters func(row int) int)
}

// Opener makes, with the bins that a pilot asked for, what collects rows of a cell, and what
// draws a block into it.
type Opener func(c experiment.Cell, pilot moments.Node) (Collector, func(*experiment.BlockStream))

// WithFineBins returns the sampler with blocks and a pilot that are sampled as open says, and with
// histograms whose fine bins the pilot places.
func WithFineBins(s experiment.Sampler, open Opener) *experiment.Sampler {
	s.HasFineBins = true
	contents := s.Contents
	s.Contents = func(c experiment.Cell) string { // and for how many rows the bins of histograms are made
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
		collector.Learn()
		block := func(from *experiment.BlockStream) (none moments.Node) {
			draw(from)
			return none
		}
		return experiment.Pilot{Units: pilotRows(c), Block: block, Summarise: func(moments.Node) moments.Node {
			places, clusters := collector.Learnt()
			return teach(collector.Node(false), places, clusters, c.Units)
		}}
	}
	return &s
}

// Numbers collects numbers of rows, as many of each row, under
// their places in a node.
type Numbers struct {
	values   [][]float64 // of the rows of a block
	places   [][]float64 // likewise, on the scales of the histograms; of a pilot those of all rows
	learns   bool        // is of a pilot
	counters []*quantile.Counter
}

// NewNumbers returns an empty collection of so many, in as many bins as the pilot asked for.
func NewNumbers(n int, pilot moments.Node) *Numbers { return newNumbers(n, n, pilot.Histograms) }

// newNumbers returns one of so many numbers and histograms, which need not be of the same.
func newNumbers(values, histograms int, pilot []moments.Histogram) *Numbers {
	return &Numbers{values: make([][]float64, values), places: make([][]float64, histograms),
		counters: quantile.Counters(histograms, pilot)}
}

// Add takes number i of a row, and its place on the scale of its histogram.
func (t *Numbers) Add(i int, x, place float64) {
	t.values[i] = append(t.values[i], x)
	t.places[i] = append(t.places[i], place)
}

// Node implements [Collector]. Places are counted histogram by histogram: the bins of one stay in
// the first cache, those of all would not.
func (t *Numbers) Node(more bool) (n moments.Node) {
	for i := range t.values {
		n.Moments = append(n.Moments, moments.New(t.values[i], experiment.ErrorOrder))
		t.values[i] = t.values[i][:0]
	}
	for i, c := range t.counters {
		if !t.learns {
			for _, at := range t.places[i] {
				c.Add(c.Bin(at), 1)
			}
			t.places[i] = t.places[i][:0]
		}
		if !more {
			n.Histograms = append(n.Histograms, c.Take())
		}
	}
	return n
}

// Learn implements [Collector].
func (t *Numbers) Learn() { t.learns = true }

// Learnt implements [Collector]; all rows are independent. It returns nil if nothing is learnt.
func (t *Numbers) Learnt() (places [][]float64, clusters func(row int) int) {
	if t.learns {
		places = t.places
	}
	return places, nil
}
