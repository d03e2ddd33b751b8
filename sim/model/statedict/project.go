package statedict

import (
	"math"

	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/projection"
)

// side is queries or keys of a layer: a matrix with size rows from rows(head) on for each head.
type side struct {
	weights tensor.Matrix
	bias    []float64
	heads   int
	rows    func(head int) int
	size    int
	norm    *headNorm
}

// projected are tokens projected by each head, and the Gram matrices of the heads' weights.
type projected struct{ heads, grams []inspect.Vectors }

// sides returns queries and keys.
func (l *Layer) sides() (q, k side) {
	group := l.Heads / l.KeyHeads
	query := func(h int) int { row, _ := l.rows(h); return row }
	key := func(h int) int { _, row := l.rows(h * group); return row }
	return side{l.wq, l.bq, l.Heads, query, l.Dimension, l.qNorm}, side{l.wk, l.bk, l.KeyHeads, key, l.Dimension, l.kNorm}
}

// project returns queries and keys of tokens.
func (l *Layer) project(xq, xk projection.Tokens, e projection.Entry, workers int) (q, k projected, err error) {
	sq, sk := l.sides()
	if q, err = sq.project(xq, e, workers); err == nil {
		k, err = sk.project(xk, e, workers)
	}
	return q, k, err
}

// project projects tokens by every head, after the norm of entry.
func (s side) project(x projection.Tokens, e projection.Entry, workers int) (projected, error) {
	out := projected{make([]inspect.Vectors, s.heads), make([]inspect.Vectors, s.heads)}
	err := projection.Parallel(workers, s.heads, func(h int) error {
		first := s.rows(h)
		v, w, err := projectRows(s.weights, s.bias, first, first+s.size, x, e)
		if err != nil {
			return err
		}
		out.heads[h], out.grams[h] = v, w.Gram()
		return nil
	})
	if err == nil && s.norm != nil {
		s.norm.apply(out.heads)
	}
	return out, err
}

// projectRows returns tokens times some rows of a matrix after a norm, plus their biases if there are
// any, and these rows.
func projectRows(
	m tensor.Matrix, biases []float64, first, last int, x projection.Tokens, e projection.Entry,
) (inspect.Vectors, *projection.Packed, error) {
	rows := m.Part(first, last, 0, m.Columns)
	w, err := projection.Pack(rows, e)
	if err != nil {
		return inspect.Vectors{}, nil, err
	}
	bias := make([]float64, last-first)
	if biases != nil {
		copy(bias, biases[first:])
	}
	if e.Shift != nil {
		err = addShift(bias, rows, e.Shift)
	}
	return w.Project(x, bias), w, err
}

// addShift adds to biases the projection of the shift of the norm before the layer.
func addShift(bias []float64, m tensor.Matrix, shift []float64) error {
	row := make([]float64, m.Columns)
	for i := range bias {
		if err := tensor.Read(m.Part(i, i+1, 0, m.Columns), row); err != nil {
			return err
		}
		for c, x := range row {
			bias[i] += float64(x * shift[c])
		}
	}
	return nil
}

// headNorm is a norm of queries or keys.
type headNorm struct {
	gain, shift []float64 // of a head, or of all heads
	epsilon     float64   // that is added to the mean square
	layer       bool      // LayerNorm, which subtracts the mean
	whole       bool      // over all heads together
	unit        bool      // makes vectors of length 1, in place of mean square 1
}

// apply normalises the vectors of all heads.
func (n *headNorm) apply(heads []inspect.Vectors) {
	for i := range heads[0].Rows {
		if !n.whole {
			for h, v := range heads {
				n.normalise(v.Row(i), partOf(n.gain, h, v.Dimension), partOf(n.shift, h, v.Dimension))
			}
			continue
		}
		var all []float64
		for _, h := range heads {
			all = append(all, h.Row(i)...)
		}
		n.normalise(all, n.gain, n.shift)
		for _, h := range heads {
			all = all[copy(h.Row(i), all):]
		}
	}
}

// partOf returns the d numbers of a head: its own, or those of all heads.
func partOf(all []float64, head, d int) []float64 {
	if len(all) <= d {
		return all
	}
	return all[head*d%len(all):][:d]
}

// epsilon is what most models add to the mean square.
const epsilon = 1e-6

// normalise normalises a vector.
func (n *headNorm) normalise(x, gain, shift []float64) {
	mean, square := 0.0, 0.0
	if n.layer {
		for _, a := range x {
			mean += a / float64(len(x))
		}
	}
	for _, a := range x {
		square += float64((a - mean) * (a - mean))
	}
	factor := 1 / math.Sqrt(square/float64(len(x))+n.epsilon)
	if n.unit {
		factor = 1 / max(math.Sqrt(square), 1e-12) // torch.nn.functional.normalize
	}
	for c := range x {
		x[c] = (x[c] - mean) * factor
		if gain != nil {
			x[c] *= gain[c]
		}
		if shift != nil {
			x[c] += shift[c]
		}
	}
}
