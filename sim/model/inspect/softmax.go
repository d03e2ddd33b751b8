package inspect

import (
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"mcsim/sim/attention"
	"mcsim/sim/base/elementary"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// What softmax makes of rows is measured on at most so many tiles of queries, evenly spaced,
// and what queries and keys have in common on fewer. The greatest score is that of all.
const (
	softmaxTiles     = 11
	interactionTiles = 2
)

// mostRows is how many keys a row of softmax has at most, the first, and how many queries the
// greatest score is over.
const mostRows = 1 << 14

// weighed is what softmax makes of the rows of one head under some scales.
type weighed struct {
	keys        int     // of a row
	greatest    float64 // score
	interaction float64 // MS_qk, see moments
	effects     []effect
	seen        []float64 // 1/√n of the keys that each causal row sees
	inside      []float64 // variance of the scores of each causal row
}

// effect is what one scale does to the rows that are looked at.
type effect struct {
	excess, deficit []float64 // Σα² − 1/n of each row, and 1 − its entropy ratio
	limit, uniform  float64   // sums of theory.ConcentrationLimit and of 1/n
	evenness        float64   // sum of the greatest weight times the keys
	dead            int       // rows
}

// add appends other rows.
func (e *effect) add(o effect) {
	e.excess, e.deficit = append(e.excess, o.excess...), append(e.deficit, o.deficit...)
	e.limit += o.limit
	e.uniform += o.uniform
	e.evenness += o.evenness
	e.dead += o.dead
}

// row adds a row of n keys. Its logits would have the standard deviation sigma if components of
// keys were independent.
func (e *effect) row(collision, entropy, greatest, jacobian, sigma float64, n int) {
	keys := float64(n)
	limit := concentrationLimit(n)
	e.excess, e.deficit = append(e.excess, max(0, collision-1/keys)), append(e.deficit, max(0, 1-entropy))
	e.limit += limit
	e.uniform += 1 / keys
	e.evenness += float64(greatest * keys)
	if collision > limit && float64(sigma*jacobian) < names.DeadBelow*math.Sqrt(keys-1)/keys {
		e.dead++
	}
}

// ofRows returns the terms of a mean over some of the rows, which share their keys: these add to
// its error about as much as so many queries do. What causal rows show also depends on how many
// keys they see; what this explains, by 1/√n, is no error.
func (w weighed) ofRows(rows []float64) terms {
	factor := 1 + float64(len(rows))/float64(w.keys)
	if len(w.seen) > 0 {
		u, x := deviations(w.seen), deviations(rows)
		slope := Dot(u, x) / max(SumOfSquares(u), tiny)
		for i := range x {
			x[i] -= float64(slope * u[i])
		}
		rows = x
	}
	t := termsOf(rows, nil, 0)
	t.factor = factor
	return t
}

// concentrationLimit is theory.ConcentrationLimit, of more than 16 keys interpolated between
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

// weigh looks at rows without a mask. The answer does not depend on how many workers there are.
func (j *joint) weigh(q Vectors, scales []float64, workers int) weighed {
	keys, queries := min(mostRows, j.k.Rows), min(mostRows, j.q.Rows)
	tiles := (queries + tileRows - 1) / tileRows
	all := make([]weighed, tiles)
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(max(workers, 1), tiles) {
		group.Go(func() {
			w := j.weigher(q, keys, queries)
			w.scales = scales
			for i := next.Add(1) - 1; i < int64(tiles); i = next.Add(1) - 1 {
				all[i] = w.tile(int(i), spaced(int(i), tiles, softmaxTiles), spaced(int(i), tiles, interactionTiles))
			}
		})
	}
	group.Wait()
	out := weighed{keys: keys, greatest: math.Inf(-1), effects: make([]effect, len(scales))}
	seen := 0
	for i, w := range all {
		out.greatest = max(out.greatest, w.greatest)
		out.interaction += w.interaction
		if spaced(i, tiles, interactionTiles) {
			seen += min(tileRows, queries-i*tileRows)
		}
		for s := range w.effects {
			out.effects[s].add(w.effects[s])
		}
	}
	free := float64(seen*keys) * (1 - 1/float64(j.q.Rows)) * (1 - 1/float64(j.k.Rows))
	out.interaction /= free
	return out
}

// spaced reports whether the i-th of some things is among at most so many, evenly spaced.
func spaced(i, of, most int) bool { return i%((of+most-1)/most) == 0 }

// weigher is the scratch of a worker: rows of scores of a tile's queries, less what depends on
// the query alone.
type weigher struct {
	*joint
	whole   packed // the queries
	about   packed // the keys less their mean
	scales  []float64
	queries int
	rows    [tileRows / kernel.Width][][kernel.Width]float32
	out     products
}

// weigher is one for so many keys and queries.
func (j *joint) weigher(q Vectors, keys, queries int) *weigher {
	w := &weigher{joint: j, about: j.k.about, whole: pack(queries, q.Dimension, q.Row), queries: queries}
	for i := range w.rows {
		w.rows[i] = make([][kernel.Width]float32, keys)
	}
	return w
}

// fill makes the rows of a tile's queries.
func (w *weigher) fill(tile int) {
	keys := len(w.rows[0])
	for start := 0; start < keys; start += kernel.TileQueries {
		w.whole.times(w.about, start/kernel.TileQueries, tile, &w.out)
		for i := range min(kernel.TileQueries, keys-start) {
			for g := range w.rows {
				w.rows[g][start+i] = [kernel.Width]float32(w.out.Tile[i][g*kernel.Width:])
			}
		}
	}
}

// seen is the greatest score that a query has with a key that is not behind it.
func (w *weigher) seen(tile int) float64 {
	w.fill(tile)
	most, whole := math.Inf(-1), Dot(w.q.mean, w.k.mean)
	for g, rows := range w.rows {
		for lane := range kernel.Width {
			query := tile*tileRows + g*kernel.Width + lane
			if query >= w.queries {
				break
			}
			peak := rows[0][lane]
			for j := range min(query+1, len(rows)) {
				peak = max(peak, rows[j][lane])
			}
			most = max(most, float64(peak)+w.q.cross[query]+whole)
		}
	}
	return most
}

// tile looks at a tile of queries.
func (w *weigher) tile(tile int, softmax, interaction bool) weighed {
	w.fill(tile)
	found := weighed{greatest: math.Inf(-1), effects: make([]effect, len(w.scales))}
	whole := Dot(w.q.mean, w.k.mean)
	for g, rows := range w.rows {
		first := tile*tileRows + g*kernel.Width
		lanes := min(kernel.Width, w.queries-first)
		if lanes <= 0 {
			break
		}
		var peaks kernel.Peaks
		kernel.FindPeaks(rows, &peaks)
		for lane := range lanes {
			found.greatest = max(found.greatest, float64(peaks.First[lane])+w.q.cross[first+lane]+whole)
		}
		if softmax {
			for s, scale := range w.scales {
				w.softmax(&found.effects[s], rows, &peaks, scale, first)
			}
		}
		if interaction {
			found.interaction += w.interacts(rows, first, lanes)
		}
	}
	return found
}

// softmax adds the rows of a panel, whose queries begin with the given one.
func (w *weigher) softmax(e *effect, scores [][kernel.Width]float32, peaks *kernel.Peaks, scale float64, first int) {
	keys := len(scores)
	var sums kernel.RowSums
	var rows [kernel.Width]attention.Row
	kernel.Rows(scores, peaks, scale, &sums)
	attention.Rows(&sums, keys, &rows)
	logKeys := elementary.Log(float64(keys))
	for lane, r := range rows[:min(kernel.Width, w.queries-first)] {
		sigma := scale * math.Sqrt(w.q.length(first+lane)*w.k.meanSquare())
		e.row(r.Collision, r.Entropy/logKeys, r.MaxWeight, r.JacobianNorm, sigma, keys)
	}
}

// interacts is the sum of squares of t² less what its query and its key have on average.
func (w *weigher) interacts(rows [][kernel.Width]float32, first, lanes int) (sum float64) {
	for j, line := range rows {
		for lane, x := range line[:lanes] {
			t := float64(x) + w.q.cross[first+lane]
			rest := float64(t*t) - w.joint.rows[first+lane] - w.cols[j] + w.mean
			sum += float64(rest * rest)
		}
	}
	return sum
}

// causal is what weigh finds where query i sees the keys 0 to i.
func (j *joint) causal(q, k Vectors, scales []float64) weighed {
	keys := min(mostRows, k.Rows)
	out := weighed{keys: keys, greatest: math.Inf(-1), effects: make([]effect, len(scales))}
	scores, logits := make([]float64, keys), make([]float64, keys)
	whole, pairs := Dot(j.q.mean, j.k.mean), 0
	for i := 0; i < q.Rows; i += (q.Rows + softmaxTiles*tileRows - 1) / (softmaxTiles * tileRows) {
		seen := min(i+1, keys)
		for c := range scores {
			scores[c] = Dot(q.Row(i), k.Row(c))
			t := scores[c] - whole
			rest := float64(t*t) - j.rows[i] - j.cols[c] + j.mean
			out.interaction += float64(rest * rest)
			pairs++
		}
		if seen < 2 {
			continue // its weight is 1 whatever the scale
		}
		n := float64(seen)
		out.seen, out.inside = append(out.seen, 1/math.Sqrt(n)), append(out.inside, variance(scores[:seen])*(n-1)/n)
		for s, scale := range scales {
			for c, x := range scores[:seen] {
				logits[c] = float64(x * scale)
			}
			attention.Softmax(logits[:seen])
			m, e := attention.Measure(logits[:seen], seen), &out.effects[s]
			sigma := scale * math.Sqrt(j.q.length(i)*j.k.meanSquare())
			e.row(m.Collision, m.EntropyRatio, m.MaxWeight, m.JacobianNorm, sigma, seen)
		}
	}
	w := j.weigher(q, keys, min(mostRows, q.Rows))
	for tile := range w.whole.tiles() {
		out.greatest = max(out.greatest, w.seen(tile))
	}
	out.interaction /= float64(pairs) * (1 - 1/float64(q.Rows)) * (1 - 1/float64(k.Rows))
	return out
}

// median is the middle value, of an even number the mean of the two in the middle.
func median(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	xs = slices.Sorted(slices.Values(xs))
	n := len(xs)
	return (xs[(n-1)/2] + xs[n/2]) / 2
}

// Largest is the greatest score that a query has with a key that it sees.
func (w weighed) Largest() float64 { return w.greatest }
