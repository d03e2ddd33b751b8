package inspect

import (
	"math"
	"math/bits"
	"sync"

	"mcsim/sim/attention"
	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/statistics/theory"

	"golang.org/x/sync/errgroup"
)

// Softmax of rows is measured on at most softmaxTiles tiles of queries, evenly spaced, and what queries
// and keys have in common on fewer. The greatest score is that of all.
const (
	softmaxTiles     = 11
	interactionTiles = 2
)

// maxRows is how many keys a row of softmax has at most, the first, and how many queries the
// greatest score is over.
const maxRows = 1 << 14

// softmaxStats are the rows of one head after softmax, under several scales.
type softmaxStats struct {
	keys        int     // of a row
	greatest    float64 // score
	interaction float64 // the mean square that pairs add, see moments
	effects     []effect
	seen        []float64 // 1/√n of the keys that each causal row sees
	inside      []float64 // variance of the scores of each causal row
}

// newSoftmaxStats returns the statistics of no rows.
func newSoftmaxStats(keys, scales int) softmaxStats {
	return softmaxStats{keys: keys, greatest: math.Inf(-1), effects: make([]effect, scales)}
}

// effect is what one scale does to the rows that are looked at.
type effect struct {
	excess, deficit []float64 // Σα² − 1/n of each row, and 1 − its entropy ratio
	limit, uniform  float64   // sums of theory.ConcentrationLimit and of 1/n
	peaks           float64   // sum of the greatest weight times the keys
	dead            int       // rows
}

// join appends other rows.
func (e *effect) join(o effect) {
	e.excess, e.deficit = append(e.excess, o.excess...), append(e.deficit, o.deficit...)
	e.limit += o.limit
	e.uniform += o.uniform
	e.peaks += o.peaks
	e.dead += o.dead
}

// add adds a row of n keys. Its logits would have the standard deviation sigma if components of
// keys were independent.
func (e *effect) add(collision, entropyRatio, greatest, jacobian, sigma float64, n int) {
	keys, limit := float64(n), concentrationLimit(n)
	e.excess = append(e.excess, max(0, collision-1/keys))
	e.deficit = append(e.deficit, max(0, 1-entropyRatio))
	e.limit += limit
	e.uniform += 1 / keys
	e.peaks += float64(greatest * keys)
	if collision > limit && float64(sigma*jacobian) < rows.DeadGradient(n) {
		e.dead++
	}
}

// rowTerms returns the terms of a mean over some of the rows, which share their keys: these add to
// its error about as much as so many queries do. What causal rows show also depends on how many
// keys they see; the part that 1/√n explains is no error.
func (s softmaxStats) rowTerms(xs []float64) terms {
	if len(s.seen) > 0 {
		u, rest := deviations(s.seen), deviations(xs)
		slope := elementary.Dot(u, rest) / max(elementary.SumOfSquares(u), tiny)
		for i := range rest {
			rest[i] -= float64(slope * u[i])
		}
		xs = rest
	}
	t := newTerms(xs, nil, 0)
	t.factor = 1 + float64(len(xs))/float64(s.keys)
	return t
}

// concentrationLimit returns theory.ConcentrationLimit, of more than 16 keys interpolated between
// numbers of keys of four binary digits, to 0.1 %.
func concentrationLimit(keys int) float64 {
	step := 1 << max(0, bits.Len(uint(keys))-4)
	n := keys / step * step
	low := theory.ConcentrationLimit(n)
	if n == keys {
		return low
	}
	return low + (theory.ConcentrationLimit(n+step)-low)*float64(keys-n)/float64(step)
}

// softmax measures rows without a mask. The result does not depend on the number of workers.
func (j *joint) softmax(q Vectors, scales []float64, workers int) softmaxStats {
	s := newScorer(j, q)
	tiles := make([]softmaxStats, s.queries.Tiles())
	scores := sync.Pool{New: func() any { return s.newScores() }}
	var group errgroup.Group
	group.SetLimit(max(workers, 1))
	for i := range tiles {
		group.Go(func() error {
			own := scores.Get().(*tileScores)
			defer scores.Put(own)
			s.fill(own, i)
			tiles[i] = s.measure(own, i, scales, isSpaced(i, len(tiles), softmaxTiles),
				isSpaced(i, len(tiles), interactionTiles))
			return nil
		})
	}
	_ = group.Wait() // measuring cannot fail
	out, seen := newSoftmaxStats(s.keys, len(scales)), 0
	for i, t := range tiles {
		out.greatest = max(out.greatest, t.greatest)
		out.interaction += t.interaction
		if isSpaced(i, len(tiles), interactionTiles) {
			seen += min(tileRows, s.queries.Rows-i*tileRows)
		}
		for e := range t.effects {
			out.effects[e].join(t.effects[e])
		}
	}
	out.interaction /= j.freePairs(seen * s.keys)
	return out
}

// freePairs returns the degrees of freedom of what pairs add.
func (j *joint) freePairs(pairs int) float64 {
	return float64(pairs) * (1 - 1/float64(j.q.Rows)) * (1 - 1/float64(j.k.Rows))
}

// isSpaced reports whether the i-th of count things is among at most maxChosen evenly spaced ones.
func isSpaced(i, count, maxChosen int) bool { return i%((count+maxChosen-1)/maxChosen) == 0 }

// scorer computes rows of scores, tile by tile of queries, less what depends only on the query.
type scorer struct {
	*joint
	queries Packed
	keys    int     // of a row
	mean    float64 // of all scores
}

// newScorer packs the queries, at most maxRows.
func newScorer(j *joint, q Vectors) *scorer {
	return &scorer{j, Pack(min(maxRows, q.Rows), q.Dimension, q.Row), min(maxRows, j.k.Rows),
		elementary.Dot(j.q.mean, j.k.mean)}
}

// tileScores are the scores of a tile's queries, in panels of sixteen rows.
type tileScores [panelsPerTile][][kernel.Width]float32

// newScores returns room for the scores of a tile.
func (s *scorer) newScores() *tileScores {
	t := new(tileScores)
	for i := range t {
		t[i] = make([][kernel.Width]float32, s.keys)
	}
	return t
}

// fill computes the scores of a tile's queries.
func (s *scorer) fill(scores *tileScores, tile int) {
	var out kernel.Tile
	for start := 0; start < s.keys; start += kernel.TileQueries {
		s.queries.multiply(s.k.packed, start/kernel.TileQueries, tile, &out)
		for i := range min(kernel.TileQueries, s.keys-start) {
			for g := range scores {
				scores[g][start+i] = [kernel.Width]float32(out[i][g*kernel.Width:])
			}
		}
	}
}

// score returns a score with what depends only on its query.
func (s *scorer) score(rest float32, query int) float64 {
	return float64(rest) + s.q.cross[query] + s.mean
}

// sigma returns the standard deviation that a query's logits would have if components of keys were
// independent.
func (j *joint) sigma(query int, scale float64) float64 {
	return scale * math.Sqrt(j.q.squaredLength(query)*j.k.meanSquare())
}

// measure measures a tile of queries, by softmax and by interaction if these are asked for.
func (s *scorer) measure(scores *tileScores, tile int, scales []float64, softmax, interaction bool) softmaxStats {
	out := newSoftmaxStats(s.keys, len(scales))
	for g, panel := range scores {
		first := tile*tileRows + g*kernel.Width
		lanes := min(kernel.Width, s.queries.Rows-first)
		if lanes <= 0 {
			break
		}
		var peaks kernel.Peaks
		kernel.FindPeaks(panel, &peaks)
		for lane := range lanes {
			out.greatest = max(out.greatest, s.score(peaks.First[lane], first+lane))
		}
		for i, scale := range scales {
			if softmax {
				s.softmax(&out.effects[i], panel, &peaks, scale, first, lanes)
			}
		}
		if interaction {
			out.interaction += s.interaction(panel, first, lanes)
		}
	}
	return out
}

// softmax adds the rows of a panel, whose queries begin with the first.
func (s *scorer) softmax(
	e *effect, panel [][kernel.Width]float32, peaks *kernel.Peaks, scale float64, first, lanes int,
) {
	var sums kernel.RowSums
	var measured [kernel.Width]attention.Row
	kernel.SumRows(panel, peaks, scale, &sums)
	attention.FillRows(&sums, s.keys, &measured)
	logKeys := elementary.Log(float64(s.keys))
	for lane, r := range measured[:lanes] {
		e.add(r.Collision, r.Entropy/logKeys, r.MaxWeight, r.JacobianNorm, s.sigma(first+lane, scale), s.keys)
	}
}

// interaction returns the sum of squares of t² less what its query and its key have on average.
func (s *scorer) interaction(panel [][kernel.Width]float32, first, lanes int) (sum float64) {
	for key, line := range panel {
		for lane, x := range line[:lanes] {
			sum += s.squaredInteraction(float64(x)+s.q.cross[first+lane], first+lane, key)
		}
	}
	return sum
}

// squaredInteraction returns the square of what a pair adds.
func (j *joint) squaredInteraction(t float64, query, key int) float64 {
	rest := float64(t*t) - j.rows[query] - j.cols[key] + j.meanSquare
	return float64(rest * rest)
}

// causalSoftmax measures rows of which query i sees the keys 0 to i.
func (j *joint) causalSoftmax(q, k Vectors, scales []float64) softmaxStats {
	s := newScorer(j, q)
	out, pairs := newSoftmaxStats(s.keys, len(scales)), 0
	scores, logits := make([]float64, s.keys), make([]float64, s.keys)
	for i := 0; i < q.Rows; i += (q.Rows + softmaxTiles*tileRows - 1) / (softmaxTiles * tileRows) {
		for c := range scores {
			scores[c] = elementary.Dot(q.Row(i), k.Row(c))
			out.interaction += j.squaredInteraction(scores[c]-s.mean, i, c)
			pairs++
		}
		seen := min(i+1, s.keys)
		if seen < 2 {
			continue // its weight is 1 whatever the scale
		}
		n := float64(seen)
		out.seen, out.inside = append(out.seen, 1/math.Sqrt(n)), append(out.inside, variance(scores[:seen])*(n-1)/n)
		for e, scale := range scales {
			for c, x := range scores[:seen] {
				logits[c] = float64(x * scale)
			}
			attention.Softmax(logits[:seen])
			m := attention.Measure(logits[:seen], seen)
			out.effects[e].add(m.Collision, m.EntropyRatio, m.MaxWeight, m.JacobianNorm, j.sigma(i, scale), seen)
		}
	}
	own := s.newScores()
	for tile := range s.queries.Tiles() {
		s.fill(own, tile)
		out.greatest = max(out.greatest, s.greatestSeen(own, tile))
	}
	out.interaction /= j.freePairs(pairs)
	return out
}

// greatestSeen returns the greatest score that a query of a tile has with a key that it sees.
func (s *scorer) greatestSeen(scores *tileScores, tile int) float64 {
	greatest := math.Inf(-1)
	for query := tile * tileRows; query < min(s.queries.Rows, (tile+1)*tileRows); query++ {
		panel, lane := scores[query%tileRows/kernel.Width], query%kernel.Width
		peak := panel[0][lane]
		for _, line := range panel[:min(query+1, s.keys)] {
			peak = max(peak, line[lane])
		}
		greatest = max(greatest, s.score(peak, query))
	}
	return greatest
}

// Largest returns the greatest score that a query has with a key that it sees.
func (s softmaxStats) Largest() float64 { return s.greatest }
