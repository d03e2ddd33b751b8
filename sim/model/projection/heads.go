package projection

import (
	"math"
	"slices"

	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
)

// HeadWeights projects tokens to the queries, or to the keys, of all heads of a layer. The rows of
// head h are weights[FirstRow(h):FirstRow(h)+RowsPerHead].
type HeadWeights struct {
	Weights     tensor.Matrix
	Bias        []float64 // one per row of Weights, or nil
	Heads       int
	FirstRow    func(head int) int
	RowsPerHead int
	Norm        *HeadNorm // of queries or keys, or nil
}

// ProjectedHeads holds, for each head, the projected tokens and the Gram matrix W·Wᵀ of the head's
// weights.
type ProjectedHeads struct{ Vectors, Grams []inspect.Vectors }

// Project returns the queries or keys of all heads for tokens that norm e has not scaled.
func (s HeadWeights) Project(x Tokens, e FoldedNorm, workers int) (ProjectedHeads, error) {
	heads := ProjectedHeads{make([]inspect.Vectors, s.Heads), make([]inspect.Vectors, s.Heads)}
	err := RunParallel(workers, s.Heads, func(h int) error {
		first := s.FirstRow(h)
		v, w, err := projectRows(s.Weights, s.Bias, first, first+s.RowsPerHead, x, e)
		if err != nil {
			return err
		}
		heads.Vectors[h], heads.Grams[h] = v, w.Gram()
		return nil
	})
	if err == nil && s.Norm != nil {
		s.Norm.apply(heads.Vectors)
	}
	return heads, err
}

// projectRows projects tokens by some rows of a matrix and adds the biases, if there are any. It
// also returns the packed rows.
func projectRows(
	weights tensor.Matrix, biases []float64, first, last int, x Tokens, e FoldedNorm,
) (inspect.Vectors, *PackedWeights, error) {
	rows := weights.Submatrix(first, last, 0, weights.Columns)
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

// addShift adds to the biases the projection of the shift of the norm before the layer.
func addShift(bias []float64, weights tensor.Matrix, shift []float64) error {
	row := make([]float64, weights.Columns)
	for i := range bias {
		if err := tensor.Read(weights.Submatrix(i, i+1, 0, weights.Columns), row); err != nil {
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
	Gain, Shift   []float64 // for one head, or for each component of all heads
	Epsilon       float64   // added to the mean square
	SubtractsMean bool      // LayerNorm instead of RMSNorm
	SpansHeads    bool      // over the components of all heads together
	UnitLength    bool      // the length becomes 1, in place of the mean square
}

// apply normalises the vectors of all heads in place.
func (n *HeadNorm) apply(heads []inspect.Vectors) {
	for i := range heads[0].Rows {
		if !n.SpansHeads {
			for h, v := range heads {
				n.Normalise(v.Row(i), selectHead(n.Gain, h, v.Dimension), selectHead(n.Shift, h, v.Dimension))
			}
			continue
		}
		var joined []float64
		for _, h := range heads {
			joined = append(joined, h.Row(i)...)
		}
		n.Normalise(joined, n.Gain, n.Shift)
		for _, h := range heads {
			joined = joined[copy(h.Row(i), joined):]
		}
	}
}

// HeadGain returns the gain of the d components of a head, which is 1 without a gain.
func (n *HeadNorm) HeadGain(head, d int) []float64 {
	if n.Gain == nil {
		return slices.Repeat([]float64{1}, d)
	}
	return selectHead(n.Gain, head, d)
}

// selectHead returns the d numbers of a head; all heads share them if there are only d.
func selectHead(values []float64, head, d int) []float64 {
	if len(values) <= d {
		return values
	}
	return values[head*d%len(values):][:d]
}

// Normalise normalises a vector in place. gain and shift may be nil.
func (n *HeadNorm) Normalise(x, gain, shift []float64) {
	mean, square := 0.0, 0.0
	if n.SubtractsMean {
		for _, a := range x {
			mean += a / float64(len(x))
		}
	}
	for _, a := range x {
		square += float64((a - mean) * (a - mean))
	}
	factor := 1 / math.Sqrt(square/float64(len(x))+n.Epsilon)
	if n.UnitLength {
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
