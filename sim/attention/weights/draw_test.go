package weights

import (
	"math"
	"testing"

	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// drawn is what a Drawer draws, entry by entry in float64: tokens before LayerNorm,
// columns before they are scaled, biases.
type drawn struct {
	tokens  [][]float64
	columns [2][][]float64
	bias    [2][]float64
}

// repeat draws the same in the same order.
func repeat(h Head, lanes *stream.Lanes) drawn {
	d := NewDrawer(h)
	out := drawn{tokens: make([][]float64, Tokens)}
	spread := func(to [][]float64, from []row, rows int) {
		for i := range to {
			for t := range rows {
				to[i] = append(to[i], float64(from[i/kernel.Width*rows+t][i%kernel.Width]))
			}
		}
	}
	for i := range out.columns {
		out.columns[i] = make([][]float64, h.Shape.Key)
		out.bias[i] = make([]float64, h.Shape.Key)
	}
	for first := 0; first < h.Shape.Model; first += chunk {
		rows := min(chunk, h.Shape.Model-first)
		d.drawChunk(lanes, rows)
		spread(out.tokens, d.x, rows)
		for i := range d.sides {
			spread(out.columns[i], d.sides[i].w, rows)
		}
	}
	for i := range d.sides {
		if d.sides[i].biasSD == 0 {
			continue
		}
		d.uniforms(lanes, d.sides[i].bias)
		for c := range out.bias[i] {
			out.bias[i][c] = d.sides[i].biasSD * float64(d.sides[i].bias[c/kernel.Width][c%kernel.Width])
		}
	}
	return out
}

func dot(a, b []float64) float64 {
	var sum float64
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// orthonormal makes columns orthonormal by Gram and Schmidt, twice over.
func orthonormal(columns [][]float64) {
	for range 2 {
		for i, c := range columns {
			for _, before := range columns[:i] {
				along := dot(c, before)
				for t := range c {
					c[t] -= along * before[t]
				}
			}
			length := math.Sqrt(dot(c, c))
			for t := range c {
				c[t] /= length
			}
		}
	}
}

// plainly measures what was drawn by the definitions.
func plainly(h Head, x drawn) Draw {
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
	var made [2][][]float64
	for i, e := range []Entries{h.Query, h.Key} {
		if h.Scheme.Orthogonal() {
			orthonormal(x.columns[i])
			e.Variance = 1
		}
		for _, c := range x.columns[i] {
			for t := range c {
				c[t] *= math.Sqrt(e.Variance)
			}
		}
		made[i] = make([][]float64, Tokens)
		for j, token := range x.tokens {
			for c, column := range x.columns[i] {
				made[i][j] = append(made[i][j], dot(column, token)+x.bias[i][c])
			}
			if h.Normalised {
				length := math.Sqrt(dot(made[i][j], made[i][j]) / h.k())
				for c := range made[i][j] {
					made[i][j][c] /= length
				}
			}
		}
	}
	var m Draw
	for i, q := range made[0] {
		m.QuerySquare += dot(q, q) / h.k() / Tokens
		m.KeySquare += dot(made[1][i], made[1][i]) / h.k() / Tokens
		for j, k := range made[1] {
			s := dot(q, k)
			if i == j {
				m.SameScore += s / Tokens
				m.SameSquare += s * s / Tokens
			} else {
				m.ScoreSquare += s * s / (Tokens * (Tokens - 1))
			}
		}
	}
	for _, a := range x.tokens[:kernel.TileKeys] {
		for _, b := range x.tokens[kernel.TileKeys : 2*kernel.TileKeys] {
			c := dot(a, b) / h.d()
			m.TokenSquare += c * c / (kernel.TileKeys * kernel.TileKeys)
		}
	}
	if h.Normalised {
		return m
	}
	inner := inner
	if h.Raw {
		inner = dot
	}
	for a := range x.columns[0] {
		m.HeadSame += inner(x.columns[0][a], x.columns[1][a]) + x.bias[0][a]*x.bias[1][a]
		for b := range x.columns[0] {
			q := inner(x.columns[0][a], x.columns[0][b]) + x.bias[0][a]*x.bias[0][b]
			k := inner(x.columns[1][a], x.columns[1][b]) + x.bias[1][a]*x.bias[1][b]
			m.HeadSquare += q * k
		}
	}
	if h.Scheme.Orthogonal() {
		m.HeadSame = 0 // not measured
	}
	return m
}

// What a Drawer measures is what plain arithmetic makes of the same draws, for
// every scheme, of tokens after LayerNorm and of raw ones, with fewer and with more columns than a
// tile and components than a chunk, and whole numbers of neither.
func TestDrawAgainstPlainArithmetic(t *testing.T) {
	for i, s := range table {
		for _, shape := range []Shape{{6, 3}, {300, 20}, {520, 65}, {40, 40}}[i%2*2:][:2] {
			h := s.At(shape)
			drawsPlainly(t, h, 1, 2e-5)
			h.Raw = true
			drawsPlainly(t, h, 2, 2e-5)
		}
	}
}

// A token whose components are all the same is 0 behind LayerNorm, and makes no
// number of others infinite.
func TestTokenWithoutDirection(t *testing.T) {
	for _, name := range []string{"flax", "qk-norm"} {
		s, _ := Lookup(name)
		d := NewDrawer(s.At(Shape{2, 1}))
		var lanes stream.Lanes
		cell := stream.Open(stream.ID{Seed: 1, Cell: name})
		cell.Block(&lanes, 0)
		d.drawChunk(&lanes, 2)
		d.x[0][0], d.x[1][0] = 0.5, 0.5

		d.shift(2, true)
		d.addChunk(2, true)
		d.normalise()
		for i := range d.sides {
			d.finish(&d.sides[i])
		}
		m := d.measure()
		if q := d.sides[0].out[0][0]; q != 0 || !(m.ScoreSquare > 0) || math.IsInf(m.ScoreSquare, 0) ||
			!(m.TokenSquare > 0.9) {
			t.Errorf("%s: q = %v, %+v", name, q, m)
		}
	}
}

// drawsPlainly holds one draw of a head against plain arithmetic.
func drawsPlainly(t *testing.T, h Head, block uint64, tolerance float64) {
	t.Helper()
	cell := stream.Open(stream.ID{Seed: 7, Cell: h.Scheme.Name})
	var lanes, again stream.Lanes
	drawer := NewDrawer(h)
	cell.Block(&lanes, block-1)
	drawer.Draw(&lanes) // of which the next draw knows nothing
	cell.Block(&lanes, block)
	again = lanes
	got, want := drawer.Draw(&lanes), plainly(h, repeat(h, &again))
	if lanes != again {
		t.Errorf("%s at %+v: the draws end elsewhere", h.Scheme.Name, h.Shape)
	}
	// Where the weights of a column happen to be nearly alike, its length without
	// its mean is known against what it is usually.
	usual := h.k() * h.QueryVariance() * h.KeyVariance()
	for _, x := range []struct {
		name             string
		got, want, error float64
	}{
		{"|q|²", got.QuerySquare, want.QuerySquare, want.QuerySquare},
		{"|k|²", got.KeySquare, want.KeySquare, want.KeySquare},
		{"S²", got.ScoreSquare, want.ScoreSquare, want.ScoreSquare},
		{"S² of the same", got.SameSquare, want.SameSquare, want.SameSquare},
		{"S of the same", got.SameScore, want.SameScore, math.Sqrt(want.SameSquare)},
		{"(x·x')²", got.TokenSquare, want.TokenSquare, want.TokenSquare},
		{"E S²", got.HeadSquare, want.HeadSquare, max(want.HeadSquare, usual)},
		{"E S of the same", got.HeadSame, want.HeadSame, max(math.Sqrt(want.SameSquare), math.Sqrt(usual))},
	} {
		if !(math.Abs(x.got-x.want) <= tolerance*x.error) {
			t.Errorf("%s at %+v, draw %d: %s is %v, plainly %v", h.Scheme.Name, h.Shape, block, x.name, x.got, x.want)
		}
	}
}
