package ranks

import (
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/moments"
)

// numbers is how many numbers of a row are collected under each scaling: the weights of
// its keys by rank, and R behind them.
func numbers(keys int) int { return keys + 1 }

// tally collects the numbers of rows under every scaling: those of the first, then of the
// second.
type tally struct {
	*rows.Numbers
	scalings                []rows.Scaling
	scores, weights, others []float64 // of one row
}

// newTally returns an empty one of rows of so many keys.
func newTally(keys int, scalings []rows.Scaling, pilot moments.Node) *tally {
	return &tally{rows.NewNumbers(len(scalings)*numbers(keys), pilot), scalings,
		make([]float64, keys), make([]float64, keys), make([]float64, keys)}
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
				t.Add(first+k, w, t.others[k])
			}
			t.Add(first+len(scores), survival, 1-survival)
		}
	}
}
