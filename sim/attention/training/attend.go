package training

import "mcsim/sim/base/elementary"

// Rows of several matrices belong together in groups, one of each sequence: rows i·r to
// (i+1)·r of the queries see rows i·n to (i+1)·n of the keys and values, where r and n are
// how many rows of either a group has.

// Scores returns the products of each query with the keys of its group, a row for each query.
func (t *Tape) Scores(groups int, q, k *Matrix) *Matrix { return t.product(groups, q, k, turned) }

// Mix is for each query the sum of the values of its group, each times its weight.
func (t *Tape) Mix(groups int, w, v *Matrix) *Matrix { return t.product(groups, w, v, standing) }

// Additive returns the scores Σ_c u_c·tanh(q_c + k_c) of each query with the keys of its group,
// u a constant row.
func (t *Tape) Additive(groups int, q, k, u *Matrix) *Matrix {
	keys := k.Rows / groups
	s := t.result(q.Rows, keys)
	bent := make([]Number, q.Rows*keys*q.Cols) // the hyperbolic tangents
	// pairs goes through the pairs of a query and a key of one group, at the place of their score.
	pairs := func(visit func(query, key, at int)) {
		for at := range s.V {
			query := at / keys
			visit(query, query*groups/q.Rows*keys+at%keys, at)
		}
	}
	t.record(func() {
		pairs(func(query, key, at int) {
			a, b, bends := q.Row(query), k.Row(key), bent[at*q.Cols:(at+1)*q.Cols]
			var sum Number
			for c := range a {
				for l := range Width {
					bends[c][l] = elementary.Tanh(a[c][l] + b[c][l])
					sum[l] += float64(u.V[c][l] * bends[c][l])
				}
			}
			s.V[at] = sum
		})
	}, func() {
		pairs(func(query, key, at int) {
			a, b, slope := q.slope(query), k.slope(key), s.G[at]
			for c, x := range bent[at*q.Cols : (at+1)*q.Cols] {
				for l := range Width {
					d := float64(slope[l] * float64(u.V[c][l]*(1-float64(x[l]*x[l]))))
					a[c][l] += d
					b[c][l] += d
				}
			}
		})
	})
	return s
}
