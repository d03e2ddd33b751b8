package precision

import (
	"math"
	"slices"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/statistics/quantile"
)

// tally collects what each way makes of rows: the total variation of the weights, and
// whether the first key's score overflowed.
type tally struct {
	*rows.Numbers
	ways      []way
	keys      int
	factor    float64                 // 1/√d, of the logits in float64
	sums      [kernel.Width][]*sums   // of each lane's row, in each way
	exact     [kernel.Width][]float64 // its scores in float64
	overflows []int64                 // how many first keys overflowed
	scratch   scratch
	query     []float64 // components of one lane
	key       []float64
	stored    [2][]float64 // query and key in a format
	weights   []float64
	logits    []float32
	shares    []float32
}

// newTally returns an empty one.
func newTally(ways []way, keys, d int, pilot moments.Node) *tally {
	t := &tally{Numbers: rows.NewNumbers(len(ways), pilot), ways: ways, keys: keys,
		factor: 1 / math.Sqrt(float64(d)), overflows: make([]int64, len(ways)),
		weights: make([]float64, keys), logits: make([]float32, keys), shares: make([]float32, keys)}
	for lane := range t.sums {
		t.exact[lane] = make([]float64, keys)
		for _, w := range ways {
			t.sums[lane] = append(t.sums[lane], &sums{way: w, factor: w.scale(d), single: make([]float32, keys),
				own: make([]float64, keys), overflowed: make([]bool, keys)})
		}
	}
	return t
}

// begin begins sixteen rows.
func (t *tally) begin() {
	for lane := range t.sums {
		clear(t.exact[lane])
		for _, s := range t.sums[lane] {
			clear(s.single)
			clear(s.own)
			clear(s.overflowed)
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
		for first := 0; first < len(query); first += atOnce {
			t.query, t.key = t.query[:0], t.key[:0]
			for i := first; i < min(first+atOnce, len(query)); i++ {
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
	Plain(t.exact[lane], t.query, t.key)
	for i, s := range t.sums[lane] {
		if i == 0 || s.format != t.ways[i-1].format {
			t.stored[0] = stored(s.format, t.stored[0], t.query)
			t.stored[1] = stored(s.format, t.stored[1], t.key)
		}
		s.add(t.stored[0], t.stored[1], &t.scratch)
	}
}

// stored are numbers rounded to a format.
func stored(f *Format, dst, numbers []float64) []float64 {
	dst = dst[:0]
	for _, x := range numbers {
		dst = append(dst, f.Round(x))
	}
	return dst
}

// rows ends sixteen rows, all components of which were taken.
func (t *tally) rows() {
	for lane := range t.sums {
		for j, s := range t.exact[lane] {
			t.exact[lane][j] = float64(s * t.factor)
		}
		Exact(t.exact[lane], t.weights)
		for i, s := range t.sums[lane] {
			s.logits(t.logits)
			if s.overflowed[0] {
				t.overflows[i]++
			}
			variation := 1.0
			if Softmax(t.logits, t.shares) {
				variation = TotalVariation(t.shares, t.weights)
			}
			t.Add(i, variation, quantile.Logit(variation, 1-variation))
		}
	}
}

// Node returns the node of the numbers, with the counts of overflows.
func (t *tally) Node(more bool) moments.Node {
	n := t.Numbers.Node(more)
	n.Counts = slices.Clone(t.overflows)
	clear(t.overflows)
	return n
}
