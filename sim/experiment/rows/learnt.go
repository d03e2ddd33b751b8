package rows

import (
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/statistics/quantile"
	"mcsim/sim/statistics/theory"
)

// What rows will tell is learnt from a pilot: rows of a stream of their own, which are
// drawn as those of the cell are. It says where the quantiles will lie, so that their
// bins are fine there, and which of them fall on atoms; how well a mean will know its own
// error; and how many events to expect of each kind. So none of the numbers that are
// reported has a say in whether it has an error or an interval.

// minMatrices is how many matrices a pilot has at least: a quarter of those of the cell,
// within these bounds.
const minMatrices, enoughMatrices = 16, 64

// pilotRows returns how many rows the pilot of a cell should have.
func pilotRows(c experiment.Cell) int64 {
	minRows := int64(1)
	if matrix := MatrixRows(c); matrix > 1 {
		minRows = min(max(c.Units/matrix/4, minMatrices), enoughMatrices) * matrix
	}
	return max(quantile.PilotSize(c.Units), minRows)
}

// teach makes of the node of a pilot what it teaches of as many other rows as units says:
// in place of its histograms the windows that theirs should have, and behind its counts 1
// for each of quantile.Points at which there is an atom, and else 0, of each number of a
// row whose places on the scale are given. The rows are in clusters as quantile.NewPilot
// has them.
func teach(n moments.Node, places [][]float64, clusters func(row int) int, units int64) moments.Node {
	n.Histograms = nil
	for _, of := range places {
		p := quantile.NewPilot(of, clusters, units)
		n.Histograms = append(n.Histograms, moments.Histogram{Windows: p.Windows()})
		n.Counts = append(n.Counts, p.AtomFlags()...)
	}
	return n
}

// Learnt implements [Collector]: rows are in clusters by their matrix.
func (t *Tally) Learnt() (places [][]float64, clusters func(row int) int) {
	if t.matrix == 1 {
		return t.Numbers.Learnt()
	}
	group := int(t.matrix) * kernel.Width
	return t.places, func(row int) int { return row/group*kernel.Width + row%kernel.Width }
}

// learnt is what a cell's pilot says of one scaling.
type learnt struct {
	sums  sums
	atoms []int64
}

// learntOf returns what the cell's pilot says of scaling i of so many.
func learntOf(pilot moments.Node, i, scalings int, matrix int64) learnt {
	each := Histograms * len(quantile.Probabilities)
	atoms := pilot.Counts[len(pilot.Counts)-scalings*each:]
	pilot.Histograms = nil
	return learnt{sumsOf(pilot, i, matrix), atoms[i*each : (i+1)*each]}
}

// Few reports whether of n rows fewer than that may well have an event, or lack it, which
// so many of a pilot's independent rows had; and which of the two is rarer. The least
// share that the pilot leaves possible, by Clopper and Pearson's limit, is what counts.
func Few(count, pilot, n int64) (few, rare bool) {
	rarer := min(count, pilot-count)
	lo, _ := theory.ClopperPearson(rarer, pilot, (1-experiment.Level)/2)
	return float64(lo*float64(n)) < experiment.MinEvents, 2*count <= pilot
}

// few is [Few] for a share of n rows. If rows share their keys it is for n matrices: enough of them must have
// a row with the event, and enough a row without it.
func (l learnt) few(share int, n int64) (few, rare bool) {
	value, spread := l.sums.share(share)
	pilot := l.sums.independent()
	if l.sums.matrix == 1 {
		return Few(l.sums.shares[share], pilot, n)
	}
	some, _ := Few(min(spread.some, pilot/2), pilot, n)
	lacking, _ := Few(min(spread.lacking, pilot/2), pilot, n)
	return some || lacking, value <= 0.5
}
