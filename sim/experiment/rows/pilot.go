package rows

import (
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/statistics/quantile"
	"mcsim/sim/statistics/theory"
)

// The pilot of a cell samples rows in the same way, from a separate stream. It determines where
// quantiles are expected, so that the bins are fine there; which quantiles are on atoms; how well
// the standard error of a mean will be known; and how many events of each kind are expected. So the
// reported numbers do not influence whether they have a standard error or an interval.

// A pilot has a quarter of the cell's matrices, within these bounds.
const minMatrices, maxMatrices = 16, 64

// pilotRows returns the number of rows of a cell's pilot.
func pilotRows(c experiment.Cell) int64 {
	minRows := int64(1)
	if matrix := MatrixRows(c); matrix > 1 {
		minRows = min(max(c.Units/matrix/4, minMatrices), maxMatrices) * matrix
	}
	return max(quantile.PilotSize(c.Units), minRows)
}

// summarisePilot reduces the node of a pilot to its result for the given number of other units. It
// replaces the histograms by the windows of fine bins, and appends to the counts, for each
// histogram and each of quantile.Probabilities, 1 if there is an atom and 0 otherwise. positions
// has the positions of all rows for each histogram; clusters assigns rows to clusters, as in
// quantile.NewPilot.
func summarisePilot(n moments.Node, positions [][]float64, clusters func(row int) int, units int64) moments.Node {
	n.Histograms = nil
	for _, positionsOfOne := range positions {
		p := quantile.NewPilot(positionsOfOne, clusters, units)
		n.Histograms = append(n.Histograms, moments.Histogram{Windows: p.Windows()})
		n.Counts = append(n.Counts, p.AtomFlags()...)
	}
	return n
}

// PilotPositions implements [Collector]: rows are in clusters by their matrix.
func (t *Tally) PilotPositions() (places [][]float64, clusters func(row int) int) {
	if t.matrixRows == 1 {
		return t.Numbers.PilotPositions()
	}
	group := int(t.matrixRows) * kernel.Width
	return t.positions, func(row int) int { return row/group*kernel.Width + row%kernel.Width }
}

// pilotResult has the result of a cell's pilot for one scaling.
type pilotResult struct {
	sums  sums
	atoms []int64
}

// readPilot returns the result of a cell's pilot for scaling i.
func readPilot(pilot moments.Node, i, scalings int, matrix int64) pilotResult {
	perScaling := Histograms * len(quantile.Probabilities)
	atoms := pilot.Counts[len(pilot.Counts)-scalings*perScaling:]
	pilot.Histograms = nil
	return pilotResult{sumsOf(pilot, i, matrix), atoms[i*perScaling : (i+1)*perScaling]}
}

// HasFewEvents predicts from a pilot, in which count of its independent rows had an event, whether
// fewer than MinEvents of n rows will have the event or will not have it, and whether the event is
// the rarer of the two. It uses the smallest proportion that is compatible with the pilot (Clopper
// and Pearson).
func HasFewEvents(count, pilot, n int64) (few, rare bool) {
	rarer := min(count, pilot-count)
	lo, _ := theory.ClopperPearson(rarer, pilot, (1-experiment.Level)/2)
	return float64(lo*float64(n)) < experiment.MinEvents, 2*count <= pilot
}

// hasFewEvents is [HasFewEvents] for an event of this scaling. If rows share their keys, it counts
// matrices: there must be enough with a row that has the event, and enough with a row that does
// not.
func (l pilotResult) hasFewEvents(event int, n int64) (few, rare bool) {
	value, scatter := l.sums.proportion(event)
	pilot := l.sums.independent()
	if l.sums.matrixRows == 1 {
		return HasFewEvents(l.sums.events[event], pilot, n)
	}
	fewWith, _ := HasFewEvents(min(scatter.withEvent, pilot/2), pilot, n)
	fewWithout, _ := HasFewEvents(min(scatter.withoutEvent, pilot/2), pilot, n)
	return fewWith || fewWithout, value <= 0.5
}
