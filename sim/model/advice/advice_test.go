package advice

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"mcsim/sim/attention/weights"
	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

func headOf(t *testing.T, name string, model, key int) weights.Head {
	t.Helper()
	s, ok := weights.Lookup(name)
	if !ok {
		t.Fatalf("there is no scheme %s", name)
	}
	return s.Head(weights.Shape{Model: model, Key: key})
}

func answered(t *testing.T, q Question) *Answer {
	t.Helper()
	a, err := Ask(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// heads draws heads entry by entry in float64, and rows of keys as they are: every
// score a product of a query with a key of a token of its own.
type heads struct {
	*rand.Rand
	model, key, keys int
	scale            float64
	entry            func() float64
	keyEntry         func() float64 // of W_K, where it is another
	bias             func() float64
	orthogonal, norm bool
	raw              bool
}

// token is normal numbers behind LayerNorm, unless it is raw.
func (h *heads) token() []float64 {
	x := make([]float64, h.model)
	var sum, square float64
	for i := range x {
		x[i] = h.NormFloat64()
		sum += x[i]
	}
	if h.raw {
		return x
	}
	for i := range x {
		x[i] -= sum / float64(h.model)
		square += x[i] * x[i]
	}
	for i := range x {
		x[i] /= math.Sqrt(square / float64(h.model))
	}
	return x
}

// matrix is the columns of W, and the bias.
func (h *heads) matrix(entry func() float64) (columns [][]float64, bias []float64) {
	for range h.key {
		c := make([]float64, h.model)
		for i := range c {
			c[i] = entry()
		}
		if h.orthogonal { // Gram and Schmidt
			for _, other := range columns {
				along := floats.Dot(c, other)
				for i := range c {
					c[i] -= along * other[i]
				}
			}
			length := math.Sqrt(floats.Dot(c, c))
			for i := range c {
				c[i] /= length
			}
		}
		columns = append(columns, c)
		bias = append(bias, h.bias())
	}
	return columns, bias
}

func (h *heads) project(columns [][]float64, bias, x []float64) []float64 {
	out := make([]float64, h.key)
	for c := range out {
		out[c] = floats.Dot(columns[c], x) + bias[c]
	}
	if h.norm {
		length := math.Sqrt(floats.Dot(out, out) / float64(h.key))
		for c := range out {
			out[c] /= length
		}
	}
	return out
}

// draw is what one draw of weights shows over so many rows.
func (h *heads) draw(rows int) (s shown) {
	keyEntry := h.entry
	if h.keyEntry != nil {
		keyEntry = h.keyEntry
	}
	wq, bq := h.matrix(h.entry)
	wk, bk := h.matrix(keyEntry)
	limit := theory.ConcentrationLimit(h.keys)
	uniform := math.Sqrt(float64(h.keys-1)) / float64(h.keys)
	for range rows {
		q := h.project(wq, bq, h.token())
		all := make([]float64, h.keys)
		var sum, collision, cubes, entropy, greatest float64
		for i := range all {
			score := h.scale * floats.Dot(q, h.project(wk, bk, h.token()))
			s.square += score * score / float64(h.keys)
			all[i] = math.Exp(score)
			sum += all[i]
		}
		for _, w := range all {
			a := w / sum
			collision += a * a
			cubes += a * a * a
			entropy -= a * math.Log(a)
			greatest = max(greatest, a)
		}
		others := make([]float64, 100) // scores of keys that are not in the row
		for i := range others {
			others[i] = h.scale * floats.Dot(q, h.project(wk, bk, h.token()))
		}
		jacobian := math.Sqrt(max(0, collision-2*cubes+collision*collision))
		gradient := stat.StdDev(others, nil) * jacobian / uniform
		s.gradients = append(s.gradients, gradient)
		s.collision += collision
		if collision > limit && gradient < names.DeadThreshold {
			s.dead++
		}
		s.weight += greatest
		s.entropy += entropy / math.Log(float64(h.keys))
	}
	s.square /= float64(rows)
	s.weight /= float64(rows)
	s.entropy /= float64(rows)
	s.collision /= float64(rows)
	s.dead /= float64(rows)
	return s
}

// The rows are those of real heads: with a bias, with orthonormal columns, behind a
// norm, and of one dimension, where queries are of very different length.
func TestRowsAreThoseOfHeads(t *testing.T) {
	const keys, rows = 24, 16
	draws := 150
	if testing.Short() {
		draws = 50
	}
	random := rand.New(rand.NewPCG(8, 8))
	normal := func(variance float64) func() float64 {
		return func() float64 { return math.Sqrt(variance) * random.NormFloat64() }
	}
	uniform := func(bound float64) func() float64 {
		return func() float64 { return bound * (2*random.Float64() - 1) }
	}
	none := func() float64 { return 0 }
	norm := func(h *weights.Head) { h.Normalised = true }
	raw := func(h *weights.Head) { h.Raw = true }
	for _, c := range []struct {
		name       string
		model, key int
		of         heads
		change     func(*weights.Head) // nil for none
	}{
		{"he-normal", 128, 1, heads{scale: 1, entry: normal(2.0 / 128), bias: none}, nil},
		{"torch-linear", 128, 8, heads{scale: 1 / math.Sqrt(8), entry: uniform(1 / math.Sqrt(128)),
			bias: uniform(1 / math.Sqrt(128))}, nil},
		{"torch-linear", 128, 8, heads{scale: 1 / math.Sqrt(8), entry: uniform(1 / math.Sqrt(128)),
			bias: uniform(1 / math.Sqrt(128)), norm: true}, norm},
		{"torch-linear", 6, 3, heads{scale: 1 / math.Sqrt(3), entry: uniform(1 / math.Sqrt(6)),
			bias: uniform(1 / math.Sqrt(6)), norm: true}, norm},
		{"torch-linear", 4, 8, heads{scale: 1 / math.Sqrt(8), entry: uniform(0.5), bias: uniform(0.5), norm: true}, norm},
		{"torch-linear", 6, 3, heads{scale: 1 / math.Sqrt(3), entry: uniform(1 / math.Sqrt(6)),
			bias: uniform(1 / math.Sqrt(6)), norm: true, raw: true}, func(h *weights.Head) { norm(h); raw(h) }},
		{"torch-linear", 6, 3, heads{scale: 1 / math.Sqrt(3), entry: uniform(1 / math.Sqrt(6)),
			bias: uniform(1 / math.Sqrt(6)), raw: true}, raw},
		{"lecun-normal", 4, 2, heads{scale: 1 / math.Sqrt(2), entry: normal(1.0 / 4), bias: none, raw: true}, raw},
		{"orthogonal", 8, 4, heads{scale: 1 / math.Sqrt(4), entry: normal(1), bias: none, orthogonal: true, raw: true}, raw},
		{"he-normal", 64, 8, heads{scale: 1.0 / 8, entry: normal(0.3 * 0.3), bias: none},
			func(h *weights.Head) { *h = weights.NewNormal(0.3).Head(h.Shape); h.Scale = 1.0 / 8 }},
		{"glorot-fused", 32, 8, heads{scale: 1 / math.Sqrt(8), entry: uniform(math.Sqrt(6.0 / (32 + 64))),
			keyEntry: uniform(math.Sqrt(6.0 / (32 + 16))), bias: none},
			func(h *weights.Head) { *h = h.Scheme.HeadInLayer(weights.Layer{Shape: h.Shape, Heads: 8, KeyHeads: 2}) }},
		{"orthogonal", 96, 4, heads{scale: 1 / math.Sqrt(4), entry: normal(1), bias: none, orthogonal: true}, nil},
		{"orthogonal", 4, 4, heads{scale: 1 / math.Sqrt(4), entry: normal(1), bias: none, orthogonal: true}, nil},
		{"orthogonal", 40, 4, heads{scale: 1 / math.Sqrt(4), entry: normal(1), bias: none, orthogonal: true}, nil},
		{"qk-norm", 128, 8, heads{scale: 1 / math.Sqrt(8), entry: normal(1.0 / 128), bias: none, norm: true}, nil},
		{"qk-norm", 8, 8, heads{scale: 1 / math.Sqrt(8), entry: normal(1.0 / 8), bias: none, norm: true}, nil},
	} {
		h := c.of
		h.Rand, h.model, h.key, h.keys = random, c.model, c.key, keys
		var all []shown
		for range draws {
			all = append(all, h.draw(rows))
		}
		want := newAnswer(all)
		head := headOf(t, c.name, c.model, c.key)
		if c.change != nil {
			c.change(&head)
		}
		got := answered(t, Question{Head: head, Keys: keys, Draws: 400, Seed: 1, Workers: 2})
		for _, e := range []struct {
			name      string
			got, want Estimate
		}{
			{"logit deviation", got.LogitSD, want.LogitSD}, {"greatest weight", got.Weight, want.Weight},
			{"entropy", got.Entropy, want.Entropy},
			{"mean of Σα²", got.Collision, want.Collision}, {"median gradient", got.Gradient, want.Gradient},
		} {
			if e.name == "median gradient" && head.Normalised {
				continue // the program takes normalised keys to have no direction of their own
			}
			se := math.Hypot(e.got.Hi-e.got.Lo, e.want.Hi-e.want.Lo) / 4 // of the difference
			if z := (e.got.Value - e.want.Value) / se; !(math.Abs(z) < 4.5) {
				t.Errorf("%s %+v: %s is %v, in heads %v: %.1f standard errors", c.name, head.Layer, e.name, e.got, e.want, z)
			}
		}
		if sigma := math.Sqrt(head.LogitVariance()); sigma < got.LogitSD.Value-2.2*(got.LogitSD.Hi-got.LogitSD.Lo) ||
			sigma > got.LogitSD.Value+2.2*(got.LogitSD.Hi-got.LogitSD.Lo) {
			t.Errorf("%s %+v: the logits have the standard deviation %v by theory, drawn %v", c.name, head.Layer, sigma,
				got.LogitSD)
		}
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	q := Question{Head: headOf(t, "keras", 64, 16), Keys: 33, Draws: 16, Seed: 3, Workers: 1}
	one := *answered(t, q)
	q.Workers = 5
	same := *answered(t, q)
	one.Gradient.SE, same.Gradient.SE = 0, 0 // NaN
	if one != same {
		t.Errorf("%+v by one worker, %+v by five", one, same)
	}
}

// Rows in groups that shift together: the interval covers as often as it says,
// where rows as if independent would cover far less.
func TestMedianCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const runs = 2000
	covered := 0
	for range runs {
		groups := make([][]float64, 64)
		for i := range groups {
			shift := random.NormFloat64()
			for range 32 {
				groups[i] = append(groups[i], shift+random.NormFloat64())
			}
		}
		if e := newMedian(groups); e.Lo <= 0 && 0 <= e.Hi {
			covered++
		}
	}
	// 95 % within 4.5 standard errors of a count, and what an interval between order
	// statistics of so few groups may be off.
	if share := float64(covered) / runs; math.Abs(share-0.95) > 0.022+0.01 {
		t.Errorf("%.1f %% of the intervals hold the median", 100*share)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Ask(ctx, Question{Head: headOf(t, "mup", 64, 16), Keys: 8, Workers: 2})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was interrupted", err)
	}
}
