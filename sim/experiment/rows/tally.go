package rows

import (
	"math"

	"mcsim/sim/attention"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/kernel"
	"mcsim/sim/statistics/quantile"
)

// Means are the numbers of a row that are averaged over rows, in the order of their
// columns: squares where the mean is reported as its root.
const (
	meanWeight    = iota // of the greatest
	meanEntropy          // in nats
	meanTrace            // R
	meanEffective        // 1/Σα²
	meanAbove1           // keys above 1 %
	meanAbove5           // keys above 5 %
	meanJacobian         // ‖J‖_F²
	meanKey              // ‖∂α/∂K‖_F²
	meanQuery            // ‖∂α/∂q‖_F²
	meanTarget           // ‖∂α_t/∂k_t‖ of the target, the first key
	meanTargetSquare
	Means
)

// Histograms are those of which quantiles are taken.
const (
	histWeight = iota
	histEntropy
	histTrace
	histJacobian
	histKey
	histQuery
	histTarget
	Histograms
)

// Shares are the events that are counted.
const (
	above90 = iota // rows whose greatest weight is above .9
	above99
	concentrated // rows whose Σα² is above its limit
	dead         // of these, rows in which hardly any gradient reaches the keys
	idle         // rows in which hardly any gradient reaches the target
	Shares
)

// Tally collects what softmax makes of rows, under every scaling.
type Tally struct {
	*Numbers          // Means and Histograms of rows under the first scaling, then the second, …
	matrices *Numbers // likewise: the mean of each, and squares of counts
	keys     int
	scalings []Scaling
	logKeys  float64
	limits   Limits
	matrix   int64 // rows that share their keys, 1 if there are none
	scaled   []tally

	// of sixteen rows
	sums  kernel.RowSums
	rows  [kernel.Width]attention.Row
	least [kernel.Width]float32
}

// tally is what is collected under one scaling. What is of matrices is of such as share
// their keys alone.
type tally struct {
	counts [Shares]int64
	events [Shares][kernel.Width]int64 // of the rows of matrices that are not yet ended
	shares [Shares]sharing
}

// sharing says how an event is spread over matrices: the sum of the squares of their
// counts, and how many have it in some row, and in some row not.
type sharing struct{ squares, some, lacking int64 }

// NewTally returns an empty tally of rows of so many keys; so many rows of each matrix
// share their keys, 1 where they do not. The pilot says where fine bins are of use.
func NewTally(keys int, scalings []Scaling, matrix int64, pilot moments.Node) *Tally {
	numbers := func() *Numbers { return newNumbers(len(scalings)*Means, len(scalings)*Histograms, pilot.Histograms) }
	return &Tally{Numbers: numbers(), matrices: numbers(), keys: keys, scalings: scalings,
		logKeys: elementary.Log(float64(keys)), limits: NewLimits(keys), matrix: matrix,
		scaled: make([]tally, len(scalings))}
}

// Add takes sixteen rows: their scores, and the slopes and norms that their
// gradients are made of, nil where the scores are not products.
func (t *Tally) Add(
	scores [][kernel.Width]float32, peaks *kernel.Peaks, s *queryGradients, norm *[kernel.Width]float32,
) {
	for i, by := range t.scalings {
		kernel.SumRows(scores, peaks, by.Factor, &t.sums)
		attention.FillRows(&t.sums, t.keys, &t.rows)
		above1, above5 := t.above(logShare1, scores, peaks, by.Factor), t.above(logShare5, scores, peaks, by.Factor)
		for lane := range t.rows {
			r := &t.rows[lane]
			var g gradients
			if !by.Hard() {
				square := float64(by.Factor * by.Factor) // of σ, which scores that are no products have in the factor
				if s != nil {
					g.query = float64(square * s.scaled[i].square(lane, r.MaxWeight, t.sums.Runner[lane],
						t.sums.E2[lane]))
					square = float64(square * float64(norm[lane]))
					g.target = float64(math.Sqrt(square) * targetSlope(r, scores[0][lane], peaks, lane, by.Factor))
				}
				g.key = float64(float64(r.JacobianNorm*r.JacobianNorm) * square)
			}
			t.row(i, lane, r, float64(above1[lane]), float64(above5[lane]), g)
		}
	}
}

// gradients are derivatives of the weights of a row.
type gradients struct {
	key, query float64 // ‖∂α/∂K‖_F² and ‖∂α/∂q‖_F²
	target     float64 // ‖∂α_t/∂k_t‖ of the target
}

// targetSlope returns α(1−α) of the key whose score is given. If that key has the greatest
// weight, 1−α is the weight of all others.
func targetSlope(r *attention.Row, score float32, peaks *kernel.Peaks, lane int, factor float64) float64 {
	if peaks.Index[lane] == 0 {
		return float64(r.MaxWeight*r.MaxWeight) * r.RestRatio
	}
	gap := float64(score) - float64(peaks.First[lane])
	weight := float64(r.MaxWeight * elementary.Exp(float64(factor*gap)))
	return float64(weight * (1 - weight))
}

// The logarithms of 1 and 5 %.
var logShare1, logShare5 = elementary.Log(0.01), elementary.Log(0.05)

// above counts the keys of each row whose weight is above a share.
func (t *Tally) above(
	logShare float64, scores [][kernel.Width]float32, peaks *kernel.Peaks, factor float64,
) (counts [kernel.Width]int32) {
	for lane := range t.least {
		// α > share where factor·(s − s₁) > ln(share·Z).
		t.least[lane] = leastAbove(peaks.First[lane], logShare+t.rows[lane].LogZ, factor)
	}
	kernel.CountAbove(scores, &t.least, &counts)
	return counts
}

// leastAbove returns a score that those above a share exceed, gap/factor above the
// first. The first itself does if the gap is negative, whatever the rounding.
func leastAbove(first float32, gap, factor float64) float32 {
	if factor == 0 {
		return float32(math.Copysign(math.Inf(1), gap))
	}
	least := float32(float64(first) + gap/factor)
	if gap < 0 && least >= first {
		least = math.Nextafter32(first, float32(math.Inf(-1)))
	}
	return least
}

// row takes the row of a lane under scaling i.
func (t *Tally) row(i, lane int, r *attention.Row, above1, above5 float64, g gradients) {
	scaled := &t.scaled[i]
	relativeTrace := r.RelativeTrace()
	for column, x := range [Means]float64{
		r.MaxWeight, r.Entropy, relativeTrace, r.EffectiveKeys(), above1, above5,
		float64(r.JacobianNorm * r.JacobianNorm), g.key, g.query,
		g.target, float64(g.target * g.target),
	} {
		t.values[i*Means+column] = append(t.values[i*Means+column], x)
	}
	ratio := min(1, r.Entropy/t.logKeys)
	for j, at := range [Histograms]float64{
		quantile.Logit(1, r.RestRatio), quantile.Logit(ratio, 1-ratio), quantile.Logit(relativeTrace, 1-relativeTrace),
		quantile.Logit(r.JacobianNorm, 1-r.JacobianNorm),
		quantile.Logit(math.Sqrt(g.key), 1), quantile.Logit(math.Sqrt(g.query), 1),
		quantile.Logit(g.target, 1),
	} {
		t.places[i*Histograms+j] = append(t.places[i*Histograms+j], at)
	}
	scaled.event(above90, lane, r.MaxWeight > 0.9)
	scaled.event(above99, lane, r.MaxWeight > 0.99)
	scaled.event(concentrated, lane, t.limits.Concentrated(r.Collision))
	scaled.event(dead, lane, t.limits.Dead(r.Collision, math.Sqrt(g.key)))
	scaled.event(idle, lane, g.target < t.limits.idle)
}

// event counts an event of a row, if it happens.
func (t *tally) event(share, lane int, happens bool) {
	if happens {
		t.counts[share]++
		t.events[share][lane]++
	}
}

// EndMatrix takes the rows since the last one as those of sixteen matrices, one
// in each lane, and adds the mean of each, and the squares of its counts.
func (t *Tally) EndMatrix() {
	rows := int(t.matrix) * kernel.Width
	for column, all := range t.values {
		last := all[len(all)-rows:]
		for lane := range kernel.Width {
			var sum float64
			for j := lane; j < rows; j += kernel.Width {
				sum += last[j]
			}
			t.matrices.values[column] = append(t.matrices.values[column], sum/float64(t.matrix))
		}
	}
	t.countMatrices()
	for i := range t.scaled {
		scaled := &t.scaled[i]
		for j := range scaled.events {
			for _, count := range scaled.events[j] {
				scaled.shares[j].add(count, t.matrix)
			}
			scaled.events[j] = [kernel.Width]int64{}
		}
	}
}

// countMatrices counts the places of the matrices that end, and the squares of their counts. A pilot
// keeps them as they are.
func (t *Tally) countMatrices() {
	if t.learns {
		return
	}
	bins := make([]int, t.matrix)
	for i, all := range t.places {
		own, squares := t.counters[i], t.matrices.counters[i]
		for lane := range kernel.Width {
			for r := range bins {
				bins[r] = own.Bin(all[r*kernel.Width+lane])
				own.Add(bins[r], 1)
			}
			squares.AddSquares(bins)
		}
		t.places[i] = all[:0]
	}
}

// add takes a matrix of so many rows, of which so many have the event.
func (s *sharing) add(count, rows int64) {
	s.squares += count * count
	if count > 0 {
		s.some++
	}
	if count < rows {
		s.lacking++
	}
}

// Node returns what was collected, and starts again, but for the histograms if more
// follows that is merged with it. A scaling has its columns, those of matrices after those
// of rows, its counts and its histograms, in the order in which sumsOf parts them.
func (t *Tally) Node(more bool) (n moments.Node) {
	parts := []moments.Node{t.Numbers.Node(more)}
	if t.matrix > 1 {
		parts = append(parts, t.matrices.Node(more))
	}
	for i := range t.scaled {
		for _, of := range parts {
			n.Moments = append(n.Moments, of.Moments[i*Means:][:Means]...)
			if !more {
				n.Histograms = append(n.Histograms, of.Histograms[i*Histograms:][:Histograms]...)
			}
		}
		scaled := &t.scaled[i]
		n.Counts = append(n.Counts, scaled.counts[:]...)
		if t.matrix > 1 {
			for _, s := range scaled.shares {
				n.Counts = append(n.Counts, s.squares, s.some, s.lacking)
			}
		}
		scaled.counts, scaled.events, scaled.shares = [Shares]int64{}, [Shares][kernel.Width]int64{}, [Shares]sharing{}
	}
	return n
}
