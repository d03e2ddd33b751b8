package training

import "mcsim/sim/base/elementary"

// The functions of this file divide the rows of matrices into groups of equally many rows, one for
// each sequence. The queries of a group attend to the keys and values of the same group.

// Scores returns a row for each query: its products with the keys of its group.
func (t *Tape) Scores(groups int, q, k *Matrix) *Matrix { return t.product(groups, q, k, transposed) }

// WeightedSum returns, for each query, the sum of the values of its group times their weights.
func (t *Tape) WeightedSum(groups int, w, v *Matrix) *Matrix {
	return t.product(groups, w, v, untransposed)
}

// AdditiveScores returns a row for each query: its scores Σ_c u_c·tanh(q_c + k_c) with the keys of
// its group. u is a constant with one row.
func (t *Tape) AdditiveScores(groups int, q, k, u *Matrix) *Matrix {
	keys := k.Rows / groups
	s := t.newResult(q.Rows, keys)
	tanhs := make([]Number, q.Rows*keys*q.Cols)
	// visitPairs calls visit for each pair of a query and a key of the same group, with the index
	// of their score.
	visitPairs := func(visit func(query, key, score int)) {
		for score := range s.V {
			query := score / keys
			group := query * groups / q.Rows
			visit(query, group*keys+score%keys, score)
		}
	}
	t.record(func() {
		visitPairs(func(query, key, score int) {
			a, b, pairTanhs := q.Row(query), k.Row(key), tanhs[score*q.Cols:(score+1)*q.Cols]
			var sum Number
			for c := range a {
				for l := range Width {
					pairTanhs[c][l] = elementary.Tanh(a[c][l] + b[c][l])
					sum[l] += float64(u.V[c][l] * pairTanhs[c][l])
				}
			}
			s.V[score] = sum
		})
	}, func() {
		visitPairs(func(query, key, score int) {
			a, b, gradient := q.gradientRow(query), k.gradientRow(key), s.G[score]
			for c, x := range tanhs[score*q.Cols : (score+1)*q.Cols] {
				for l := range Width {
					d := float64(gradient[l] * float64(u.V[c][l]*(1-float64(x[l]*x[l]))))
					a[c][l] += d
					b[c][l] += d
				}
			}
		})
	})
	return s
}
