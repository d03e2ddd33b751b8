package rows

import (
	"math"

	"mcsim/sim/attention"
	"mcsim/sim/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/moments"
	"mcsim/sim/names"
)

// Means are the numbers of a row that are averaged over rows, in the order of their
// columns: squares where the mean is reported as its root.
const (
	meanWeight    = iota // of the greatest
	meanEntropy          // in nats
	meanSurvival         // R
	meanEffective        // 1/Σα²
	meanAbove1           // keys above 1 %
	meanAbove5           // keys above 5 %
	meanJacobian         // ‖J‖_F²
	meanOffPeak          // Σα(1−α) off the greatest
	meanKey              // ‖∂α/∂K‖_F²
	meanQuery            // ‖∂α/∂q‖_F²
	Means
)

// Histograms are those of which quantiles are taken.
const (
	histWeight = iota
	histEntropy
	histSurvival
	histJacobian
	histOffPeak
	histKey
	histQuery
	Histograms
)

// Shares are the events that are counted.
const (
	above90 = iota // rows whose greatest weight is above .9
	above99
	healthy // rows by their R
	fading
	dying
	dead
	Shares
)

// The labels of R: healthy from ½, fading from .05, dying from .001, else dead.
var labelBounds = [...]float64{0.5, 0.05, 0.001}

// Tally collects what softmax makes of rows, under every scaling.
type Tally struct {
	keys     int
	scalings []Scaling
	logKeys  float64
	values   [][Means][]float64 // of the rows of a block
	means    [][Means][]float64 // of matrices of rows that share keys
	matrix   int64              // rows of such a matrix, 1 if there are none
	tallies  [][Histograms]*histogram
	counts   [][Shares]int64
}

// NewTally returns an empty tally of rows of so many keys; so many rows of each matrix
// share their keys, 1 where they do not.
func NewTally(keys int, scalings []Scaling, matrix int64) *Tally {
	t := &Tally{keys: keys, scalings: scalings, logKeys: elementary.Log(float64(keys)), matrix: matrix,
		values: make([][Means][]float64, len(scalings)), means: make([][Means][]float64, len(scalings)),
		tallies: make([][Histograms]*histogram, len(scalings)), counts: make([][Shares]int64, len(scalings))}
	for i := range t.tallies {
		for j := range t.tallies[i] {
			t.tallies[i][j] = newHistogram()
		}
	}
	return t
}

// Add takes sixteen rows: their scores, and the slopes and norms that their
// gradients are made of, nil where the scores are not products.
func (t *Tally) Add(scores [][kernel.Width]float32, peaks *kernel.Peaks, s *queryGradients, norm *[kernel.Width]float32) {
	var sums kernel.RowSums
	var rows [kernel.Width]attention.Row
	for i, by := range t.scalings {
		kernel.Rows(scores, peaks, by.Factor, &sums)
		attention.Rows(&sums, t.keys, &rows)
		above1, above5 := above(logShare1, scores, peaks, by.Factor, &rows), above(logShare5, scores, peaks, by.Factor, &rows)
		for lane := range rows {
			r := &rows[lane]
			var key, query float64
			if s != nil && !by.Hard() {
				scale := float64(by.Factor * by.Factor)
				square := s.at[i].square(lane, r.MaxWeight, sums.Runner[lane], sums.E2[lane])
				key = float64(float64(r.JacobianNorm*r.JacobianNorm) * float64(scale*float64(norm[lane])))
				query = float64(scale * square)
			}
			t.row(i, r, float64(above1[lane]), float64(above5[lane]), key, query)
		}
	}
}

// The logarithms of 1 and 5 %.
var logShare1, logShare5 = elementary.Log(0.01), elementary.Log(0.05)

// above counts the keys of each row whose weight is above a share.
func above(logShare float64, scores [][kernel.Width]float32, peaks *kernel.Peaks, factor float64, rows *[kernel.Width]attention.Row) (counts [kernel.Width]int32) {
	var least [kernel.Width]float32
	for lane := range least {
		// α > share where factor·(s − s₁) > ln(share·Z).
		least[lane] = leastAbove(peaks.First[lane], logShare+rows[lane].LogZ, factor)
	}
	kernel.Above(scores, &least, &counts)
	return counts
}

// leastAbove is a score that those above a share exceed, gap/factor above the
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

// row takes one row under scaling i.
func (t *Tally) row(i int, r *attention.Row, above1, above5, key, query float64) {
	survival := r.Survival()
	for column, x := range [Means]float64{
		r.MaxWeight, r.Entropy, survival, r.EffectiveKeys(), above1, above5,
		float64(r.JacobianNorm * r.JacobianNorm), r.OffPeak, key, query,
	} {
		t.values[i][column] = append(t.values[i][column], x)
	}
	ratio := min(1, r.Entropy/t.logKeys)
	h := &t.tallies[i]
	h[histWeight].add(logitBin(1, r.Rest))
	h[histEntropy].add(logitBin(ratio, 1-ratio))
	h[histSurvival].add(logitBin(survival, 1-survival))
	h[histJacobian].add(logitBin(r.JacobianNorm, 1-r.JacobianNorm))
	h[histOffPeak].add(logitBin(r.OffPeak, 1-r.OffPeak))
	h[histKey].add(logitBin(math.Sqrt(key), 1))
	h[histQuery].add(logitBin(math.Sqrt(query), 1))

	n := &t.counts[i]
	if r.MaxWeight > 0.9 {
		n[above90]++
	}
	if r.MaxWeight > 0.99 {
		n[above99]++
	}
	n[healthy+labelOf(survival)]++
}

// Label is the label of a set of rows whose median gradient survival is R.
func Label(r float64) string {
	return [...]string{names.LabelHealthy, names.LabelFading, names.LabelDying, names.LabelDead}[labelOf(r)]
}

// labelOf is 0 for healthy, 1 for fading, 2 for dying, 3 for dead.
func labelOf(survival float64) int {
	for i, least := range labelBounds {
		if survival >= least {
			return i
		}
	}
	return len(labelBounds)
}

// EndMatrix takes the rows since the last one as those of sixteen matrices, one
// in each lane, and adds the mean of each.
func (t *Tally) EndMatrix() {
	rows := int(t.matrix) * kernel.Width
	for i := range t.values {
		for column, all := range t.values[i] {
			last := all[len(all)-rows:]
			for lane := range kernel.Width {
				var sum float64
				for j := lane; j < rows; j += kernel.Width {
					sum += last[j]
				}
				t.means[i][column] = append(t.means[i][column], sum/float64(t.matrix))
			}
		}
	}
}

// Node returns what was collected, and starts again. A scaling has its columns,
// those of matrices after those of rows, its counts and its histograms.
func (t *Tally) Node() moments.Node {
	var n moments.Node
	for i := range t.scalings {
		n.Moments = append(n.Moments, columnsOf(&t.values[i])...)
		if t.matrix > 1 {
			n.Moments = append(n.Moments, columnsOf(&t.means[i])...)
		}
		n.Counts = append(n.Counts, t.counts[i][:]...)
		t.counts[i] = [Shares]int64{}
		for _, h := range t.tallies[i] {
			n.Histograms = append(n.Histograms, h.take())
		}
	}
	return n
}

// columnsOf reduces the numbers of every column to moments, and empties them.
func columnsOf(values *[Means][]float64) []moments.Moments {
	out := make([]moments.Moments, Means)
	for column := range values {
		out[column] = moments.Of(values[column], experiment.ErrorOrder)
		values[column] = values[column][:0]
	}
	return out
}

// Sums parts a node again: what one scaling has.
type Sums struct {
	Rows, Matrices []moments.Moments // a column each of Means; the same twice where rows share no keys
	shares         []int64
	histograms     []moments.Histogram
	Matrix         int64 // rows of a matrix, 1 where they share no keys
}

// SumsOf are the sums of scaling i in a node of rows of which so many share their keys.
func SumsOf(n moments.Node, i int, matrix int64) Sums {
	kinds := 1
	if matrix > 1 {
		kinds = 2
	}
	columns := n.Moments[i*kinds*Means : (i+1)*kinds*Means]
	return Sums{Rows: columns[:Means], Matrices: columns[(kinds-1)*Means:], Matrix: matrix,
		shares: n.Counts[i*Shares : (i+1)*Shares], histograms: n.Histograms[i*Histograms : (i+1)*Histograms]}
}
