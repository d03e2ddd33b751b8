// Package advice simulates the attention rows of one head at initialisation: it samples the
// weights and tokens, computes rows of scores, and measures their softmax.
//
// If W_Q, W_K and a query are fixed, the scores of a row are independent, one for each token.
// LayerNorm puts tokens of D components on a sphere in D − 1 dimensions. So a score is a component
// of a random vector on that sphere, times a standard deviation that depends on the query and the
// weights (see weights.Sampler.RowVariances). For raw tokens, without LayerNorm, the scores are
// normal. In both cases scores are sampled without computing keys, so rows may be as long as a
// context. The standard deviation is computed for each query, since queries differ in length and
// draws differ in their weights, above all for a head of few dimensions. If queries and keys are
// normalised, scores are not linear in the tokens, and keys are sampled as vectors.
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

// Bounds of a question. Memory limits the number of keys: a worker holds panels of sixteen rows,
// with 64 bytes per key. Student's intervals need at least MinDraws draws, since the means are
// skewed.
const (
	MinKeys, MaxKeys   = 2, 1 << 18
	MinDraws, MaxDraws = 16, 1 << 20
)

// Question describes the heads and rows to simulate.
type Question struct {
	Head    weights.Head
	Keys    int
	Draws   int // 0 for the default, see DrawCount
	Seed    uint64
	Workers int
	// AfterDraw is called after every draw, on any goroutine; it may be nil.
	AfterDraw func()
}

// Answer holds means over all rows of all draws of the weights. The standard errors come from the
// scatter between draws.
type Answer struct {
	Draws          int      `json:"weight_draws"`
	LogitSD        Estimate `json:"logit_sd"`
	MaxWeight      Estimate `json:"max_weight"`    // mean of the largest weight of a row
	EntropyRatio   Estimate `json:"entropy_ratio"` // mean of the entropy over ln n
	Collision      Estimate `json:"collision"`     // mean of Σα²
	DeadProportion Estimate `json:"dead_share"`    // proportion of dead rows
	// RelativeGradient is the median over rows of ‖∂α/∂K‖_F, relative to uniform weights and logits
	// of standard deviation 1. It has no standard error.
	RelativeGradient Estimate `json:"relative_key_gradient_q50"`

	meanSquare Estimate // mean square of the logits, the square of LogitSD
}

// drawResult has the results for the rows of one draw of the weights.
type drawResult struct {
	meanSquare, maxWeight, entropyRatio, collision float64   // means over rows
	dead                                           float64   // proportion of dead rows
	gradients                                      []float64 // relative gradient of each row
}

// Ask samples the weights and measures rows of keys. If ctx ends, it returns at once and does not
// wait for the current draws, which take seconds for a large head.
func Ask(ctx context.Context, q Question) (*Answer, error) {
	results := make([]drawResult, q.DrawCount())
	source := stream.Open(stream.ID{Seed: q.Seed, Cell: "advice/" + q.Head.Scheme.Name})
	meters := sync.Pool{New: func() any { return newMeter(q) }}
	measureDraw := func(i int) {
		m := meters.Get().(*meter)
		defer meters.Put(m)
		var lanes stream.Lanes
		source.Block(&lanes, uint64(i))
		results[i] = m.measureDraw(&lanes)
		if q.AfterDraw != nil {
			q.AfterDraw()
		}
	}
	done := make(chan error, 1)
	go func() {
		var group errgroup.Group
		group.SetLimit(max(q.Workers, 1))
		for i := 0; i < len(results) && ctx.Err() == nil; i++ {
			group.Go(func() error { measureDraw(i); return nil })
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
	return newAnswer(results), nil
}

const (
	defaultDraws = 64   // the logit variance of a head of 64 dimensions then has a standard error of about 1 %
	maxWork      = 6e10 // largest number of products of all draws, unless the number of draws is given
)

// DrawCount returns the number of draws of the weights. The default is smaller for large heads:
// they are expensive and differ less from each other.
func (q Question) DrawCount() int {
	if q.Draws > 0 {
		return q.Draws
	}
	const float64Cost = 45 // time for a float64 product, in times for a float32 product
	scheme, model, key := q.Head.Scheme, float64(q.Head.Shape.Model), float64(q.Head.Shape.Key)
	columns := 2 * model * key * key
	if scheme.IsOrthogonal() {
		columns *= float64Cost
	}
	work := float64(2*model*key*weights.Tokens) + columns
	if q.Head.Normalised {
		work += float64(float64(q.Keys) * key * key / 2 * float64Cost)
	}
	return int(min(defaultDraws, max(MinDraws, maxWork/work)))
}

// meter measures draws for one goroutine; it holds the buffers.
type meter struct {
	drawer  *weights.Sampler
	head    weights.Head
	logKeys float64
	limits  rows.Limits
	normals func(*stream.Lanes, [][kernel.Width]float32)
	rows    [][][kernel.Width]float32 // panels of sixteen rows of scores
}

// newMeter allocates the rows of the question.
func newMeter(q Question) *meter {
	m := &meter{drawer: weights.NewSampler(q.Head), head: q.Head, logKeys: elementary.Log(float64(q.Keys)),
		limits: rows.NewLimits(q.Keys), normals: kernel.Vectors(distribution.Normal)}
	for range panelCount(q) {
		m.rows = append(m.rows, make([][kernel.Width]float32, q.Keys))
	}
	return m
}

// panelCount returns the number of panels of sixteen queries per draw. It is smaller if rows are
// long or d_k is large, to limit the time of a draw.
func panelCount(q Question) int {
	const maxScores, maxProducts = 1 << 18, 1 << 22 // of all rows of a draw
	key := q.Head.Shape.Key
	rows := min(weights.Tokens, maxScores/q.Keys, maxProducts/(key*key))
	return max(1, rows/kernel.Width)
}

// measureDraw samples the weights of a head and measures its rows.
func (m *meter) measureDraw(lanes *stream.Lanes) drawResult {
	result := drawResult{meanSquare: float64(m.head.Scale*m.head.Scale) * m.drawer.Sample(lanes).ScoreSquare}
	deviations := m.sampleRows(lanes)
	var peaks kernel.Peaks
	var sums kernel.RowSums
	var measured [kernel.Width]attention.Row
	for panel, scores := range m.rows {
		kernel.FindPeaks(scores, &peaks)
		kernel.SumRows(scores, &peaks, 1, &sums)
		attention.FillRows(&sums, len(scores), &measured)
		for lane, r := range measured {
			result.maxWeight += r.MaxWeight
			result.entropyRatio += r.Entropy / m.logKeys
			result.collision += r.Collision
			gradient := float64(deviations[panel*kernel.Width+lane] * r.JacobianNorm)
			if m.limits.Dead(r.Collision, gradient) {
				result.dead++
			}
			result.gradients = append(result.gradients, m.limits.RelativeGradient(gradient))
		}
	}
	n := float64(len(result.gradients))
	result.maxWeight /= n
	result.entropyRatio /= n
	result.collision /= n
	result.dead /= n
	return result
}

// sampleRows samples the logits of queries under the current weights into m.rows. It returns, for
// each query, the standard deviation of a logit.
func (m *meter) sampleRows(lanes *stream.Lanes) (deviations []float64) {
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
				m.sampleSphere(lanes, scores, m.head.Shape.Model-1)
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
	if m.head.Normalised { // queries and keys have the length √d_k
		for i := range factors {
			factors[i] *= math.Sqrt(float64(m.head.Shape.Key))
		}
	}
	return factors
}

// sampleSphere samples each score as a component of a random vector on the sphere of radius √m in m
// dimensions, with m = dimension: z·√(m/(z² + χ²)), where z is normal and χ² is independent of z
// and has m − 1 degrees of freedom.
func (m *meter) sampleSphere(lanes *stream.Lanes, scores [][kernel.Width]float32, dimension int) {
	m.normals(lanes, scores)
	square := weights.NewChiSquare(dimension - 1)
	others := make([][kernel.Width]float32, square.NormalsNeeded())
	for i := range scores {
		m.normals(lanes, others)
		for lane, z := range scores[i] {
			squaredLength := float64(float64(z)*float64(z)) + square.FromNormals(others, lane)
			scores[i][lane] = float32(float64(z) * math.Sqrt(float64(dimension)/squaredLength))
		}
	}
}

// newAnswer returns the means over draws.
func newAnswer(results []drawResult) *Answer {
	mean := func(number func(drawResult) float64) Estimate { return newMean(names.Map(results, number)) }
	square := mean(func(s drawResult) float64 { return s.meanSquare })
	return &Answer{Draws: len(results), meanSquare: square,
		LogitSD:          square.sqrt(),
		MaxWeight:        mean(func(s drawResult) float64 { return s.maxWeight }),
		EntropyRatio:     mean(func(s drawResult) float64 { return s.entropyRatio }),
		Collision:        mean(func(s drawResult) float64 { return s.collision }),
		DeadProportion:   mean(func(s drawResult) float64 { return s.dead }),
		RelativeGradient: newMedian(names.Map(results, func(s drawResult) []float64 { return s.gradients })),
	}
}
