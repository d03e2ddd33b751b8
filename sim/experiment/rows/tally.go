package rows

import (
	"math"

	"mcsim/sim/attention"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/kernel"
	"mcsim/sim/statistics/quantile"
)

// Columns of the numbers of a row that are averaged over rows. If the mean of a norm is taken of
// its square, the square root of the mean is reported.
const (
	meanWeight       = iota // largest weight
	meanEntropy             // in nats
	meanTrace               // relative trace R
	meanEffective           // 1/Σα²
	meanAbove1              // number of keys with a weight above 1 %
	meanAbove5              // number of keys with a weight above 5 %
	meanJacobian            // ‖J‖_F²
	meanKey                 // ‖∂α/∂K‖_F²
	meanQuery               // ‖∂α/∂q‖_F²
	meanTarget              // ‖∂α_t/∂k_t‖ of the target, the first key
	meanTargetSquare        // ‖∂α_t/∂k_t‖², for the error of its ratio to the standard deviation
	Means                   // number of columns
)

// Histograms of the numbers of a row, for quantiles.
const (
	histWeight = iota
	histEntropy
	histTrace
	histJacobian
	histKey
	histQuery
	histTarget
	Histograms // number of histograms
)

// Events that are counted.
const (
	above90      = iota // the largest weight is above 0.9
	above99             // the largest weight is above 0.99
	concentrated        // Σα² is above its limit
	dead                // concentrated, and the gradient by the keys is below its limit
	idle                // the gradient of the target is below its limit
	Events              // number of events
)

// Tally collects numbers and events of rows under every scaling.
type Tally struct {
	*Numbers            // numbers of rows: Means and Histograms of the first scaling, then of the second, …
	matrices   *Numbers // the mean of each number over a matrix, and the squares of the counts of a matrix
	keys       int
	scalings   []Scaling
	logKeys    float64
	limits     Limits
	matrixRows int64 // rows of a matrix, which share their keys; 1 if rows do not share keys
	perScaling []eventTally

	// scratch of sixteen rows, one in each lane
	sums       kernel.RowSums
	rows       [kernel.Width]attention.Row
	thresholds [kernel.Width]float32
}

// eventTally counts events under one scaling. The last two fields are used only if rows share keys.
type eventTally struct {
	counts       [Events]int64               // rows with each event
	openMatrices [Events][kernel.Width]int64 // rows with each event in the matrices that have not ended
	scatter      [Events]eventScatter
}

// eventScatter describes the scatter of an event over matrices.
type eventScatter struct {
	squares      int64 // sum over matrices of the squared number of rows with the event
	withEvent    int64 // number of matrices in which some row has the event
	withoutEvent int64 // number of matrices in which some row does not have the event
}

// NewTally returns an empty tally of rows with the given number of keys. matrixRows is the result
// of [MatrixRows]. The result of a pilot determines the fine bins.
func NewTally(keys int, scalings []Scaling, matrixRows int64, pilot moments.Node) *Tally {
	numbers := func() *Numbers { return NewValues(len(scalings)*Means, len(scalings)*Histograms, pilot.Histograms) }
	return &Tally{Numbers: numbers(), matrices: numbers(), keys: keys, scalings: scalings,
		logKeys: elementary.Log(float64(keys)), limits: NewLimits(keys), matrixRows: matrixRows,
		perScaling: make([]eventTally, len(scalings))}
}

// Add adds sixteen rows. peaks has the largest of the scores, s the sums of the gradients by the
// queries, and norm the |q|² of the queries. s and norm are nil if the scores are not products of
// queries and keys; their gradients by the keys are then defined with σ, the factor of a scaling,
// in place of factor·|q|.
func (t *Tally) Add(
	scores [][kernel.Width]float32, peaks *kernel.Peaks, s *queryGradients, norm *[kernel.Width]float32,
) {
	for i, scaling := range t.scalings {
		kernel.SumRows(scores, peaks, scaling.Factor, &t.sums)
		attention.FillRows(&t.sums, t.keys, &t.rows)
		above1 := t.countAbove(logWeight1, scores, peaks, scaling.Factor)
		above5 := t.countAbove(logWeight5, scores, peaks, scaling.Factor)
		for lane := range t.rows {
			r := &t.rows[lane]
			var g gradients
			if !scaling.Hard() {
				squareFactor := float64(scaling.Factor * scaling.Factor)
				squareSlope := squareFactor // square of the derivative of a logit by its key
				if s != nil {
					g.query = float64(squareFactor * s.gradients[i].squareNorm(lane, r.MaxWeight, t.sums.Runner[lane],
						t.sums.E2[lane]))
					squareSlope = float64(squareFactor * float64(norm[lane]))
					g.target = float64(math.Sqrt(squareSlope) *
						targetSlope(r, scores[0][lane], peaks, lane, scaling.Factor))
				}
				g.key = float64(float64(r.JacobianNorm*r.JacobianNorm) * squareSlope)
			}
			t.addRow(i, lane, r, float64(above1[lane]), float64(above5[lane]), g)
		}
	}
}

// gradients has the norms of the derivatives of the weights α of a row.
type gradients struct {
	key, query float64 // ‖∂α/∂K‖_F² and ‖∂α/∂q‖_F²
	target     float64 // ‖∂α_t/∂k_t‖ of the target key t
}

// targetSlope returns α(1−α) of the target, the first key, whose score is given. If the target has
// the largest weight, 1−α is computed as the weight of all other keys, without cancellation.
func targetSlope(r *attention.Row, score float32, peaks *kernel.Peaks, lane int, factor float64) float64 {
	if peaks.Index[lane] == 0 {
		return float64(r.MaxWeight*r.MaxWeight) * r.RestRatio
	}
	gap := float64(score) - float64(peaks.First[lane])
	weight := float64(r.MaxWeight * elementary.Exp(float64(factor*gap)))
	return float64(weight * (1 - weight))
}

var logWeight1, logWeight5 = elementary.Log(0.01), elementary.Log(0.05)

// countAbove counts the keys of each row whose weight is above the limit with the given logarithm.
func (t *Tally) countAbove(
	logWeight float64, scores [][kernel.Width]float32, peaks *kernel.Peaks, factor float64,
) (counts [kernel.Width]int32) {
	for lane := range t.thresholds {
		// With the largest score s₁ and Z = Σ exp(factor·(s − s₁)), a weight is above the limit w
		// if and only if factor·(s − s₁) > ln w + ln Z.
		t.thresholds[lane] = scoreThreshold(peaks.First[lane], logWeight+t.rows[lane].LogZ, factor)
	}
	kernel.CountAbove(scores, &t.thresholds, &counts)
	return counts
}

// scoreThreshold returns first + gap/factor. It is rounded so that the score first is above the
// threshold if the gap is negative.
func scoreThreshold(first float32, gap, factor float64) float32 {
	if factor == 0 {
		return float32(math.Copysign(math.Inf(1), gap))
	}
	threshold := float32(float64(first) + gap/factor)
	if gap < 0 && threshold >= first {
		threshold = math.Nextafter32(first, float32(math.Inf(-1)))
	}
	return threshold
}

// addRow adds the row of a lane under scaling i.
func (t *Tally) addRow(i, lane int, r *attention.Row, above1, above5 float64, g gradients) {
	events := &t.perScaling[i]
	relativeTrace := r.RelativeTrace()
	for column, x := range [Means]float64{
		r.MaxWeight, r.Entropy, relativeTrace, r.EffectiveKeys(), above1, above5,
		float64(r.JacobianNorm * r.JacobianNorm), g.key, g.query,
		g.target, float64(g.target * g.target),
	} {
		t.values[i*Means+column] = append(t.values[i*Means+column], x)
	}
	entropyRatio := min(1, r.Entropy/t.logKeys)
	for j, position := range [Histograms]float64{
		quantile.Logit(1, r.RestRatio), quantile.Logit(entropyRatio, 1-entropyRatio),
		quantile.Logit(relativeTrace, 1-relativeTrace), quantile.Logit(r.JacobianNorm, 1-r.JacobianNorm),
		quantile.Logit(math.Sqrt(g.key), 1), quantile.Logit(math.Sqrt(g.query), 1),
		quantile.Logit(g.target, 1),
	} {
		t.positions[i*Histograms+j] = append(t.positions[i*Histograms+j], position)
	}
	events.addEvent(above90, lane, r.MaxWeight > 0.9)
	events.addEvent(above99, lane, r.MaxWeight > 0.99)
	events.addEvent(concentrated, lane, t.limits.Concentrated(r.Collision))
	events.addEvent(dead, lane, t.limits.Dead(r.Collision, math.Sqrt(g.key)))
	events.addEvent(idle, lane, g.target < t.limits.idle)
}

// addEvent counts an event of the row in a lane if it occurred.
func (t *eventTally) addEvent(event, lane int, occurred bool) {
	if occurred {
		t.counts[event]++
		t.openMatrices[event][lane]++
	}
}

// EndMatrix ends sixteen matrices, one in each lane, which consist of the rows since the previous
// call. It adds the mean of each number over each matrix, and the squares of the counts of each
// matrix.
func (t *Tally) EndMatrix() {
	rows := int(t.matrixRows) * kernel.Width
	for column, values := range t.values {
		lastValues := values[len(values)-rows:]
		for lane := range kernel.Width {
			var sum float64
			for j := lane; j < rows; j += kernel.Width {
				sum += lastValues[j]
			}
			t.matrices.values[column] = append(t.matrices.values[column], sum/float64(t.matrixRows))
		}
	}
	t.countMatrices()
	for i := range t.perScaling {
		events := &t.perScaling[i]
		for j := range events.openMatrices {
			for _, count := range events.openMatrices[j] {
				events.scatter[j].add(count, t.matrixRows)
			}
			events.openMatrices[j] = [kernel.Width]int64{}
		}
	}
}

// countMatrices counts the positions of the ended matrices in the bins of histograms, and the
// squares of the counts of each matrix. A pilot keeps the positions instead.
func (t *Tally) countMatrices() {
	if t.isPilot {
		return
	}
	bins := make([]int, t.matrixRows)
	for i, positions := range t.positions {
		counter, squares := t.counters[i], t.matrices.counters[i]
		for lane := range kernel.Width {
			for r := range bins {
				bins[r] = counter.Bin(positions[r*kernel.Width+lane])
				counter.Add(bins[r], 1)
			}
			squares.AddSquares(bins)
		}
		t.positions[i] = positions[:0]
	}
}

// add adds a matrix with the given number of rows, of which count have the event.
func (s *eventScatter) add(count, rows int64) {
	s.squares += count * count
	if count > 0 {
		s.withEvent++
	}
	if count < rows {
		s.withoutEvent++
	}
}

// Node implements [Collector]. The columns, counts and histograms are in the order that sumsOf
// expects: all of one scaling together, and the part of matrices after the part of rows.
func (t *Tally) Node(hasNext bool) (n moments.Node) {
	parts := []moments.Node{t.Numbers.Node(hasNext)}
	if t.matrixRows > 1 {
		parts = append(parts, t.matrices.Node(hasNext))
	}
	for i := range t.perScaling {
		for _, part := range parts {
			n.Moments = append(n.Moments, part.Moments[i*Means:][:Means]...)
			if !hasNext {
				n.Histograms = append(n.Histograms, part.Histograms[i*Histograms:][:Histograms]...)
			}
		}
		events := &t.perScaling[i]
		n.Counts = append(n.Counts, events.counts[:]...)
		if t.matrixRows > 1 {
			for _, s := range events.scatter {
				n.Counts = append(n.Counts, s.squares, s.withEvent, s.withoutEvent)
			}
		}
		*events = eventTally{}
	}
	return n
}
