// Package projection multiplies tokens with matrices of weights: queries and keys of many tokens,
// and Gram matrices, with the float32 kernels of package kernel.
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

// Norms of tokens, without a gain.
const (
	NormLayer = "layernorm"
	NormRMS   = "rmsnorm"
	NormNone  = "none"
)

// Epsilon is the number that most norms add to the mean square.
const Epsilon = 1e-6

// Tokens holds vectors of d_model components.
type Tokens = inspect.Packed

// SampleTokens samples normal components and normalises each token without a gain. The tokens are
// a function of seed and side.
func SampleTokens(outputs, inputs int, norm string, seed uint64, side string) Tokens {
	tokens := inspect.NewPacked(outputs, inputs)
	blocks := stream.Open(stream.ID{Seed: seed, Cell: "inspect/" + side})
	normals := kernel.Vectors(distribution.Normal)
	for p := range tokens.Panels() {
		var lanes stream.Lanes
		blocks.Block(&lanes, uint64(p))
		normals(&lanes, tokens.Panel(p))
	}
	Normalise(tokens, norm)
	return tokens
}

// Normalise applies a norm without a gain to all tokens in place.
func Normalise(t Tokens, norm string) {
	for p := range t.Panels() {
		for lane := range kernel.Width {
			normaliseToken(t.Panel(p), lane, norm)
		}
	}
}

func normaliseToken(panel [][kernel.Width]float32, lane int, norm string) {
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

// maxPartWidth is the number of inputs that are multiplied at once.
const maxPartWidth = 512

// PackedWeights is a matrix of weights, outputs × inputs. It is divided into parts of maxPartWidth
// inputs; each part is packed as whole tiles of rows.
type PackedWeights struct {
	outputs, inputs int
	parts           []inspect.Packed
}

func newPackedWeights(outputs, inputs int) *PackedWeights {
	w := &PackedWeights{outputs: outputs, inputs: inputs}
	for start := 0; start < inputs; start += maxPartWidth {
		w.parts = append(w.parts, inspect.NewPacked(outputs, min(maxPartWidth, inputs-start)))
	}
	return w
}

// packRows packs up to kernel.Width rows from row first on, where a panel begins.
func (w *PackedWeights) packRows(first int, rows []float32) {
	for i, part := range w.parts {
		panel := part.Panel(first / kernel.Width)
		for c := range panel {
			for lane := range len(rows) / w.inputs {
				panel[c][lane] = rows[lane*w.inputs+i*maxPartWidth+c]
			}
		}
	}
}

// FoldedNorm is the gain and shift of the norm before a layer. They are folded into the weights
// and biases so that tokens need not be scaled.
type FoldedNorm struct {
	Gain, Shift []float64 // nil if the norm has none
	Centred     bool      // tokens have mean 0, after LayerNorm
}

// fold multiplies each component of a row of weights by its gain. If tokens are centred, it also
// subtracts the mean of the row, which does not change the projection.
func (e FoldedNorm) fold(row []float32) {
	for c, g := range e.Gain {
		row[c] *= float32(g)
	}
	if !e.Centred {
		return
	}
	var a, b, c, d float64 // four independent sums, which the processor can add in parallel
	i := 0
	for ; i+4 <= len(row); i += 4 {
		next := row[i : i+4 : i+4]
		a += float64(next[0])
		b += float64(next[1])
		c += float64(next[2])
		d += float64(next[3])
	}
	for _, x := range row[i:] {
		a += float64(x)
	}
	mean := float32((a + b + c + d) / float64(len(row)))
	for i := range row {
		row[i] -= mean
	}
}

// Pack reads the rows of a matrix of weights, outputs × inputs, and folds a norm into them. It
// reads several rows at once, since the rows of a transposed matrix are interleaved in the file.
func Pack(weights tensor.Matrix, e FoldedNorm) (*PackedWeights, error) {
	const maxNumbers = 1 << 18 // numbers that are read at once
	w := newPackedWeights(weights.Rows, weights.Columns)
	rowsPerRead := max(1, maxNumbers/weights.Columns/kernel.Width) * kernel.Width
	buffer := make([]float32, min(rowsPerRead, weights.Rows)*weights.Columns)
	for first := 0; first < weights.Rows; first += rowsPerRead {
		last := min(weights.Rows, first+rowsPerRead)
		rows := buffer[:(last-first)*weights.Columns]
		if err := tensor.Read(weights.Submatrix(first, last, 0, weights.Columns), rows); err != nil {
			return w, err
		}
		for i := first; i < last; i += kernel.Width {
			panelRows := rows[(i-first)*weights.Columns : (min(last, i+kernel.Width)-first)*weights.Columns]
			for start := 0; start < len(panelRows); start += weights.Columns {
				e.fold(panelRows[start : start+weights.Columns])
			}
			w.packRows(i, panelRows)
		}
	}
	return w, nil
}

// PackVectors packs vectors as rows of weights.
func PackVectors(v inspect.Vectors) *PackedWeights {
	w := newPackedWeights(v.Rows, v.Dimension)
	rows := make([]float32, kernel.Width*v.Dimension)
	for first := 0; first < v.Rows; first += kernel.Width {
		panelRows := v.Data[first*v.Dimension : min(v.Rows, first+kernel.Width)*v.Dimension]
		for i, x := range panelRows {
			rows[i] = float32(x)
		}
		w.packRows(first, rows[:len(panelRows)])
	}
	return w
}

// multiply returns the products of eight rows of the other side with the rows of a tile. octet is
// the index of the eight rows, and panelPart(i) returns part i of their panel.
func (w *PackedWeights) multiply(octet, tile int,
	panelPart func(part int) [][kernel.Width]float32) (products kernel.Tile) {
	var unusedSums kernel.Sums
	for i, part := range w.parts {
		kernel.Products(panelPart(i), octet%2, part.Tile(tile), part.Dimension, &products, i == 0, false, &unusedSums)
	}
	return products
}

// Project returns x·Wᵀ + b for all tokens; bias may be nil.
func (w *PackedWeights) Project(x Tokens, bias []float64) inspect.Vectors {
	v := inspect.Vectors{Rows: x.Rows, Dimension: w.outputs, Data: make([]float64, x.Rows*w.outputs)}
	for octet := range 2 * x.Panels() {
		panel := x.Panel(octet / 2)
		panelPart := func(i int) [][kernel.Width]float32 {
			return panel[i*maxPartWidth : min(w.inputs,
				(i+1)*maxPartWidth)]
		}
		first := octet * kernel.TileQueries
		for tile := range w.parts[0].Tiles() {
			products := w.multiply(octet, tile, panelPart)
			for i := range min(kernel.TileQueries, max(0, x.Rows-first)) {
				output := v.Row(first + i)[tile*kernel.TileKeys:]
				for j := range min(kernel.TileKeys, len(output)) {
					output[j] = float64(products[i][j])
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

// Gram returns W·Wᵀ, outputs × outputs.
func (w *PackedWeights) Gram() inspect.Vectors {
	d := w.outputs
	g := inspect.Vectors{Rows: d, Dimension: d, Data: make([]float64, d*d)}
	for octet := range (d + kernel.TileQueries - 1) / kernel.TileQueries {
		panelPart := func(i int) [][kernel.Width]float32 { return w.parts[i].Panel(octet / 2) }
		first := octet * kernel.TileQueries
		for tile := first / kernel.TileKeys; tile < w.parts[0].Tiles(); tile++ {
			products := w.multiply(octet, tile, panelPart)
			for i := range min(kernel.TileQueries, d-first) {
				output := g.Row(first + i)[tile*kernel.TileKeys:]
				for j := range min(kernel.TileKeys, len(output)) {
					output[j] = float64(products[i][j])
					g.Row(tile*kernel.TileKeys + j)[first+i] = output[j]
				}
			}
		}
	}
	return g
}

// Participation returns (Σσ²)²/Σσ⁴ over the singular values σ of W_QᵀW_K, the effective number of
// directions that a head compares. It follows from the Gram matrices of both: (tr
// G_qG_k)²/tr(G_qG_k)². It is NaN if a matrix is 0.
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

// RunParallel calls do(0) to do(n − 1) on at most the given number of goroutines and returns the
// first error.
func RunParallel(workers, n int, do func(i int) error) error {
	var group errgroup.Group
	group.SetLimit(max(workers, 1))
	for i := range n {
		group.Go(func() error { return do(i) })
	}
	return group.Wait()
}
