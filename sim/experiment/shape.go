package experiment

import (
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
	// MaxCount returns the largest value of count i of a node. Nil means the number of units.
	MaxCount func(n moments.Node, i int) int64
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
	"draw them again with run --fresh")

// pilotColumn is the name of the additional columns of a pilot.
const pilotColumn = "pilot"

// shape returns the shape of the cell's nodes.
func (c Cell) shape() Shape {
	if c.Experiment.Sampler.Shape == nil {
		return Shape{}
	}
	return c.Experiment.Sampler.Shape(c)
}

// CheckNode returns ErrImpossible if a merged node of the cell does not have its shape, or if a
// count is out of range. SetPilot must have set the bin pilot, if the cell has one.
func (c Cell) CheckNode(n moments.Node) error {
	s := c.shape()
	hasPilotWindows := s.Histograms == s.PilotHistograms
	for i, h := range n.Histograms {
		if h.Total() < 1 || hasPilotWindows && i < s.Histograms &&
			!slices.Equal(h.Windows, c.pilotNode.Histograms[i].Windows) {
			return ErrImpossible
		}
	}
	return s.check(n, c.Experiment.Sampler.Columns(c), s.Counts, s.Histograms)
}

// CheckPilot checks the result of the cell's bin pilot as CheckNode checks a node.
func (c Cell) CheckPilot(n moments.Node) error {
	s := c.shape()
	counts, histograms := s.Counts, s.Histograms
	if c.Experiment.Sampler.HasFineBins {
		counts, histograms = s.PilotCounts, s.PilotHistograms
	}
	columns := slices.Concat(c.Experiment.Sampler.Columns(c), Columns(pilotColumn, 2, s.PilotColumns))
	return s.check(n, columns, counts, histograms)
}

// check returns ErrImpossible if a node does not have the columns, or the numbers of counts and
// histograms, or if its numbers are out of range. Columns of the same name, except those of a
// pilot, have the same number of units.
func (s Shape) check(n moments.Node, columns []Column, counts, histograms int) error {
	if len(n.Moments) != len(columns) || len(n.Counts) != counts || len(n.Histograms) != histograms {
		return ErrImpossible
	}
	for i, column := range columns {
		m := n.Moments[i]
		isLikeBefore := i == 0 || column.Name != columns[i-1].Name || m.N == n.Moments[i-1].N
		if m.Order != column.Order || m.N < 0 || i == 0 && m.N < 1 || !isLikeBefore && column.Name != pilotColumn {
			return ErrImpossible
		}
	}
	for i, count := range n.Counts {
		limit := n.Moments[0].N
		if s.MaxCount != nil {
			limit = s.MaxCount(n, i)
		}
		if count < 0 || count > limit {
			return ErrImpossible
		}
	}
	for _, h := range n.Histograms {
		if !quantile.AreWindows(h.Windows) {
			return ErrImpossible
		}
	}
	return nil
}
