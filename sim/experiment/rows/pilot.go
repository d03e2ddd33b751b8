package rows

import (
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/statistics/quantile"
	"mcsim/sim/statistics/theory"
)

// The pilot of a cell samples rows like the cell itself, but from a separate stream. It predicts
// where the quantiles are, so that the bins are fine there; which quantiles are on atoms; how well
// the standard error of a mean will be known; and how many events of each kind there will be.
// Because the stream is separate, the reported numbers do not influence whether they have a
// standard error or an interval.

// If rows share their keys, a pilot has a quarter of the cell's matrices, within these bounds.
const minMatrices, maxMatrices = 16, 64

// pilotRows returns the number of rows of a cell's pilot.
func pilotRows(c experiment.Cell) int64 {
	minRows := int64(1)
	if matrixRows := MatrixRows(c); matrixRows > 1 {
		matrices := c.Units / matrixRows
		minRows = min(max(matrices/4, minMatrices), maxMatrices) * matrixRows
	}
	return max(quantile.PilotSize(c.Units), minRows)
}

// summarisePilot reduces the node of a pilot to its result for a cell with the given number of
// units. It replaces the histograms by the windows of fine bins. For each histogram and each of
// quantile.Probabilities it appends 1 to the counts if the quantile is on an atom, and 0 otherwise.
// positions and clusters are the results of Collector.PilotPositions.
func summarisePilot(n moments.Node, positions [][]float64, clusters func(row int) int, units int64) moments.Node {
	n.Histograms = nil
	for _, histogramPositions := range positions {
		p := quantile.NewPilot(histogramPositions, clusters, units)
		n.Histograms = append(n.Histograms, moments.Histogram{Windows: p.Windows()})
		n.Counts = append(n.Counts, p.AtomFlags()...)
	}
	return n
}

// PilotPositions implements [Collector]. The rows of a matrix are a cluster.
func (t *Tally) PilotPositions() (positions [][]float64, clusters func(row int) int) {
	if t.matrixRows == 1 {
		return t.Numbers.PilotPositions()
	}
	// Sixteen matrices are sampled together: their first rows, one in each lane, then their second
	// rows, and so on.
	groupRows := int(t.matrixRows) * kernel.Width
	return t.positions, func(row int) int { return row/groupRows*kernel.Width + row%kernel.Width }
}

// pilotResult has the result of a cell's pilot for one scaling.
type pilotResult struct {
	sums  sums
	atoms []int64 // 1 for each histogram and quantile that is on an atom, 0 otherwise
}

// readPilot returns the result of a cell's pilot for scaling i.
func readPilot(pilot moments.Node, i, scalings int, matrixRows int64) pilotResult {
	perScaling := Histograms * len(quantile.Probabilities)
	atoms := pilot.Counts[len(pilot.Counts)-scalings*perScaling:]
	pilot.Histograms = nil // they have only windows of bins, without counts
	return pilotResult{sums: sumsOf(pilot, i, matrixRows), atoms: atoms[i*perScaling : (i+1)*perScaling]}
}

// HasFewEvents predicts the number of rows with an event from a pilot with pilotSize independent
// rows, of which count have the event. few means that possibly fewer than MinEvents of n rows will
// have the event, or possibly fewer than MinEvents will lack it. rare means that at most half of
// the pilot's rows have the event. The prediction uses the smallest proportion that is compatible
// with the pilot (the lower limit of Clopper and Pearson).
func HasFewEvents(count, pilotSize, n int64) (few, rare bool) {
	rarer := min(count, pilotSize-count)
	lo, _ := theory.ClopperPearson(rarer, pilotSize, (1-experiment.Level)/2)
	return float64(lo*float64(n)) < experiment.MinEvents, 2*count <= pilotSize
}

// hasFewEvents applies [HasFewEvents] to an event of this scaling. If rows share their keys, it
// counts matrices: few means that too few matrices have some row with the event, or that too few
// have some row without it.
func (p pilotResult) hasFewEvents(event int, n int64) (few, rare bool) {
	value, scatter := p.sums.proportion(event)
	pilotSize := p.sums.independentCount()
	if p.sums.matrixRows == 1 {
		return HasFewEvents(p.sums.events[event], pilotSize, n)
	}
	// HasFewEvents also returns true if nearly all of pilotSize are counted. Only small counts
	// matter here, so counts are limited to half of pilotSize.
	fewWith, _ := HasFewEvents(min(scatter.withEvent, pilotSize/2), pilotSize, n)
	fewWithout, _ := HasFewEvents(min(scatter.withoutEvent, pilotSize/2), pilotSize, n)
	return fewWith || fewWithout, value <= 0.5
}
