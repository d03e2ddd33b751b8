package rows

import (
	"math"

	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/moments"
	"mcsim/sim/quantile"
)

// What rows will tell is learnt from a pilot: rows of a stream of their own, which are
// drawn as those of the cell are. It says where the quantiles will lie, so that their
// bins are fine there, and which of them fall on atoms; how well a mean will know its own
// error; and how many events to expect of each kind. So none of the numbers that are
// reported has a say in whether it has an error or an interval.

// leastMatrices is how many matrices a pilot has at least: a quarter of those of the cell,
// within these bounds.
const leastMatrices, enoughMatrices = 16, 64

// pilotRows is how many rows the pilot of a cell should have.
func pilotRows(c experiment.Cell, matrix int64) int64 {
	least := int64(1)
	if matrix > 1 {
		least = min(max(c.Units/matrix/4, leastMatrices), enoughMatrices) * matrix
	}
	return max(quantile.PilotSize(c.Units), least)
}

// Pilot draws blocks of rows with draw, which a tally without fine bins takes, until there
// are enough, and returns what they teach.
func Pilot(c experiment.Cell, t *Tally, next func() *experiment.Draw, draw func(*experiment.Draw)) moments.Node {
	t.places = true
	for want := pilotRows(c, t.matrix); t.rows() < want; {
		d := next()
		if d == nil {
			return moments.Node{}
		}
		draw(d)
	}
	var windows []moments.Histogram
	var atoms []int64
	for i := range t.by {
		for j := range Histograms {
			p := quantile.NewPilot(t.by[i].places[j], t.clusters(), c.Units)
			windows = append(windows, moments.Histogram{Windows: p.Windows()})
			for _, q := range quantile.Points {
				atom := int64(0)
				if p.Atom(q) {
					atom = 1
				}
				atoms = append(atoms, atom)
			}
		}
	}
	n := t.Node(false)
	n.Counts, n.Histograms = append(n.Counts, atoms...), windows
	return n
}

// rows is how many rows there are since the last node.
func (t *Tally) rows() int64 {
	if len(t.by) == 0 {
		return math.MaxInt64 // of no scaling nothing is to be learnt
	}
	return int64(len(t.by[0].values[0]))
}

// clusters says which matrix each row is of, nil if rows share no keys.
func (t *Tally) clusters() func(row int) int {
	if t.matrix == 1 {
		return nil
	}
	group := int(t.matrix) * kernel.Width
	return func(row int) int { return row/group*kernel.Width + row%kernel.Width }
}

// Learnt is what a cell's pilot says of one scaling.
type Learnt struct {
	sums  Sums
	atoms []int64
}

// LearntOf is what the cell's pilot says of scaling i of so many.
func LearntOf(pilot moments.Node, i, scalings int, matrix int64) Learnt {
	const each = Histograms * 5
	atoms := pilot.Counts[len(pilot.Counts)-scalings*each:]
	pilot.Histograms = nil
	return Learnt{SumsOf(pilot, i, matrix), atoms[i*each : (i+1)*each]}
}

// atom reports whether many rows have the same number near the quantile of a histogram,
// which is one of quantile.Points.
func (l Learnt) atom(histogram, point int) bool {
	return l.atoms[histogram*len(quantile.Points)+point] != 0
}

// fewest is the number of events below which a share has no standard error.
const fewest = 20

// Few reports whether of n rows fewer than that have an event of the given share, or lack
// it; and which of the two is rarer.
func Few(share float64, n int64) (few, rare bool) {
	return float64(min(share, 1-share)*float64(n)) < fewest, share <= 0.5
}

// few is the same of an event by the pilot's share of it.
func (l Learnt) few(share int, n int64) (few, rare bool) {
	value, _ := l.sums.share(share)
	return Few(value, n)
}
