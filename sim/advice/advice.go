// Package advice measures what softmax makes of the scores of one head at
// initialisation: its weights are drawn, tokens meet them, and rows of keys follow.
//
// Given W_Q, W_K and a query the scores of a row are independent, one for each
// token, and as sums over d_model components nearly normal. So a row is drawn as
// normal numbers of the variance that this query has under these weights (see
// weights.Drawer.RowVariances), which lets it be as long as a context is. Queries
// are long and short, and weights differ from draw to draw: one standard deviation
// for all would be wrong in a head of few dimensions.
//
// Behind a norm of queries and keys all are of one length, and a score is the cosine
// of two directions. Where d_model is much larger than d_k the directions of keys
// are all alike likely, whatever the weights; so rows have keys on the sphere.
package advice

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"mcsim/sim/attention"
	"mcsim/sim/elementary"
	"mcsim/sim/kernel"
	"mcsim/sim/law"
	"mcsim/sim/stream"
	"mcsim/sim/weights"
)

// Bounds of a question. A worker keeps sixteen rows of keys, 64 bytes a key, and
// Student's t wants some draws of means that are skewed.
const (
	LeastKeys, MostKeys   = 2, 1 << 18
	LeastDraws, MostDraws = 16, 1 << 20
)

// Question is what is asked: rows of so many keys in so many heads.
type Question struct {
	Head    weights.Head
	Keys    int
	Draws   int // 0 for as many as are worth it
	Seed    uint64
	Workers int
}

// Answer is what was measured. All errors come from draws of the weights.
type Answer struct {
	Draws    int
	LogitSD  Estimate
	Weight   Estimate // the mean of the greatest
	Entropy  Estimate // its mean, over ln n
	Survival Estimate // the mean of R
	Median   Estimate // the median of R over rows, without a standard error
}

// shown is what one draw of the weights showed.
type shown struct {
	square, weight, entropy float64   // means
	survivals               []float64 // of its rows
}

// Ask draws the weights and measures. It stops when the context does.
func Ask(ctx context.Context, q Question) (*Answer, error) {
	if q.Draws == 0 {
		q.Draws = usualDraws(q.Head)
	}
	all := make([]shown, q.Draws)
	from := stream.Open(stream.Key{Seed: q.Seed, Cell: "advice/" + q.Head.Scheme.Name})
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(max(q.Workers, 1), q.Draws) {
		workers.Go(func() {
			m := newMeter(q)
			for i := next.Add(1) - 1; i < int64(q.Draws) && ctx.Err() == nil; i = next.Add(1) - 1 {
				var lanes stream.Lanes
				from.Block(&lanes, uint64(i))
				all[i] = m.draw(&lanes)
			}
		})
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return answerOf(all), nil
}

// worthDraws is how many draws of the weights know a logit variance to some 1 % in
// a head of 64 dimensions, drawWork the products that all of them may take.
const worthDraws, drawWork = 64, 6e10

// usualDraws are fewer where a draw is large: the larger the head, the less heads
// differ.
func usualDraws(h weights.Head) int {
	model, key := float64(h.Shape.Model), float64(h.Shape.Key)
	columns := 2 * model * key * key
	if h.Scheme.Orthogonal() {
		columns *= 45 // in float64
	}
	work := float64(2*model*key*weights.Tokens) + columns
	return int(min(worthDraws, max(LeastDraws, drawWork/work)))
}

// meter is the scratch of one worker.
type meter struct {
	drawer  *weights.Drawer
	head    weights.Head
	logKeys float64
	draws   func(*stream.Lanes, [][kernel.Width]float32) // of normal numbers, or of a vector on the sphere
	rows    [][][kernel.Width]float32                    // sixteen rows of scores each
	vector  [][kernel.Width]float32                      // a key
}

func newMeter(q Question) *meter {
	m := &meter{drawer: weights.NewDrawer(q.Head), head: q.Head, logKeys: elementary.Log(float64(q.Keys)), draws: vectorsOf("normal")}
	if q.Head.Scheme.Normalised {
		m.draws, m.vector = vectorsOf("sphere"), make([][kernel.Width]float32, q.Head.Shape.Key)
	}
	for range groupsOf(q) {
		m.rows = append(m.rows, make([][kernel.Width]float32, q.Keys))
	}
	return m
}

func vectorsOf(name string) func(*stream.Lanes, [][kernel.Width]float32) {
	l, err := law.Parse(name, nil)
	if err != nil {
		panic("advice: there is no law " + name)
	}
	return kernel.Vectors(l)
}

// groupsOf is how many times sixteen queries of a draw get a row: fewer where rows
// are long, or a query has so many components that its variance takes long. Behind
// a norm, queries lie along an axis each, of which there are d_k.
func groupsOf(q Question) int {
	key := q.Head.Shape.Key
	most := (1 << 22) / (key * key)
	if q.Head.Scheme.Normalised {
		most = kernel.Width * key
	}
	return max(1, min(weights.Tokens, (1<<18)/q.Keys, most)/kernel.Width)
}

// draw draws a head and its rows.
func (m *meter) draw(lanes *stream.Lanes) shown {
	out := shown{square: float64(m.head.Scale*m.head.Scale) * m.drawer.Draw(lanes).ScoreSquare}
	if m.head.Scheme.Normalised {
		m.drawDirections(lanes)
	} else {
		m.drawNormal(lanes)
	}
	var rows [kernel.Width]attention.Row
	for _, scores := range m.rows {
		softmax(scores, &rows)
		for _, r := range rows {
			out.weight += r.MaxWeight
			out.entropy += r.Entropy / m.logKeys
			out.survivals = append(out.survivals, r.Survival())
		}
	}
	n := float64(len(out.survivals))
	out.weight /= n
	out.entropy /= n
	return out
}

// drawNormal draws rows of normal scores for queries of the last draw.
func (m *meter) drawNormal(lanes *stream.Lanes) {
	variances := make([]float64, len(m.rows)*kernel.Width)
	m.drawer.RowVariances(variances)
	for g, scores := range m.rows {
		m.draws(lanes, scores)
		var sd [kernel.Width]float32
		for lane := range sd {
			sd[lane] = float32(m.head.Scale * math.Sqrt(max(0, variances[g*kernel.Width+lane])))
		}
		for i := range scores {
			for lane := range sd {
				scores[i][lane] *= sd[lane]
			}
		}
	}
}

// drawDirections draws keys on the sphere of radius √d_k, which all rows of a lane
// share: their queries are as long, along one axis each.
func (m *meter) drawDirections(lanes *stream.Lanes) {
	length := float32(m.head.Scale * math.Sqrt(float64(len(m.vector))))
	for i := range m.rows[0] {
		m.draws(lanes, m.vector)
		for g, scores := range m.rows {
			for lane, x := range m.vector[g] {
				scores[i][lane] = x * length
			}
		}
	}
}

// softmax says what becomes of sixteen rows.
func softmax(scores [][kernel.Width]float32, rows *[kernel.Width]attention.Row) {
	var peaks kernel.Peaks
	var sums kernel.RowSums
	kernel.FindPeaks(scores, &peaks)
	kernel.Rows(scores, &peaks, 1, &sums)
	attention.Rows(&sums, len(scores), rows)
}

// answerOf takes the draws together.
func answerOf(all []shown) *Answer {
	of := func(number func(shown) float64) Estimate {
		var values []float64
		for _, s := range all {
			values = append(values, number(s))
		}
		return meanOf(values)
	}
	var survivals [][]float64
	for _, s := range all {
		survivals = append(survivals, s.survivals)
	}
	return &Answer{Draws: len(all),
		LogitSD: of(func(s shown) float64 { return s.square }).root(),
		Weight:  of(func(s shown) float64 { return s.weight }),
		Entropy: of(func(s shown) float64 { return s.entropy }),
		Survival: of(func(s shown) float64 {
			var sum float64
			for _, x := range s.survivals {
				sum += x
			}
			return sum / float64(len(s.survivals))
		}),
		Median: medianOf(survivals),
	}
}
