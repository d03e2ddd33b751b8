package projection

import (
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
)

// ProjectAll returns tokens projected by all rows of a matrix, some rows at a time.
func ProjectAll(
	m tensor.Matrix, biases []float64, x Tokens, e Entry, workers int,
) (inspect.Vectors, error) {
	const step = 192 // rows
	out := inspect.Vectors{Rows: x.Rows, Dimension: m.Rows, Data: make([]float64, x.Rows*m.Rows)}
	err := Parallel(workers, (m.Rows+step-1)/step, func(p int) error {
		first, last := p*step, min(m.Rows, (p+1)*step)
		v, _, err := projectRows(m, biases, first, last, x, e)
		if err != nil {
			return err
		}
		for i := range v.Rows {
			copy(out.Row(i)[first:last], v.Row(i))
		}
		return nil
	})
	return out, err
}

// Normed returns the first columns of vectors after RMSNorm with a gain.
func Normed(v inspect.Vectors, columns int, gain []float64) inspect.Vectors {
	out := inspect.Vectors{Rows: v.Rows, Dimension: columns, Data: make([]float64, v.Rows*columns)}
	norm := HeadNorm{Epsilon: Epsilon}
	for i := range v.Rows {
		copy(out.Row(i), v.Row(i))
		norm.Normalise(out.Row(i), gain, nil)
	}
	return out
}

// EffectiveGrams returns for each head the Gram matrix of the product of its weights B and those A of
// the latent, without the norm between them: B(AAᵀ)Bᵀ. Rows of A from rank on go to the head as they are.
func EffectiveGrams(
	s Side, gain []float64, before tensor.Matrix, rank int, e Entry, workers int,
) ([]inspect.Vectors, error) {
	whole, err := Pack(before, e)
	if err != nil {
		return nil, err
	}
	latent := PackVectors(whole.Gram())
	grams := make([]inspect.Vectors, s.Heads)
	return grams, Parallel(workers, s.Heads, func(h int) error {
		b, err := extended(s.Weights.Submatrix(s.Rows(h), s.Rows(h)+s.Size, 0, rank), gain, before.Rows)
		if err != nil {
			return err
		}
		grams[h] = PackVectors(b).Project(latent.Project(b.Pack(), nil).Pack(), nil)
		return nil
	})
}

// extended returns weights times the gain of the norm before them, with a row of the unit matrix for
// each further column.
func extended(m tensor.Matrix, gain []float64, columns int) (inspect.Vectors, error) {
	rest := columns - m.Columns
	v := inspect.Vectors{Rows: m.Rows + rest, Dimension: columns, Data: make([]float64, (m.Rows+rest)*columns)}
	for i := range m.Rows {
		row := v.Row(i)[:m.Columns]
		if err := tensor.Read(m.Submatrix(i, i+1, 0, m.Columns), row); err != nil {
			return v, err
		}
		for c, g := range gain {
			row[c] *= g
		}
	}
	for i := range rest {
		v.Row(m.Rows + i)[m.Columns+i] = 1
	}
	return v, nil
}
