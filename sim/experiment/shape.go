package experiment

import (
	"cmp"
	"errors"
	"slices"

	"mcsim/sim/base/moments"
	"mcsim/sim/statistics/quantile"
)

// Shape has the numbers of counts and histograms of a cell's nodes and of its bin pilot. The pilot
// has PilotColumns more columns than [Sampler.Columns], of order 2.
type Shape struct {
	Counts, Histograms                         int
	PilotCounts, PilotHistograms, PilotColumns int
	// Bins is the number of bins of a histogram without fine bins. 0 means those of package quantile.
	Bins int
	// MaxCount returns the largest value of count i of a node. Nil means the number of units.
	MaxCount func(n moments.Node, i int) int64
	// Histogram returns which histogram of the pilot has the windows of histogram i, and how many
	// numbers of a unit histogram i counts. Nil means i and 1.
	Histogram func(i int) (inPilot int, numbersPerUnit int64)
}

// NewBinnedShape returns the shape of nodes with fine bins. Their pilot has the same numbers and,
// for each of pilotHistograms, the windows and the flags of atoms.
func NewBinnedShape(counts, histograms, pilotHistograms int) Shape {
	return Shape{Counts: counts, Histograms: histograms, PilotHistograms: pilotHistograms,
		PilotCounts: counts + pilotHistograms*len(quantile.Probabilities)}
}

// ErrImpossible is the error of a node that no run samples. Its bytes were changed, and their
// checksum was computed again.
var ErrImpossible = errors.New("its sums are not those of any run, although their checksum is right; " +
	"draw them, or their shard, again with run --fresh")

// shape returns the shape of the cell's nodes.
func (c Cell) shape() Shape {
	if c.Experiment.Sampler.Shape == nil {
		return Shape{}
	}
	return c.Experiment.Sampler.Shape(c)
}

// CheckNode returns ErrImpossible if a merged node of the cell does not have its shape, or if a
// number is out of range. SetPilot must have set the bin pilot, if the cell has one.
func (c Cell) CheckNode(n moments.Node) error {
	s := c.shape()
	if !s.hasCounts(n, s.Counts, s.Histograms) || !c.hasColumns(n, 0) {
		return ErrImpossible
	}
	for i, h := range n.Histograms {
		inPilot, numbersPerUnit := i, int64(1)
		if s.Histogram != nil {
			inPilot, numbersPerUnit = s.Histogram(i)
		}
		var windows []moments.Window
		if c.Experiment.Sampler.HasFineBins {
			windows = c.pilotNode.Histograms[inPilot].Windows
		}
		bins := cmp.Or(s.Bins, quantile.CountBins(windows))
		if !slices.Equal(h.Windows, windows) || h.FirstBin+len(h.Counts) > bins ||
			h.Total() != n.Moments[0].N*numbersPerUnit {
			return ErrImpossible
		}
	}
	return nil
}

// CheckPilot checks the result of the cell's bin pilot as CheckNode checks a node.
func (c Cell) CheckPilot(n moments.Node) error {
	s := c.shape()
	counts, histograms := s.Counts, s.Histograms
	if c.Experiment.Sampler.HasFineBins {
		counts, histograms = s.PilotCounts, s.PilotHistograms
	}
	blocks := 1 + (c.Experiment.Sampler.Pilot(c).Units-1)/c.BlockUnits()
	if !s.hasCounts(n, counts, histograms) || !c.hasColumns(n, s.PilotColumns) ||
		n.Moments[0].N != blocks*c.BlockUnits() {
		return ErrImpossible
	}
	for _, h := range n.Histograms {
		if !quantile.AreWindows(h.Windows) || h.FirstBin != 0 || len(h.Counts) > 0 {
			return ErrImpossible
		}
	}
	return nil
}

// hasColumns reports whether a node has the moments of the cell's columns, each of as many numbers
// as the units of the first column require, and of the given number of columns of a pilot, of order
// 2 and at most as many numbers.
func (c Cell) hasColumns(n moments.Node, pilotColumns int) bool {
	columns := c.Experiment.Sampler.Columns(c)
	if len(n.Moments) != len(columns)+pilotColumns {
		return false
	}
	units := n.Moments[0].N
	for i, column := range columns {
		numbers := units
		if column.PerBlock > 0 {
			numbers = units / c.BlockUnits() * column.PerBlock
		}
		if m := n.Moments[i]; m.Order != column.Order || m.N != numbers || m.N < 1 {
			return false
		}
	}
	return !slices.ContainsFunc(n.Moments[len(columns):],
		func(m moments.Moments) bool { return m.Order != 2 || m.N < 0 || m.N > units })
}

// hasCounts reports whether a node has the numbers of counts and histograms, and every count is in
// range.
func (s Shape) hasCounts(n moments.Node, counts, histograms int) bool {
	if len(n.Moments) == 0 || len(n.Counts) != counts || len(n.Histograms) != histograms {
		return false
	}
	for i, count := range n.Counts {
		limit := n.Moments[0].N
		if s.MaxCount != nil {
			limit = s.MaxCount(n, i)
		}
		if count < 0 || count > limit {
			return false
		}
	}
	return true
}
