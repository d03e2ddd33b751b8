package weights

import (
	"math"
	"testing"

	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// rawSample has the numbers that a Sampler samples, in float64: tokens before LayerNorm, columns of
// W_Q and W_K before scaling, and biases.
type rawSample struct {
	tokens  [][]float64
	columns [2][][]float64
	bias    [2][]float64
}

// repeatSample returns the numbers that Sampler.Sample samples from the same lanes.
func repeatSample(h Head, lanes *stream.Lanes) rawSample {
	sampler := NewSampler(h)
	sample := rawSample{tokens: make([][]float64, Tokens)}
	appendVectors := func(vectors [][]float64, panels []component, rows int) {
		for i := range vectors {
			for t := range rows {
				vectors[i] = append(vectors[i], float64(panels[i/kernel.Width*rows+t][i%kernel.Width]))
			}
		}
	}
	for i := range sample.columns {
		sample.columns[i] = make([][]float64, h.Shape.Key)
		sample.bias[i] = make([]float64, h.Shape.Key)
	}
	for first := 0; first < h.Shape.Model; first += chunk {
		rows := min(chunk, h.Shape.Model-first)
		sampler.sampleChunk(lanes, rows)
		appendVectors(sample.tokens, sampler.x, rows)
		for i := range sampler.projections {
			appendVectors(sample.columns[i], sampler.projections[i].w, rows)
		}
	}
	for i := range sampler.projections {
		p := &sampler.projections[i]
		if p.biasSD == 0 {
			continue
		}
		sampler.uniforms(lanes, p.bias)
		for c := range sample.bias[i] {
			sample.bias[i][c] = p.biasSD * float64(p.bias[c/kernel.Width][c%kernel.Width])
		}
	}
	return sample
}

func dot(a, b []float64) float64 {
	var sum float64
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// orthonormalise makes columns orthonormal by Gram–Schmidt, twice for accuracy.
func orthonormalise(columns [][]float64) {
	for range 2 {
		for i, c := range columns {
			for _, previous := range columns[:i] {
				projection := dot(c, previous)
				for t := range c {
					c[t] -= projection * previous[t]
				}
			}
			length := math.Sqrt(dot(c, c))
			for t := range c {
				c[t] /= length
			}
		}
	}
}

// measureDirectly computes the Measures of a sample from their definitions. It changes the sample.
func measureDirectly(h Head, x rawSample) Measures {
	for _, g := range x.tokens {
		if h.Raw {
			break
		}
		mean, square := 0.0, 0.0
		for _, v := range g {
			mean += v / float64(len(g))
		}
		for _, v := range g {
			square += (v - mean) * (v - mean) / float64(len(g))
		}
		for t := range g {
			g[t] = (g[t] - mean) / math.Sqrt(square)
		}
	}
	var projected [2][][]float64
	for i, e := range []Entries{h.Query, h.Key} {
		if h.Scheme.IsOrthogonal() {
			orthonormalise(x.columns[i])
			e.Variance = 1
		}
		for _, c := range x.columns[i] {
			for t := range c {
				c[t] *= math.Sqrt(e.Variance)
			}
		}
		projected[i] = make([][]float64, Tokens)
		for j, token := range x.tokens {
			for c, column := range x.columns[i] {
				projected[i][j] = append(projected[i][j], dot(column, token)+x.bias[i][c])
			}
			if h.Normalised {
				length := math.Sqrt(dot(projected[i][j], projected[i][j]) / h.keyWidth())
				for c := range projected[i][j] {
					projected[i][j][c] /= length
				}
			}
		}
	}
	var m Measures
	for i, q := range projected[0] {
		m.QuerySquare += dot(q, q) / h.keyWidth() / Tokens
		m.KeySquare += dot(projected[1][i], projected[1][i]) / h.keyWidth() / Tokens
		for j, k := range projected[1] {
			s := dot(q, k)
			if i == j {
				m.SelfScore += s / Tokens
				m.SelfSquare += s * s / Tokens
			} else {
				m.ScoreSquare += s * s / (Tokens * (Tokens - 1))
			}
		}
	}
	for _, a := range x.tokens[:kernel.TileKeys] {
		for _, b := range x.tokens[kernel.TileKeys : 2*kernel.TileKeys] {
			c := dot(a, b) / h.modelWidth()
			m.TokenSquare += c * c / (kernel.TileKeys * kernel.TileKeys)
		}
	}
	if h.Normalised {
		return m
	}
	inner := innerProduct
	if h.Raw {
		inner = dot
	}
	for a := range x.columns[0] {
		m.WeightsSelfScore += inner(x.columns[0][a], x.columns[1][a]) + x.bias[0][a]*x.bias[1][a]
		for b := range x.columns[0] {
			q := inner(x.columns[0][a], x.columns[0][b]) + x.bias[0][a]*x.bias[0][b]
			k := inner(x.columns[1][a], x.columns[1][b]) + x.bias[1][a]*x.bias[1][b]
			m.WeightsSquare += q * k
		}
	}
	if h.Scheme.IsOrthogonal() {
		m.WeightsSelfScore = 0 // not measured
	}
	return m
}

// TestSampleAgainstDefinitions compares the Measures of samples with their definitions, which
// measureDirectly evaluates in float64, to a tolerance of 2·10⁻⁵. Each scheme is tested with tokens
// after LayerNorm and with raw tokens. The shapes have fewer and more columns than a tile, fewer
// and more components than a chunk, and multiples of neither.
func TestSampleAgainstDefinitions(t *testing.T) {
	shapes := []Shape{{6, 3}, {300, 20}, {520, 65}, {40, 40}}
	for i, s := range table {
		testedShapes := shapes[:2] // only half of the shapes for each scheme, which saves time
		if i%2 == 1 {
			testedShapes = shapes[2:]
		}
		for _, shape := range testedShapes {
			h := s.Head(shape)
			compareDirectly(t, h, 1, 2e-5)
			h.Raw = true
			compareDirectly(t, h, 2, 2e-5)
		}
	}
}

// TestTokenWithEqualComponents checks that LayerNorm makes a token 0 if all of its components are
// equal, and that the results for other tokens stay finite.
func TestTokenWithEqualComponents(t *testing.T) {
	for _, name := range []string{"flax", "qk-norm"} {
		s, _ := Lookup(name)
		sampler := NewSampler(s.Head(Shape{Model: 2, Key: 1}))
		var lanes stream.Lanes
		cell := stream.Open(stream.ID{Seed: 1, Cell: name})
		cell.Block(&lanes, 0)
		sampler.sampleChunk(&lanes, 2)
		sampler.x[0][0], sampler.x[1][0] = 0.5, 0.5 // both components of token 0

		sampler.centre(2, true)
		sampler.addChunk(2, true)
		sampler.measureTokens()
		for i := range sampler.projections {
			sampler.project(&sampler.projections[i])
		}
		m := sampler.measure()
		if q := sampler.projections[0].outputs[0][0]; q != 0 {
			t.Errorf("%s: the query of the token with equal components is %v, want 0", name, q)
		}
		if !(m.ScoreSquare > 0) || math.IsInf(m.ScoreSquare, 0) {
			t.Errorf("%s: the mean square of scores is %v, want a positive finite number", name, m.ScoreSquare)
		}
		// Two components of mean 0 are 1 and −1, so that every pair of other tokens has x·x' = ±2.
		if !(m.TokenSquare > 0.9) {
			t.Errorf("%s: the mean of (x·x')²/d_model² is %v, want more than 0.9", name, m.TokenSquare)
		}
	}
}

// compareDirectly compares the Measures of one sample of a head with measureDirectly. The sample is
// the given block of a stream.
func compareDirectly(t *testing.T, h Head, block uint64, tolerance float64) {
	t.Helper()
	cell := stream.Open(stream.ID{Seed: 7, Cell: h.Scheme.Name})
	var lanes, repeated stream.Lanes
	sampler := NewSampler(h)
	cell.Block(&lanes, block-1)
	sampler.Sample(&lanes) // the next sample must not depend on this one
	cell.Block(&lanes, block)
	repeated = lanes
	got, want := sampler.Sample(&lanes), measureDirectly(h, repeatSample(h, &repeated))
	if lanes != repeated {
		t.Errorf("%s at %+v: Sample and repeatSample leave the stream at different positions", h.Scheme.Name, h.Shape)
	}
	// The weights of a column can be nearly equal by chance. Then the column is short after
	// subtraction of its mean, and the rounding error is relative to its expected length.
	expected := h.keyWidth() * h.QueryVariance() * h.KeyVariance()
	for _, x := range []struct {
		name             string
		got, want, scale float64 // the error may be tolerance·scale
	}{
		{"|q|²", got.QuerySquare, want.QuerySquare, want.QuerySquare},
		{"|k|²", got.KeySquare, want.KeySquare, want.KeySquare},
		{"S²", got.ScoreSquare, want.ScoreSquare, want.ScoreSquare},
		{"S² of a token with itself", got.SelfSquare, want.SelfSquare, want.SelfSquare},
		{"S of a token with itself", got.SelfScore, want.SelfScore, math.Sqrt(want.SelfSquare)},
		{"(x·x')²", got.TokenSquare, want.TokenSquare, want.TokenSquare},
		{"E S²", got.WeightsSquare, want.WeightsSquare, max(want.WeightsSquare, expected)},
		{"E S of a token with itself", got.WeightsSelfScore, want.WeightsSelfScore,
			max(math.Sqrt(want.SelfSquare), math.Sqrt(expected))},
	} {
		if !(math.Abs(x.got-x.want) <= tolerance*x.scale) {
			t.Errorf("%s at %+v, sample %d: %s is %v, by its definition %v", h.Scheme.Name, h.Shape, block, x.name,
				x.got, x.want)
		}
	}
}
