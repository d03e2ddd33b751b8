package precision

import (
	"math"
	"slices"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/statistics/quantile"
)

// tally collects the results of rows under each config: the total variation of the weights, and
// whether the first key's score overflowed.
type tally struct {
	*rows.Numbers
	configs       []config
	keys          int
	factor        float64                    // 1/√d, the scale of the exact logits
	sums          [kernel.Width][]*scoreSums // for each lane and config
	exactScores   [kernel.Width][]float64    // scores in float64 for each lane
	overflows     []int64                    // number of overflowed scores of first keys
	scratch       scratch
	query, key    []float64    // a chunk of components of one lane
	rounded       [2][]float64 // query and key in a format
	exactWeights  []float64
	logits        []float32
	formatWeights []float32
}

// newTally returns an empty tally.
func newTally(configs []config, keys, d int, pilot moments.Node) *tally {
	t := &tally{Numbers: rows.NewNumbers(len(configs), pilot), configs: configs, keys: keys,
		factor: 1 / math.Sqrt(float64(d)), overflows: make([]int64, len(configs)),
		exactWeights: make([]float64, keys), logits: make([]float32, keys), formatWeights: make([]float32, keys)}
	for lane := range t.sums {
		t.exactScores[lane] = make([]float64, keys)
		for _, cfg := range configs {
			t.sums[lane] = append(t.sums[lane],
				&scoreSums{config: cfg, factor: cfg.scale(d), float32Sums: make([]float32, keys),
					formatSums: make([]float64, keys), overflowed: make([]bool, keys)})
		}
	}
	return t
}

// beginRows starts sixteen rows.
func (t *tally) beginRows() {
	for lane := range t.sums {
		clear(t.exactScores[lane])
		for _, s := range t.sums[lane] {
			clear(s.float32Sums)
			clear(s.formatSums)
			clear(s.overflowed)
		}
	}
}

// componentChunk is the number of components that are rounded and multiplied at once, so that they
// stay in the cache.
const componentChunk = 256

// addComponents adds the next components of sixteen queries and of the keys of each. key has the
// keys in sequence.
func (t *tally) addComponents(query, key [][kernel.Width]float32) {
	for lane := range kernel.Width {
		for first := 0; first < len(query); first += componentChunk {
			t.query, t.key = t.query[:0], t.key[:0]
			for i := first; i < min(first+componentChunk, len(query)); i++ {
				t.query = append(t.query, float64(query[i][lane]))
				for j := range t.keys {
					t.key = append(t.key, float64(key[j*len(query)+i][lane]))
				}
			}
			t.addLane(lane)
		}
	}
}

// addLane adds the components of one lane that are in t.query and t.key.
func (t *tally) addLane(lane int) {
	AddProducts(t.exactScores[lane], t.query, t.key)
	for i, s := range t.sums[lane] {
		if i == 0 || s.format != t.configs[i-1].format {
			t.rounded[0] = roundAll(s.format, t.rounded[0], t.query)
			t.rounded[1] = roundAll(s.format, t.rounded[1], t.key)
		}
		s.addProducts(t.rounded[0], t.rounded[1], &t.scratch)
	}
}

// roundAll writes the numbers, rounded to the format, to dst[:0].
func roundAll(f *Format, dst, numbers []float64) []float64 {
	dst = dst[:0]
	for _, x := range numbers {
		dst = append(dst, f.Round(x))
	}
	return dst
}

// endRows ends sixteen rows after their last components.
func (t *tally) endRows() {
	for lane := range t.sums {
		for j, s := range t.exactScores[lane] {
			t.exactScores[lane][j] = float64(s * t.factor)
		}
		SoftmaxFloat64(t.exactScores[lane], t.exactWeights)
		for i, s := range t.sums[lane] {
			s.storeLogits(t.logits)
			if s.overflowed[0] {
				t.overflows[i]++
			}
			variation := 1.0
			if SoftmaxFloat32(t.logits, t.formatWeights) {
				variation = TotalVariation(t.formatWeights, t.exactWeights)
			}
			t.Add(i, variation, quantile.Logit(variation, 1-variation))
		}
	}
}

// Node returns the node of the numbers, with the counts of overflows.
func (t *tally) Node(hasNext bool) moments.Node {
	n := t.Numbers.Node(hasNext)
	n.Counts = slices.Clone(t.overflows)
	clear(t.overflows)
	return n
}
