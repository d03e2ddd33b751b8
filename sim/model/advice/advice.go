// Package advice measures what softmax makes of the scores of one head at
// initialisation: its weights are drawn, tokens meet them, and rows of keys follow.
//
// Given W_Q, W_K and a query the scores of a row are independent, one for each
// token. LayerNorm puts tokens on a sphere of D − 1 dimensions, so a score is a
// component of a vector on it, times what this query has under these weights (see
// weights.Sampler.RowVariances). Such numbers are cheap, and rows may be as long as a
// context is. Of raw tokens, without LayerNorm, the scores are normal. Queries are long and short, and
// weights differ from draw to draw: one standard deviation for all would be wrong in a head of few
// dimensions. Keys are drawn as vectors if there is a norm of queries and keys, which is not linear.
package advice

import (
	"context"
	"math"
	"sync"

	"golang.org/x/sync/errgroup"

	"mcsim/sim/attention"
	"mcsim/sim/attention/weights"
	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
)

// Bounds of a question. A worker keeps sixteen rows of keys, 64 bytes a key, and
// Student's t needs some draws of means that are skewed.
const (
	MinKeys, MaxKeys   = 2, 1 << 18
	MinDraws, MaxDraws = 16, 1 << 20
)

// Question is what is asked: rows of a number of keys in heads.
type Question struct {
	Head    weights.Head
	Keys    int
	Draws   int // 0 for as many as are worth it
	Seed    uint64
	Workers int
	// Drawn is called after every draw, from any worker; it may be nil.
	Drawn func()
}

// Answer is what was measured. All errors come from draws of the weights.
type Answer struct {
	Draws     int      `json:"weight_draws"`
	LogitSD   Estimate `json:"logit_sd"`
	Weight    Estimate `json:"max_weight"`    // the mean of the greatest
	Entropy   Estimate `json:"entropy_ratio"` // its mean, over ln n
	Collision Estimate `json:"collision"`     // the mean of Σα²
	Dead      Estimate `json:"dead_share"`    // the proportion of rows that are dead
	// Gradient is the median over rows of ‖∂α/∂K‖_F, relative to uniform weights and logits of
	// standard deviation 1. It has no standard error.
	Gradient Estimate `json:"relative_key_gradient_q50"`

	square Estimate // of the logits, whose root LogitSD is
}

// shown is what one draw of the weights showed.
type shown struct {
	square, weight, entropy, collision, dead float64   // means
	gradients                                []float64 // of its rows
}

// Ask draws the weights and measures. It stops when the context does, and does not wait for a draw of a
// large head then, which takes seconds.
func Ask(ctx context.Context, q Question) (*Answer, error) {
	all := make([]shown, q.Planned())
	source := stream.Open(stream.ID{Seed: q.Seed, Cell: "advice/" + q.Head.Scheme.Name})
	meters := sync.Pool{New: func() any { return newMeter(q) }}
	draw := func(i int) {
		m := meters.Get().(*meter)
		defer meters.Put(m)
		var lanes stream.Lanes
		source.Block(&lanes, uint64(i))
		all[i] = m.draw(&lanes)
		if q.Drawn != nil {
			q.Drawn()
		}
	}
	done := make(chan error, 1)
	go func() {
		var group errgroup.Group
		group.SetLimit(max(q.Workers, 1))
		for i := 0; i < len(all) && ctx.Err() == nil; i++ {
			group.Go(func() error { draw(i); return nil })
		}
		done <- group.Wait()
	}()
	select {
	case <-ctx.Done():
	case <-done:
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return newAnswer(all), nil
}

// usualDraws is how many draws of the weights know a logit variance to some 1 % in
// a head of 64 dimensions, maxWork the products that all of them may take.
const usualDraws, maxWork = 64, 6e10

// Planned returns the number of draws: fewer if a draw is large, since the larger the head, the less
// heads differ.
func (q Question) Planned() int {
	if q.Draws > 0 {
		return q.Draws
	}
	const slow = 45 // products in float64
	scheme, model, key := q.Head.Scheme, float64(q.Head.Shape.Model), float64(q.Head.Shape.Key)
	columns := 2 * model * key * key
	if scheme.IsOrthogonal() {
		columns *= slow
	}
	work := float64(2*model*key*weights.Tokens) + columns
	if q.Head.Normalised {
		work += float64(float64(q.Keys) * key * key / 2 * slow)
	}
	return int(min(usualDraws, max(MinDraws, maxWork/work)))
}

// meter is the scratch of one worker.
type meter struct {
	drawer  *weights.Sampler
	head    weights.Head
	logKeys float64
	limits  rows.Limits
	normals func(*stream.Lanes, [][kernel.Width]float32)
	rows    [][][kernel.Width]float32 // sixteen rows of scores each
}

// newMeter returns a meter with room for the rows of the question.
func newMeter(q Question) *meter {
	m := &meter{drawer: weights.NewSampler(q.Head), head: q.Head, logKeys: elementary.Log(float64(q.Keys)),
		limits: rows.NewLimits(q.Keys), normals: kernel.Vectors(distribution.Normal)}
	for range groups(q) {
		m.rows = append(m.rows, make([][kernel.Width]float32, q.Keys))
	}
	return m
}

// groups returns how many times sixteen queries of a draw get a row: fewer if rows
// are long, or a query has so many components that it takes long.
func groups(q Question) int {
	key := q.Head.Shape.Key
	rows := min(weights.Tokens, (1<<18)/q.Keys, (1<<22)/(key*key))
	return max(1, rows/kernel.Width)
}

// draw draws a head and its rows.
func (m *meter) draw(lanes *stream.Lanes) shown {
	out := shown{square: float64(m.head.Scale*m.head.Scale) * m.drawer.Sample(lanes).ScoreSquare}
	deviations := m.drawRows(lanes)
	var peaks kernel.Peaks
	var sums kernel.RowSums
	var measured [kernel.Width]attention.Row
	for g, scores := range m.rows {
		kernel.FindPeaks(scores, &peaks)
		kernel.SumRows(scores, &peaks, 1, &sums)
		attention.FillRows(&sums, len(scores), &measured)
		for lane, r := range measured {
			out.weight += r.MaxWeight
			out.entropy += r.Entropy / m.logKeys
			out.collision += r.Collision
			gradient := float64(deviations[g*kernel.Width+lane] * r.JacobianNorm)
			if m.limits.Dead(r.Collision, gradient) {
				out.dead++
			}
			out.gradients = append(out.gradients, m.limits.RelativeGradient(gradient))
		}
	}
	n := float64(len(out.gradients))
	out.weight /= n
	out.entropy /= n
	out.collision /= n
	out.dead /= n
	return out
}

// drawRows draws the scores of queries of the last draw. It returns the standard deviation of a
// logit given each query.
func (m *meter) drawRows(lanes *stream.Lanes) (deviations []float64) {
	factors := make([]float64, len(m.rows)*kernel.Width)
	if m.head.Normalised {
		m.drawer.SampleNormalisedRows(lanes, m.rows)
		for i := range factors {
			factors[i] = m.head.Scale
		}
	} else {
		m.drawer.RowVariances(factors)
		for i, v := range factors {
			factors[i] = m.head.Scale * math.Sqrt(max(0, v))
		}
		for _, scores := range m.rows {
			if m.head.Raw {
				m.normals(lanes, scores)
			} else {
				m.drawSphere(lanes, scores, m.head.Shape.Model-1)
			}
		}
	}
	for g, scores := range m.rows {
		for i := range scores {
			for lane := range scores[i] {
				scores[i][lane] *= float32(factors[g*kernel.Width+lane])
			}
		}
	}
	if m.head.Normalised { // whose queries and keys have the length √d_k
		for i := range factors {
			factors[i] *= math.Sqrt(float64(m.head.Shape.Key))
		}
	}
	return factors
}

// drawSphere draws components of vectors on the sphere of radius √m in m dimensions,
// each of its own: z·√(m/(z² + χ²)) with z normal and χ² of m − 1 degrees of freedom.
func (m *meter) drawSphere(lanes *stream.Lanes, to [][kernel.Width]float32, dimension int) {
	m.normals(lanes, to)
	square := weights.NewChiSquare(dimension - 1)
	others := make([][kernel.Width]float32, square.NormalsNeeded())
	for i := range to {
		m.normals(lanes, others)
		for lane, z := range to[i] {
			whole := float64(float64(z)*float64(z)) + square.FromNormals(others, lane)
			to[i][lane] = float32(float64(z) * math.Sqrt(float64(dimension)/whole))
		}
	}
}

// newAnswer joins the draws.
func newAnswer(all []shown) *Answer {
	mean := func(number func(shown) float64) Estimate { return newMean(names.Map(all, number)) }
	square := mean(func(s shown) float64 { return s.square })
	return &Answer{Draws: len(all), square: square,
		LogitSD:   square.root(),
		Weight:    mean(func(s shown) float64 { return s.weight }),
		Entropy:   mean(func(s shown) float64 { return s.entropy }),
		Collision: mean(func(s shown) float64 { return s.collision }),
		Dead:      mean(func(s shown) float64 { return s.dead }),
		Gradient:  newMedian(names.Map(all, func(s shown) []float64 { return s.gradients })),
	}
}
