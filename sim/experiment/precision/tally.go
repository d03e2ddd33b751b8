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
// whether the score of the first key overflowed.
type tally struct {
	*rows.Numbers
	configs     []config
	keys        int
	factor      float64                    // 1/√d, the scale of the exact logits
	sums        [kernel.Width][]*scoreSums // sums[lane] has the sums of each config
	exactScores [kernel.Width][]float64    // scores in float64 of each lane
	overflows   []int64                    // number of rows of each config whose first score overflowed

	// scratch of one lane
	scratch                  scratch
	query, key               []float64 // a chunk of components
	roundedQuery             []float64 // query in a format
	roundedKey               []float64 // key in a format
	exactWeights             []float64
	logits, formattedWeights []float32 // under one config
}

// newTally returns an empty tally. The result of a pilot determines the fine bins.
func newTally(configs []config, keys, d int, pilot moments.Node) *tally {
	t := &tally{
		Numbers:          rows.NewNumbers(len(configs), pilot),
		configs:          configs,
		keys:             keys,
		factor:           1 / math.Sqrt(float64(d)),
		overflows:        make([]int64, len(configs)),
		exactWeights:     make([]float64, keys),
		logits:           make([]float32, keys),
		formattedWeights: make([]float32, keys),
	}
	for lane := range t.sums {
		t.exactScores[lane] = make([]float64, keys)
		for _, cfg := range configs {
			t.sums[lane] = append(t.sums[lane], &scoreSums{
				config:      cfg,
				factor:      cfg.scale(d),
				float32Sums: make([]float32, keys),
				formatSums:  make([]float64, keys),
				overflowed:  make([]bool, keys),
			})
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

// addComponents adds the next components of sixteen queries and of their keys. Component i of key j
// is key[j·n+i], where n is the number of components.
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
		isNewFormat := i == 0 || s.format != t.configs[i-1].format
		if isNewFormat {
			t.roundedQuery = roundAll(s.format, t.roundedQuery, t.query)
			t.roundedKey = roundAll(s.format, t.roundedKey, t.key)
		}
		s.addProducts(t.roundedQuery, t.roundedKey, &t.scratch)
	}
}

// roundAll overwrites dst with the numbers rounded to the format.
func roundAll(f *Format, dst, numbers []float64) []float64 {
	dst = dst[:0]
	for _, x := range numbers {
		dst = append(dst, f.Round(x))
	}
	return dst
}

// endRows ends sixteen rows: it computes their weights and collects the results.
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
			variation := 1.0 // the maximum, if the weights do not exist
			if SoftmaxFloat32(t.logits, t.formattedWeights) {
				variation = TotalVariation(t.formattedWeights, t.exactWeights)
			}
			t.Add(i, variation, quantile.Logit(variation, 1-variation))
		}
	}
}

// Node implements [rows.Collector]. The counts of the node are the overflows of each config.
func (t *tally) Node(hasNext bool) moments.Node {
	n := t.Numbers.Node(hasNext)
	n.Counts = slices.Clone(t.overflows)
	clear(t.overflows)
	return n
}
