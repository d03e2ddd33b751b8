// Package projection multiplies tokens with matrices of weights: queries and keys of many tokens,
// and Gram matrices, by the kernels for products in float32.
package projection

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
	"mcsim/sim/base/tensor"
	"mcsim/sim/kernel"
	"mcsim/sim/model/inspect"

	"golang.org/x/sync/errgroup"
)

// The norms that tokens may be brought to, without a gain.
const (
	NormLayer = "layernorm"
	NormRMS   = "rmsnorm"
	NormNone  = "none"
)

// Epsilon is what most norms add to the mean square.
const Epsilon = 1e-6

// Tokens are rows of D components.
type Tokens = inspect.Packed

// DrawTokens samples normal components, and normalises them without a gain.
func DrawTokens(rows, width int, norm string, seed uint64, side string) Tokens {
	t := inspect.NewPacked(rows, width)
	source := stream.Open(stream.ID{Seed: seed, Cell: "inspect/" + side})
	normals := kernel.Vectors(distribution.Normal)
	for p := range t.Panels() {
		var lanes stream.Lanes
		source.Block(&lanes, uint64(p))
		normals(&lanes, t.Panel(p))
	}
	Normalise(t, norm)
	return t
}

// Normalise applies a norm without a gain to all tokens.
func Normalise(t Tokens, norm string) {
	for p := range t.Panels() {
		for lane := range kernel.Width {
			normalise(t.Panel(p), lane, norm)
		}
	}
}

// normalise applies a norm to a token.
func normalise(panel [][kernel.Width]float32, lane int, norm string) {
	if norm == NormNone {
		return
	}
	n, mean, square := float64(len(panel)), 0.0, 0.0
	if norm == NormLayer {
		for c := range panel {
			mean += float64(panel[c][lane]) / n
		}
	}
	for c := range panel {
		x := float64(panel[c][lane]) - mean
		square += float64(x * x)
	}
	factor := 1 / math.Sqrt(square/n+Epsilon)
	for c := range panel {
		panel[c][lane] = float32((float64(panel[c][lane]) - mean) * factor)
	}
}

// partWidth is how many components of tokens and weights are multiplied at once.
const partWidth = 512

// Packed are rows of weights, cut into parts of their inputs: of each part, whole tiles of rows.
type Packed struct {
	rows, width int
	parts       []inspect.Packed
}

// newPacked returns room for a matrix.
func newPacked(rows, width int) *Packed {
	w := &Packed{rows: rows, width: width}
	for start := 0; start < width; start += partWidth {
		w.parts = append(w.parts, inspect.NewPacked(rows, min(partWidth, width-start)))
	}
	return w
}

// put packs sixteen rows or fewer, from row first on, which begins a panel.
func (w *Packed) put(first int, rows []float32) {
	for i, part := range w.parts {
		panel := part.Panel(first / kernel.Width)
		for c := range panel {
			for lane := range len(rows) / w.width {
				panel[c][lane] = rows[lane*w.width+i*partWidth+c]
			}
		}
	}
}

// Entry is the gain and shift of the norm before the weights, folded into them so that tokens need not
// be scaled.
type Entry struct {
	Gain, Shift []float64 // nil if the norm has none
	Centred     bool      // tokens have mean 0 after LayerNorm, so the mean of a row of weights has no effect
}

// row multiplies each component of a row by its gain, and subtracts the mean if tokens have none.
func (e Entry) row(row []float32) {
	for c, g := range e.Gain {
		row[c] *= float32(g)
	}
	if !e.Centred {
		return
	}
	var a, b, c, d float64 // four sums, so that none waits for the one before
	i := 0
	for ; i+4 <= len(row); i += 4 {
		four := row[i : i+4 : i+4]
		a += float64(four[0])
		b += float64(four[1])
		c += float64(four[2])
		d += float64(four[3])
	}
	for _, x := range row[i:] {
		a += float64(x)
	}
	mean := float32((a + b + c + d) / float64(len(row)))
	for i := range row {
		row[i] -= mean
	}
}

// Pack reads the rows of a matrix of weights, outputs × inputs, after a norm. It reads several rows at
// once, since rows of a transposed matrix are interleaved in the file.
func Pack(m tensor.Matrix, e Entry) (*Packed, error) {
	const maxNumbers = 1 << 18 // that are read at once
	w := newPacked(m.Rows, m.Columns)
	step := max(1, maxNumbers/m.Columns/kernel.Width) * kernel.Width
	room := make([]float32, min(step, m.Rows)*m.Columns)
	for first := 0; first < m.Rows; first += step {
		last := min(m.Rows, first+step)
		rows := room[:(last-first)*m.Columns]
		if err := tensor.Read(m.Submatrix(first, last, 0, m.Columns), rows); err != nil {
			return w, err
		}
		for i := first; i < last; i += kernel.Width {
			some := rows[(i-first)*m.Columns : (min(last, i+kernel.Width)-first)*m.Columns]
			for start := 0; start < len(some); start += m.Columns {
				e.row(some[start : start+m.Columns])
			}
			w.put(i, some)
		}
	}
	return w, nil
}

// PackVectors packs vectors as they are.
func PackVectors(v inspect.Vectors) *Packed {
	w := newPacked(v.Rows, v.Dimension)
	rows := make([]float32, kernel.Width*v.Dimension)
	for first := 0; first < v.Rows; first += kernel.Width {
		some := v.Data[first*v.Dimension : min(v.Rows, first+kernel.Width)*v.Dimension]
		for i, x := range some {
			rows[i] = float32(x)
		}
		w.put(first, rows[:len(some)])
	}
	return w
}

// multiply multiplies eight rows of the other side with all rows of a tile. Of the panel that holds them,
// panel(part) has the components of a part.
func (w *Packed) multiply(eighth, tile int, panel func(part int) [][kernel.Width]float32) (products kernel.Tile) {
	var none kernel.Sums
	for i, part := range w.parts {
		kernel.Products(panel(i), eighth%2, part.Tile(tile), part.Dimension, &products, i == 0, false, &none)
	}
	return products
}

// Project returns x·Wᵀ + b of all tokens.
func (w *Packed) Project(x Tokens, bias []float64) inspect.Vectors {
	v := inspect.Vectors{Rows: x.Rows, Dimension: w.rows, Data: make([]float64, x.Rows*w.rows)}
	for eighth := range 2 * x.Panels() {
		panel := x.Panel(eighth / 2)
		part := func(i int) [][kernel.Width]float32 { return panel[i*partWidth : min(w.width, (i+1)*partWidth)] }
		first := eighth * kernel.TileQueries
		for tile := range w.parts[0].Tiles() {
			products := w.multiply(eighth, tile, part)
			for i := range min(kernel.TileQueries, max(0, x.Rows-first)) {
				line := v.Row(first + i)[tile*kernel.TileKeys:]
				for j := range min(kernel.TileKeys, len(line)) {
					line[j] = float64(products[i][j])
				}
			}
		}
	}
	for i := range v.Rows {
		for c, b := range bias {
			v.Row(i)[c] += b
		}
	}
	return v
}

// Gram returns W·Wᵀ, with a row for each output.
func (w *Packed) Gram() inspect.Vectors {
	d := w.rows
	g := inspect.Vectors{Rows: d, Dimension: d, Data: make([]float64, d*d)}
	for eighth := range (d + kernel.TileQueries - 1) / kernel.TileQueries {
		part := func(i int) [][kernel.Width]float32 { return w.parts[i].Panel(eighth / 2) }
		first := eighth * kernel.TileQueries
		for tile := first / kernel.TileKeys; tile < w.parts[0].Tiles(); tile++ {
			products := w.multiply(eighth, tile, part)
			for i := range min(kernel.TileQueries, d-first) {
				line := g.Row(first + i)[tile*kernel.TileKeys:]
				for j := range min(kernel.TileKeys, len(line)) {
					line[j] = float64(products[i][j])
					g.Row(tile*kernel.TileKeys + j)[first+i] = line[j]
				}
			}
		}
	}
	return g
}

// Participation returns (Σσ²)²/Σσ⁴ over the singular values of W_QᵀW_K, by the Gram matrices of both:
// (tr G_qG_k)²/tr(G_qG_k)². It is the number of directions in which a head looks; NaN if a matrix is 0.
func Participation(q, k inspect.Vectors) float64 {
	product := PackVectors(k).Project(q.Pack(), nil)
	trace, square := 0.0, 0.0
	for a := range product.Rows {
		trace += product.Row(a)[a]
		for b, x := range product.Row(a) {
			square += float64(x * product.Row(b)[a])
		}
	}
	return trace * trace / square
}

// Parallel calls work for each of n things, by at most the given number of workers, and returns the
// first error.
func Parallel(workers, n int, work func(i int) error) error {
	var group errgroup.Group
	group.SetLimit(max(workers, 1))
	for i := range n {
		group.Go(func() error { return work(i) })
	}
	return group.Wait()
}
