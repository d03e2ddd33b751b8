package precision

import (
	"math"

	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/moments"
	"mcsim/sim/precision"
	"mcsim/sim/quantile"
)

// tally collects what each way makes of rows: the total variation of the weights, and
// whether the first key's score overflowed.
type tally struct {
	ways     []way
	keys     int
	factor   float64                 // 1/√d, of the logits in float64
	sums     [kernel.Width][]*sums   // of each lane's row, in each way
	exact    [kernel.Width][]float64 // its scores in float64
	values   [][]float64             // total variation of the rows of a block, in each way
	over     []int64                 // how many first keys overflowed
	counters []*quantile.Counter     // of values, in as many bins as the pilot asked for
	places   [][]float64             // of a pilot alone: on the scale of the histograms
	scratch  scratch
	query    []float64 // components of one lane
	key      []float64
	stored   [2][]float64 // query and key in a format
	weights  []float64
	logits   []float32
	shares   []float32
}

// newTally returns an empty one.
func newTally(ways []way, keys, d int, pilot moments.Node) *tally {
	t := &tally{ways: ways, keys: keys, factor: 1 / math.Sqrt(float64(d)), values: make([][]float64, len(ways)), over: make([]int64, len(ways)),
		weights: make([]float64, keys), logits: make([]float32, keys), shares: make([]float32, keys)}
	for lane := range t.sums {
		t.exact[lane] = make([]float64, keys)
		for _, w := range ways {
			t.sums[lane] = append(t.sums[lane], newSums(w, keys, d))
		}
	}
	for i := range ways {
		var windows []moments.Window
		if i < len(pilot.Histograms) {
			windows = pilot.Histograms[i].Windows
		}
		t.counters = append(t.counters, quantile.NewCounter(windows))
	}
	return t
}

// begin begins sixteen rows.
func (t *tally) begin() {
	for lane := range t.sums {
		clear(t.exact[lane])
		for _, s := range t.sums[lane] {
			s.clear()
		}
	}
}

// atOnce is how many components are rounded and multiplied at once, so that they stay in
// the cache.
const atOnce = 256

// components takes the next components of sixteen queries, and of the keys of each, one key
// behind the other.
func (t *tally) components(query, key [][kernel.Width]float32) {
	for lane := range kernel.Width {
		for from := 0; from < len(query); from += atOnce {
			t.query, t.key = t.query[:0], t.key[:0]
			for i := from; i < min(from+atOnce, len(query)); i++ {
				t.query = append(t.query, float64(query[i][lane]))
				for j := range t.keys {
					t.key = append(t.key, float64(key[j*len(query)+i][lane]))
				}
			}
			t.add(lane)
		}
	}
}

// add takes the components of one lane that are held.
func (t *tally) add(lane int) {
	precision.Double(t.exact[lane], t.query, t.key)
	for i, s := range t.sums[lane] {
		if i == 0 || s.format != t.ways[i-1].format {
			t.stored[0] = stored(s.format, t.stored[0], t.query)
			t.stored[1] = stored(s.format, t.stored[1], t.key)
		}
		s.add(t.stored[0], t.stored[1], &t.scratch)
	}
}

// stored are numbers rounded to a format.
func stored(f *precision.Format, to, of []float64) []float64 {
	to = to[:0]
	for _, x := range of {
		to = append(to, f.Round(x))
	}
	return to
}

// rows ends sixteen rows, all components of which were taken.
func (t *tally) rows() {
	for lane := range t.sums {
		for j, s := range t.exact[lane] {
			t.exact[lane][j] = float64(s * t.factor)
		}
		precision.Exact(t.exact[lane], t.weights)
		for i, s := range t.sums[lane] {
			s.logits(t.logits)
			if s.over[0] {
				t.over[i]++
			}
			variation := 1.0
			if precision.Softmax(t.logits, t.shares) {
				variation = precision.TotalVariation(t.shares, t.weights)
			}
			t.number(i, variation)
		}
	}
}

// number takes the total variation of a row.
func (t *tally) number(i int, x float64) {
	t.values[i] = append(t.values[i], x)
	at := quantile.Logit(x, 1-x)
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
		n.Counts = append(n.Counts, t.over[i])
		t.over[i] = 0
		if !more {
			n.Histograms = append(n.Histograms, t.counters[i].Take())
		}
	}
	return n
}
