package projection

import (
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
)

// ProjectAll returns tokens projected by all rows of a matrix.
func ProjectAll(
	weights tensor.Matrix, biases []float64, x Tokens, e FoldedNorm, workers int,
) (inspect.Vectors, error) {
	const rowsPerCall = 192 // rows
	projected := inspect.Vectors{Rows: x.Rows, Dimension: weights.Rows, Data: make([]float64, x.Rows*weights.Rows)}
	err := RunParallel(workers, (weights.Rows+rowsPerCall-1)/rowsPerCall, func(p int) error {
		first, last := p*rowsPerCall, min(weights.Rows, (p+1)*rowsPerCall)
		v, _, err := projectRows(weights, biases, first, last, x, e)
		if err != nil {
			return err
		}
		for i := range v.Rows {
			copy(projected.Row(i)[first:last], v.Row(i))
		}
		return nil
	})
	return projected, err
}

// NormaliseColumns returns the first columns of vectors after RMSNorm with a gain.
func NormaliseColumns(latent inspect.Vectors, columns int, gain []float64) inspect.Vectors {
	normalised := inspect.Vectors{Rows: latent.Rows, Dimension: columns, Data: make([]float64, latent.Rows*columns)}
	norm := HeadNorm{Epsilon: Epsilon}
	for i := range latent.Rows {
		copy(normalised.Row(i), latent.Row(i))
		norm.Normalise(normalised.Row(i), gain, nil)
	}
	return normalised
}

// EffectiveGrams returns, for each head of latent attention, the Gram matrix of B·A without the
// norm between them: B(AAᵀ)Bᵀ. A, the compression, maps tokens to the latent vector, and B, the
// head's part of the expansion, maps its first rank components to the head. Rows of A from rank on
// are appended to the head without an expansion.
func EffectiveGrams(
	expansion HeadWeights, gain []float64, compression tensor.Matrix, rank int, e FoldedNorm, workers int,
) ([]inspect.Vectors, error) {
	packed, err := Pack(compression, e)
	if err != nil {
		return nil, err
	}
	gram := PackVectors(packed.Gram())
	grams := make([]inspect.Vectors, expansion.Heads)
	return grams, RunParallel(workers, expansion.Heads, func(h int) error {
		b, err := appendIdentity(expansion.Weights.Submatrix(expansion.FirstRow(h),
			expansion.FirstRow(h)+expansion.RowsPerHead, 0, rank), gain, compression.Rows)
		if err != nil {
			return err
		}
		grams[h] = PackVectors(b).Project(gram.Project(b.Pack(), nil).Pack(), nil)
		return nil
	})
}

// appendIdentity returns weights times the gain of the norm before them, followed by one row of
// the unit matrix for each further column.
func appendIdentity(weights tensor.Matrix, gain []float64, columns int) (inspect.Vectors, error) {
	extra := columns - weights.Columns
	v := inspect.Vectors{Rows: weights.Rows + extra, Dimension: columns,
		Data: make([]float64, (weights.Rows+extra)*columns)}
	for i := range weights.Rows {
		row := v.Row(i)[:weights.Columns]
		if err := tensor.Read(weights.Submatrix(i, i+1, 0, weights.Columns), row); err != nil {
			return v, err
		}
		for c, g := range gain {
			row[c] *= g
		}
	}
	for i := range extra {
		v.Row(weights.Rows + i)[weights.Columns+i] = 1
	}
	return v, nil
}
