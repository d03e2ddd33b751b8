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

func newHead(t *testing.T, name string, model, key int) weights.Head {
	t.Helper()
	scheme, ok := weights.Lookup(name)
	if !ok {
		t.Fatalf("there is no scheme %s", name)
	}
	return scheme.Head(weights.Shape{Model: model, Key: key})
}

func ask(t *testing.T, q Question) *Answer {
	t.Helper()
	a, err := Ask(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// referenceHeads samples all weights and tokens in float64. Every score is the product of a query
// with the key of another token.
type referenceHeads struct {
	*rand.Rand
	model, key, keys       int
	scale                  float64
	sampleWeight           func() float64
	sampleKeyWeight        func() float64 // samples a weight of W_K; nil if sampleWeight does
	sampleBias             func() float64
	orthogonal, normalised bool
	raw                    bool
}

// sampleToken returns normal numbers, after LayerNorm unless raw is set.
func (h *referenceHeads) sampleToken() []float64 {
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

// sampleMatrix returns the columns of W and the bias.
func (h *referenceHeads) sampleMatrix(sampleWeight func() float64) (columns [][]float64, bias []float64) {
	for range h.key {
		c := make([]float64, h.model)
		for i := range c {
			c[i] = sampleWeight()
		}
		if h.orthogonal { // Gram and Schmidt
			for _, other := range columns {
				projection := floats.Dot(c, other)
				for i := range c {
					c[i] -= projection * other[i]
				}
			}
			length := math.Sqrt(floats.Dot(c, c))
			for i := range c {
				c[i] /= length
			}
		}
		columns = append(columns, c)
		bias = append(bias, h.sampleBias())
	}
	return columns, bias
}

func (h *referenceHeads) project(columns [][]float64, bias, x []float64) []float64 {
	projected := make([]float64, h.key)
	for c := range projected {
		projected[c] = floats.Dot(columns[c], x) + bias[c]
	}
	if h.normalised {
		length := math.Sqrt(floats.Dot(projected, projected) / float64(h.key))
		for c := range projected {
			projected[c] /= length
		}
	}
	return projected
}

// measureDraw samples weights and measures the given number of rows.
func (h *referenceHeads) measureDraw(rows int) (result drawResult) {
	sampleKeyWeight := h.sampleWeight
	if h.sampleKeyWeight != nil {
		sampleKeyWeight = h.sampleKeyWeight
	}
	wq, bq := h.sampleMatrix(h.sampleWeight)
	wk, bk := h.sampleMatrix(sampleKeyWeight)
	limit := theory.ConcentrationLimit(h.keys)
	uniform := math.Sqrt(float64(h.keys-1)) / float64(h.keys)
	for range rows {
		q := h.project(wq, bq, h.sampleToken())
		exponentials := make([]float64, h.keys)
		var sum, collision, cubes, entropy, maxWeight float64
		for i := range exponentials {
			score := h.scale * floats.Dot(q, h.project(wk, bk, h.sampleToken()))
			result.meanSquare += score * score / float64(h.keys)
			exponentials[i] = math.Exp(score)
			sum += exponentials[i]
		}
		for _, w := range exponentials {
			a := w / sum
			collision += a * a
			cubes += a * a * a
			entropy -= a * math.Log(a)
			maxWeight = max(maxWeight, a)
		}
		others := make([]float64, 100) // scores of further keys, for the standard deviation
		for i := range others {
			others[i] = h.scale * floats.Dot(q, h.project(wk, bk, h.sampleToken()))
		}
		jacobian := math.Sqrt(max(0, collision-2*cubes+collision*collision))
		gradient := stat.StdDev(others, nil) * jacobian / uniform
		result.gradients = append(result.gradients, gradient)
		result.collision += collision
		if collision > limit && gradient < names.DeadThreshold {
			result.dead++
		}
		result.maxWeight += maxWeight
		result.entropyRatio += entropy / math.Log(float64(h.keys))
	}
	result.meanSquare /= float64(rows)
	result.maxWeight /= float64(rows)
	result.entropyRatio /= float64(rows)
	result.collision /= float64(rows)
	result.dead /= float64(rows)
	return result
}

// TestRowsAreThoseOfHeads compares answers with referenceHeads, to 4.5 standard errors of the
// difference. The heads have a bias, orthonormal columns, a norm of queries and keys, or only one
// dimension, where queries differ most in length.
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
	setNormalised := func(h *weights.Head) { h.Normalised = true }
	setRaw := func(h *weights.Head) { h.Raw = true }
	for _, c := range []struct {
		name       string
		model, key int
		reference  referenceHeads
		change     func(*weights.Head) // nil if the head of the scheme is used
	}{
		{"he-normal", 128, 1, referenceHeads{scale: 1, sampleWeight: normal(2.0 / 128), sampleBias: none}, nil},
		{"torch-linear", 128, 8, referenceHeads{scale: 1 / math.Sqrt(8), sampleWeight: uniform(1 / math.Sqrt(128)),
			sampleBias: uniform(1 / math.Sqrt(128))}, nil},
		{"torch-linear", 128, 8, referenceHeads{scale: 1 / math.Sqrt(8), sampleWeight: uniform(1 / math.Sqrt(128)),
			sampleBias: uniform(1 / math.Sqrt(128)), normalised: true}, setNormalised},
		{"torch-linear", 6, 3, referenceHeads{scale: 1 / math.Sqrt(3), sampleWeight: uniform(1 / math.Sqrt(6)),
			sampleBias: uniform(1 / math.Sqrt(6)), normalised: true}, setNormalised},
		{"torch-linear", 4, 8, referenceHeads{scale: 1 / math.Sqrt(8), sampleWeight: uniform(0.5),
			sampleBias: uniform(0.5), normalised: true}, setNormalised},
		{"torch-linear", 6, 3, referenceHeads{scale: 1 / math.Sqrt(3), sampleWeight: uniform(1 / math.Sqrt(6)),
			sampleBias: uniform(1 / math.Sqrt(6)), normalised: true, raw: true},
			func(h *weights.Head) { setNormalised(h); setRaw(h) }},
		{"torch-linear", 6, 3, referenceHeads{scale: 1 / math.Sqrt(3), sampleWeight: uniform(1 / math.Sqrt(6)),
			sampleBias: uniform(1 / math.Sqrt(6)), raw: true}, setRaw},
		{"lecun-normal", 4, 2, referenceHeads{scale: 1 / math.Sqrt(2), sampleWeight: normal(1.0 / 4),
			sampleBias: none, raw: true}, setRaw},
		{"orthogonal", 8, 4, referenceHeads{scale: 1 / math.Sqrt(4), sampleWeight: normal(1), sampleBias: none,
			orthogonal: true, raw: true}, setRaw},
		{"he-normal", 64, 8, referenceHeads{scale: 1.0 / 8, sampleWeight: normal(0.3 * 0.3), sampleBias: none},
			func(h *weights.Head) { *h = weights.NewNormal(0.3).Head(h.Shape); h.Scale = 1.0 / 8 }},
		{"glorot-fused", 32, 8, referenceHeads{scale: 1 / math.Sqrt(8),
			sampleWeight:    uniform(math.Sqrt(6.0 / (32 + 64))),
			sampleKeyWeight: uniform(math.Sqrt(6.0 / (32 + 16))), sampleBias: none},
			func(h *weights.Head) { *h = h.Scheme.HeadInLayer(weights.Layer{Shape: h.Shape, Heads: 8, KeyHeads: 2}) }},
		{"orthogonal", 96, 4, referenceHeads{scale: 1 / math.Sqrt(4), sampleWeight: normal(1), sampleBias: none,
			orthogonal: true}, nil},
		{"orthogonal", 4, 4, referenceHeads{scale: 1 / math.Sqrt(4), sampleWeight: normal(1), sampleBias: none,
			orthogonal: true}, nil},
		{"orthogonal", 40, 4, referenceHeads{scale: 1 / math.Sqrt(4), sampleWeight: normal(1), sampleBias: none,
			orthogonal: true}, nil},
		{"qk-norm", 128, 8, referenceHeads{scale: 1 / math.Sqrt(8), sampleWeight: normal(1.0 / 128), sampleBias: none,
			normalised: true}, nil},
		{"qk-norm", 8, 8, referenceHeads{scale: 1 / math.Sqrt(8), sampleWeight: normal(1.0 / 8), sampleBias: none,
			normalised: true}, nil},
	} {
		h := c.reference
		h.Rand, h.model, h.key, h.keys = random, c.model, c.key, keys
		var results []drawResult
		for range draws {
			results = append(results, h.measureDraw(rows))
		}
		want := newAnswer(results)
		head := newHead(t, c.name, c.model, c.key)
		if c.change != nil {
			c.change(&head)
		}
		got := ask(t, Question{Head: head, Keys: keys, Draws: 400, Seed: 1, Workers: 2})
		for _, e := range []struct {
			name      string
			got, want Estimate
		}{
			{"logit deviation", got.LogitSD, want.LogitSD}, {"greatest weight", got.MaxWeight, want.MaxWeight},
			{"entropy", got.EntropyRatio, want.EntropyRatio},
			{"mean of Σα²", got.Collision, want.Collision},
			{"median gradient", got.RelativeGradient, want.RelativeGradient},
		} {
			if e.name == "median gradient" && head.Normalised {
				continue // the program assumes that normalised keys have a uniform direction
			}
			se := math.Hypot(e.got.Hi-e.got.Lo, e.want.Hi-e.want.Lo) / 4 // of the difference
			if z := (e.got.Value - e.want.Value) / se; !(math.Abs(z) < 4.5) {
				t.Errorf("%s %+v: the %s is %v, want %v as in the reference: %.1f standard errors", c.name, head.Layer,
					e.name, e.got, e.want, z)
			}
		}
		sigma, margin := math.Sqrt(head.LogitVariance()), 2.2*(got.LogitSD.Hi-got.LogitSD.Lo)
		if sigma < got.LogitSD.Value-margin || sigma > got.LogitSD.Value+margin {
			t.Errorf("%s %+v: the standard deviation of logits is %v, want %v by theory", c.name, head.Layer,
				got.LogitSD,
				sigma)
		}
	}
}

// TestWorkersDoNotMatter checks that results do not depend on the number of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	q := Question{Head: newHead(t, "keras", 64, 16), Keys: 33, Draws: 16, Seed: 3, Workers: 1}
	want := *ask(t, q)
	q.Workers = 5
	got := *ask(t, q)
	want.RelativeGradient.SE, got.RelativeGradient.SE = 0, 0 // NaN does not equal NaN
	if got != want {
		t.Errorf("five workers give %+v, want the result of one worker, %+v", got, want)
	}
}

// TestMedianCovers checks the coverage of the interval of a median if the numbers of a group have a
// common shift. An interval for independent numbers would cover the median far less often.
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
	// 95 %, within 4.5 standard errors of a count plus 1 % for the small number of groups.
	if proportion := float64(covered) / runs; math.Abs(proportion-0.95) > 0.022+0.01 {
		t.Errorf("%.1f %% of the intervals contain the median, want 95 %%", 100*proportion)
	}
}

// TestInterrupted checks that Ask returns the error of a cancelled context.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Ask(ctx, Question{Head: newHead(t, "mup", 64, 16), Keys: 8, Workers: 2})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want context.Canceled", err)
	}
}
