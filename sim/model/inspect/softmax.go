package inspect

import (
	"math"
	"math/bits"
	"slices"
	"sync"

	"mcsim/sim/attention"
	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/statistics/theory"

	"golang.org/x/sync/errgroup"
)

// Softmax is measured on at most softmaxTiles evenly spaced tiles of queries, and the interaction
// of queries and keys on at most interactionTiles. The largest score is measured on all tiles.
const (
	softmaxTiles     = 11
	interactionTiles = 2
)

// maxRows limits the number of keys of a row of softmax, and the number of queries among whose
// scores the largest is found. The first queries and keys are used.
const maxRows = 1 << 14

// softmaxStats describes the rows of one head after softmax, under several scales.
type softmaxStats struct {
	keys         int     // number of keys of a row
	maxScore     float64 // largest q·k of a visible pair
	blockMaxima          // largest q·k of the visible pairs of each block
	interaction  float64 // mean square of the contributions of pairs, see newMoments
	byScale      []scaleSums
	inverseRoots []float64 // 1/√n for each causal row, which sees n keys
	rowVariances []float64 // variance of the scores of each causal row
}

// newSoftmaxStats returns statistics to which no rows are added yet.
func newSoftmaxStats(keys, scales int) softmaxStats {
	return softmaxStats{keys: keys, maxScore: math.Inf(-1), blockMaxima: newBlockMaxima(),
		byScale: make([]scaleSums, scales)}
}

// scaleSums holds sums over the measured rows under one scale.
type scaleSums struct {
	excesses, deficits   []float64 // Σα² − 1/n, and 1 − the entropy ratio, for each row
	firstWeights         []float64 // weight of the first key of each row, next to the sink if there is one
	sinkWeights          []float64 // weight of the sink of each row; nil if there is no sink
	limitSum, uniformSum float64   // sums of theory.ConcentrationLimit(n) and of 1/n
	peakRatioSum         float64   // sum of the largest weight times n
	deadRows             int
}

// join adds the rows of other sums.
func (s *scaleSums) join(t scaleSums) {
	s.excesses = append(s.excesses, t.excesses...)
	s.deficits = append(s.deficits, t.deficits...)
	s.firstWeights = append(s.firstWeights, t.firstWeights...)
	s.sinkWeights = append(s.sinkWeights, t.sinkWeights...)
	s.limitSum += t.limitSum
	s.uniformSum += t.uniformSum
	s.peakRatioSum += t.peakRatioSum
	s.deadRows += t.deadRows
}

// measuredRow has the numbers of one row of softmax.
type measuredRow struct {
	keys                    int
	collision, entropyRatio float64 // Σα², and the entropy over ln n
	maxWeight, firstWeight  float64 // largest weight, and the weight of the first key
	jacobian                float64 // Frobenius norm of the Jacobian
	logSum                  float64 // ln Σ exp(logit)
	// independentSD is the standard deviation that the row's logits would have if components of
	// keys were independent.
	independentSD float64
}

// add adds a row. sink is the logit of a sink, which is nil if there is none.
func (s *scaleSums) add(r measuredRow, sink *float64) {
	keys, limit := float64(r.keys), concentrationLimit(r.keys)
	s.excesses = append(s.excesses, max(0, r.collision-1/keys))
	s.deficits = append(s.deficits, max(0, 1-r.entropyRatio))
	if sink != nil {
		sinkWeight := 1 / (1 + elementary.Exp(r.logSum-*sink))
		s.sinkWeights = append(s.sinkWeights, sinkWeight)
		r.firstWeight *= 1 - sinkWeight
	}
	s.firstWeights = append(s.firstWeights, r.firstWeight)
	s.limitSum += limit
	s.uniformSum += 1 / keys
	s.peakRatioSum += float64(r.maxWeight * keys)
	if r.collision > limit && float64(r.independentSD*r.jacobian) < rows.DeadGradient(r.keys) {
		s.deadRows++
	}
}

// rowTerms returns the terms of the mean of xs, which has a value for each measured row. All rows
// see the same keys; the contribution of the keys to the error is assumed to be that of an equal
// number of queries. Values of causal rows also depend on the number of visible keys n; the part
// that a linear regression on 1/√n explains is not an error.
func (s softmaxStats) rowTerms(xs []float64) terms {
	if len(s.inverseRoots) > 0 {
		regressor, residuals := deviations(s.inverseRoots), deviations(xs)
		slope := elementary.Dot(regressor, residuals) / max(elementary.SumOfSquares(regressor), tiny)
		for i := range residuals {
			residuals[i] -= float64(slope * regressor[i])
		}
		xs = residuals
	}
	t := newTerms(xs, nil, 0)
	t.factor = 1 + float64(len(xs))/float64(s.keys)
	return t
}

// concentrationLimit returns theory.ConcentrationLimit. For more than 16 keys it interpolates
// linearly between numbers with four significant binary digits; the relative error is below 0.1 %.
func concentrationLimit(keys int) float64 {
	step := 1 << max(0, bits.Len(uint(keys))-4)
	n := keys / step * step
	low := theory.ConcentrationLimit(n)
	if n == keys {
		return low
	}
	return low + (theory.ConcentrationLimit(n+step)-low)*float64(keys-n)/float64(step)
}

// measureSoftmax measures rows without a mask. The result does not depend on the number of
// workers.
func (j *joint) measureSoftmax(q Vectors, o Options) softmaxStats {
	s, scales := newScorer(j, q, o), o.scales(q.Dimension)
	tiles := make([]softmaxStats, s.queries.Tiles())
	buffers := sync.Pool{New: func() any { return s.newScores() }}
	var group errgroup.Group
	group.SetLimit(max(o.Workers, 1))
	for i := range tiles {
		group.Go(func() error {
			buffer := buffers.Get().(*tileScores)
			defer buffers.Put(buffer)
			s.computeScores(buffer, i)
			tiles[i] = s.measureTile(buffer, i, scales, isSpaced(i, len(tiles), softmaxTiles),
				isSpaced(i, len(tiles), interactionTiles))
			return nil
		})
	}
	_ = group.Wait() // the functions return no errors
	stats, rows := newSoftmaxStats(s.keys, len(scales)), 0
	for i, t := range tiles {
		stats.maxScore = max(stats.maxScore, t.maxScore)
		stats.blockMaxima.join(t.blockMaxima)
		stats.interaction += t.interaction
		if isSpaced(i, len(tiles), interactionTiles) {
			rows += min(tileRows, s.queries.Rows-i*tileRows)
		}
		for e := range t.byScale {
			stats.byScale[e].join(t.byScale[e])
		}
	}
	stats.interaction /= j.pairDoF(rows * s.keys)
	return stats
}

// pairDoF returns the degrees of freedom of the interaction, if it is measured on some pairs.
func (j *joint) pairDoF(pairs int) float64 {
	return float64(pairs) * (1 - 1/float64(j.q.Rows)) * (1 - 1/float64(j.k.Rows))
}

// isSpaced reports whether item i of count is among at most maxChosen evenly spaced ones.
func isSpaced(i, count, maxChosen int) bool { return i%((count+maxChosen-1)/maxChosen) == 0 }

// scorer computes centred scores: q·k without the terms that are the same for all keys of a query.
type scorer struct {
	*joint
	queries Packed
	keys    int      // number of keys of a row
	mean    float64  // mean of all scores
	sink    *float64 // see Options
}

// newScorer packs the queries, at most maxRows.
func newScorer(j *joint, q Vectors, o Options) *scorer {
	return &scorer{
		joint:   j,
		queries: Pack(min(maxRows, q.Rows), q.Dimension, q.Row),
		keys:    min(maxRows, j.k.Rows),
		mean:    elementary.Dot(j.q.mean, j.k.mean),
		sink:    o.Sink,
	}
}

// tileScores holds the scores of a tile of queries, in panels of sixteen rows.
type tileScores [panelsPerTile][][kernel.Width]float32

// newScores allocates the scores of a tile.
func (s *scorer) newScores() *tileScores {
	t := new(tileScores)
	for i := range t {
		t[i] = make([][kernel.Width]float32, s.keys)
	}
	return t
}

// computeScores computes the centred scores of a tile of queries.
func (s *scorer) computeScores(scores *tileScores, tile int) {
	var products kernel.Tile
	for start := 0; start < s.keys; start += kernel.TileQueries {
		s.queries.multiply(s.k.packed, start/kernel.TileQueries, tile, &products)
		for i := range min(kernel.TileQueries, s.keys-start) {
			for g := range scores {
				scores[g][start+i] = [kernel.Width]float32(products[i][g*kernel.Width:])
			}
		}
	}
}

// score returns q·k for a centred score of a query.
func (s *scorer) score(centred float32, query int) float64 {
	return float64(centred) + s.q.crossTerms[query] + s.mean
}

// independentSD returns the standard deviation that the logits of a query would have if components
// of keys were independent.
func (j *joint) independentSD(query int, scale float64) float64 {
	return scale * math.Sqrt(j.q.squaredLength(query)*j.k.meanSquare())
}

// measureTile measures the largest score of a tile of queries and, if requested, the softmax and
// the interaction.
func (s *scorer) measureTile(
	scores *tileScores, tile int, scales []float64, withSoftmax, withInteraction bool,
) softmaxStats {
	stats := newSoftmaxStats(s.keys, len(scales))
	for g, panel := range scores {
		first := tile*tileRows + g*kernel.Width
		lanes := min(kernel.Width, s.queries.Rows-first)
		if lanes <= 0 {
			break
		}
		var peaks kernel.Peaks
		kernel.FindPeaks(panel, &peaks)
		for lane := range lanes {
			stats.maxScore = max(stats.maxScore, s.score(peaks.First[lane], first+lane))
			s.addBlockMaxima(&stats.blockMaxima, panel, first+lane, s.keys)
		}
		for i, scale := range scales {
			if withSoftmax {
				s.addPanel(&stats.byScale[i], panel, &peaks, scale, first, lanes)
			}
		}
		if withInteraction {
			stats.interaction += s.sumInteractions(panel, first, lanes)
		}
	}
	return stats
}

// addPanel adds the rows of a panel under one scale; first is the index of its first query.
func (s *scorer) addPanel(
	total *scaleSums, panel [][kernel.Width]float32, peaks *kernel.Peaks, scale float64, first, lanes int,
) {
	var sums kernel.RowSums
	var measured [kernel.Width]attention.Row
	kernel.SumRows(panel, peaks, scale, &sums)
	attention.FillRows(&sums, s.keys, &measured)
	logKeys := elementary.Log(float64(s.keys))
	for lane, r := range measured[:lanes] {
		peak := float64(peaks.First[lane])
		total.add(measuredRow{
			keys:         s.keys,
			collision:    r.Collision,
			entropyRatio: r.Entropy / logKeys,
			maxWeight:    r.MaxWeight,
			firstWeight:  elementary.Exp(float64(scale*(float64(panel[0][lane])-peak)) - r.LogZ),
			jacobian:     r.JacobianNorm,
			logSum:       float64(scale*s.score(peaks.First[lane], first+lane)) + r.LogZ,

			independentSD: s.independentSD(first+lane, scale),
		}, s.sink)
	}
}

// sumInteractions returns the sum of squared interactions over a panel.
func (s *scorer) sumInteractions(panel [][kernel.Width]float32, first, lanes int) (sum float64) {
	for key, line := range panel {
		for lane, x := range line[:lanes] {
			sum += s.squaredInteraction(float64(x)+s.q.crossTerms[first+lane], first+lane, key)
		}
	}
	return sum
}

// squaredInteraction returns the square of the interaction of a query and a key: the squared score
// minus the mean squares for the query and for the key, plus the overall mean square.
func (j *joint) squaredInteraction(score float64, query, key int) float64 {
	interaction := float64(score*score) - j.querySquares[query] - j.keySquares[key] + j.meanSquare
	return float64(interaction * interaction)
}

// measureCausalSoftmax measures rows in which query i sees the keys 0 to i.
func (j *joint) measureCausalSoftmax(q, k Vectors, o Options) softmaxStats {
	s, scales := newScorer(j, q, o), o.scales(q.Dimension)
	stats, pairs := newSoftmaxStats(s.keys, len(scales)), 0
	scores, logits := make([]float64, s.keys), make([]float64, s.keys)
	for i := 0; i < q.Rows; i += (q.Rows + softmaxTiles*tileRows - 1) / (softmaxTiles * tileRows) {
		for c := range scores {
			scores[c] = elementary.Dot(q.Row(i), k.Row(c))
			stats.interaction += j.squaredInteraction(scores[c]-s.mean, i, c)
			pairs++
		}
		visible := min(i+1, s.keys)
		if visible < 2 {
			continue // the weight is 1 under every scale
		}
		n := float64(visible)
		stats.inverseRoots = append(stats.inverseRoots, 1/math.Sqrt(n))
		stats.rowVariances = append(stats.rowVariances, variance(scores[:visible])*(n-1)/n)
		for e, scale := range scales {
			for c, x := range scores[:visible] {
				logits[c] = float64(x * scale)
			}
			peak := slices.Max(logits[:visible])
			attention.Softmax(logits[:visible])
			m := attention.Measure(logits[:visible], visible)
			stats.byScale[e].add(measuredRow{
				keys:         visible,
				collision:    m.Collision,
				entropyRatio: m.EntropyRatio,
				maxWeight:    m.MaxWeight,
				firstWeight:  logits[0],
				jacobian:     m.JacobianNorm,
				logSum:       peak - elementary.Log(m.MaxWeight),

				independentSD: j.independentSD(i, scale),
			}, s.sink)
		}
	}
	buffer := s.newScores()
	for tile := range s.queries.Tiles() {
		s.computeScores(buffer, tile)
		s.addVisibleMaxima(&stats, buffer, tile)
	}
	stats.interaction /= j.pairDoF(pairs)
	return stats
}

// addVisibleMaxima adds the largest scores of the queries of a tile and the keys that they see.
func (s *scorer) addVisibleMaxima(stats *softmaxStats, scores *tileScores, tile int) {
	for query := tile * tileRows; query < min(s.queries.Rows, (tile+1)*tileRows); query++ {
		panel, lane, visible := scores[query%tileRows/kernel.Width], query%kernel.Width, min(query+1, s.keys)
		peak := panel[0][lane]
		for _, line := range panel[:visible] {
			peak = max(peak, line[lane])
		}
		stats.maxScore = max(stats.maxScore, s.score(peak, query))
		s.addBlockMaxima(&stats.blockMaxima, panel, query, visible)
	}
}

// MaxScore returns the largest q·k of a visible pair.
func (s softmaxStats) MaxScore() float64 { return s.maxScore }
