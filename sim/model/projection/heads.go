package projection

import (
	"math"

	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
)

// Side is queries or keys of a layer: a matrix with Size rows from Rows(head) on for each head.
type Side struct {
	Weights tensor.Matrix
	Bias    []float64 // of all rows, or nil
	Heads   int
	Rows    func(head int) int
	Size    int
	Norm    *HeadNorm // of each head or of all, or nil
}

// Heads are tokens projected by each head, and the Gram matrices of the heads' weights.
type Heads struct{ Vectors, Grams []inspect.Vectors }

// Project projects tokens by every head, after the norm of entry.
func (s Side) Project(x Tokens, e Entry, workers int) (Heads, error) {
	out := Heads{make([]inspect.Vectors, s.Heads), make([]inspect.Vectors, s.Heads)}
	err := Parallel(workers, s.Heads, func(h int) error {
		first := s.Rows(h)
		v, w, err := projectRows(s.Weights, s.Bias, first, first+s.Size, x, e)
		if err != nil {
			return err
		}
		out.Vectors[h], out.Grams[h] = v, w.Gram()
		return nil
	})
	if err == nil && s.Norm != nil {
		s.Norm.apply(out.Vectors)
	}
	return out, err
}

// projectRows returns tokens times some rows of a matrix after a norm, plus their biases if there are
// any, and these rows.
func projectRows(
	m tensor.Matrix, biases []float64, first, last int, x Tokens, e Entry,
) (inspect.Vectors, *Packed, error) {
	rows := m.Submatrix(first, last, 0, m.Columns)
	w, err := Pack(rows, e)
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
		if err := tensor.Read(m.Submatrix(i, i+1, 0, m.Columns), row); err != nil {
			return err
		}
		for c, x := range row {
			bias[i] += float64(x * shift[c])
		}
	}
	return nil
}

// HeadNorm is a norm of queries or keys.
type HeadNorm struct {
	Gain, Shift []float64 // of a head, or of all heads
	Epsilon     float64   // that is added to the mean square
	Layer       bool      // LayerNorm, which subtracts the mean
	Whole       bool      // over all heads together
	Unit        bool      // makes vectors of length 1, in place of mean square 1
}

// apply normalises the vectors of all heads.
func (n *HeadNorm) apply(heads []inspect.Vectors) {
	for i := range heads[0].Rows {
		if !n.Whole {
			for h, v := range heads {
				n.Normalise(v.Row(i), partOf(n.Gain, h, v.Dimension), partOf(n.Shift, h, v.Dimension))
			}
			continue
		}
		var all []float64
		for _, h := range heads {
			all = append(all, h.Row(i)...)
		}
		n.Normalise(all, n.Gain, n.Shift)
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

// Normalise normalises a vector.
func (n *HeadNorm) Normalise(x, gain, shift []float64) {
	mean, square := 0.0, 0.0
	if n.Layer {
		for _, a := range x {
			mean += a / float64(len(x))
		}
	}
	for _, a := range x {
		square += float64((a - mean) * (a - mean))
	}
	factor := 1 / math.Sqrt(square/float64(len(x))+n.Epsilon)
	if n.Unit {
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
