package ranks

import (
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/moments"
	"mcsim/sim/quantile"
)

// numbers is how many numbers of a row are collected under each scaling: the weights of
// its keys by rank, and R behind them.
func numbers(keys int) int { return keys + 1 }

// tally collects the numbers of rows under every scaling: those of the first, then of the
// second. All of a row lie between 0 and 1.
type tally struct {
	scalings []rows.Scaling
	values   [][]float64         // of the rows of a block
	counters []*quantile.Counter // in as many bins as the pilot asked for
	places   [][]float64         // of a pilot alone: on the scale of the histograms

	scores, weights, others []float64 // of one row
}

// newTally returns an empty one of rows of so many keys.
func newTally(keys int, scalings []rows.Scaling, pilot moments.Node) *tally {
	t := &tally{scalings: scalings, values: make([][]float64, len(scalings)*numbers(keys)),
		scores: make([]float64, keys), weights: make([]float64, keys), others: make([]float64, keys)}
	for i := range t.values {
		var windows []moments.Window
		if i < len(pilot.Histograms) {
			windows = pilot.Histograms[i].Windows
		}
		t.counters = append(t.counters, quantile.NewCounter(windows))
	}
	return t
}

// add takes sixteen rows of scores.
func (t *tally) add(scores [][kernel.Width]float32) {
	for lane := range kernel.Width {
		for k := range scores {
			t.scores[k] = float64(scores[k][lane])
		}
		fall(t.scores) // once for all scalings, of which none turns the order round
		for i, s := range t.scalings {
			survival := weigh(t.scores, s.Factor, t.weights, t.others)
			first := i * numbers(len(scores))
			for k, w := range t.weights {
				t.number(first+k, w, t.others[k])
			}
			t.number(first+len(scores), survival, 1-survival)
		}
	}
}

// number takes one that leaves rest to 1.
func (t *tally) number(i int, x, rest float64) {
	t.values[i] = append(t.values[i], x)
	at := quantile.Logit(x, rest)
	t.counters[i].Add(t.counters[i].Bin(at), 1)
	if t.places != nil {
		t.places[i] = append(t.places[i], at)
	}
}

// node returns what was collected, and starts again, but for the histograms if more
// follows that is merged with it.
func (t *tally) node(more bool) (n moments.Node) {
	for i := range t.values {
		n.Moments = append(n.Moments, moments.Of(t.values[i], experiment.ErrorOrder))
		t.values[i] = t.values[i][:0]
		if !more {
			n.Histograms = append(n.Histograms, t.counters[i].Take())
		}
	}
	return n
}
