package training

import "mcsim/sim/elementary"

// Rows of several matrices belong together in groups, one of each sequence: rows i·r to
// (i+1)·r of the queries see rows i·n to (i+1)·n of the keys and values, where r and n are
// how many rows of either a group has.

// group is what of two matrices belongs together.
type group struct{ queries, keys int }

// groups reads the group off matrices of so many groups.
func groups(of int, q, k *Matrix) group { return group{q.Rows / of, k.Rows / of} }

// Scores are the products of each query with the keys of its group, a row for each query.
func (t *Tape) Scores(of int, q, k *Matrix) *Matrix {
	g := groups(of, q, k)
	s := t.result(q.Rows, g.keys)
	t.record(func() {
		for i := range of {
			a, b := part(q.V, i, g.queries*q.Cols), part(k.V, i, g.keys*k.Cols)
			to := part(s.V, i, g.queries*g.keys)
			clear(to)
			addProduct(to, g.queries, g.keys, q.Cols, left(a, q.Cols, standing), right(b, k.Cols, turned))
		}
	}, func() {
		for i := range of {
			slope := part(s.G, i, g.queries*g.keys)
			if q.G != nil {
				addProduct(part(q.G, i, g.queries*q.Cols), g.queries, q.Cols, g.keys,
					left(slope, g.keys, standing), right(part(k.V, i, g.keys*k.Cols), k.Cols, standing))
			}
			if k.G != nil {
				addProduct(part(k.G, i, g.keys*k.Cols), g.keys, k.Cols, g.queries,
					left(slope, g.keys, turned), right(part(q.V, i, g.queries*q.Cols), q.Cols, standing))
			}
		}
	})
	return s
}

// Mix is for each query the sum of the values of its group, each times its weight.
func (t *Tape) Mix(of int, w, v *Matrix) *Matrix {
	g := groups(of, w, v)
	c := t.result(w.Rows, v.Cols)
	t.record(func() {
		for i := range of {
			to := part(c.V, i, g.queries*c.Cols)
			clear(to)
			addProduct(to, g.queries, c.Cols, g.keys,
				left(part(w.V, i, g.queries*g.keys), g.keys, standing), right(part(v.V, i, g.keys*v.Cols), v.Cols, standing))
		}
	}, func() {
		for i := range of {
			slope := part(c.G, i, g.queries*c.Cols)
			if w.G != nil {
				addProduct(part(w.G, i, g.queries*g.keys), g.queries, g.keys, c.Cols,
					left(slope, c.Cols, standing), right(part(v.V, i, g.keys*v.Cols), v.Cols, turned))
			}
			if v.G != nil {
				addProduct(part(v.G, i, g.keys*v.Cols), g.keys, v.Cols, g.queries,
					left(part(w.V, i, g.queries*g.keys), g.keys, turned), right(slope, c.Cols, standing))
			}
		}
	})
	return c
}

// part is the numbers of one group of so many.
func part(v []Number, i, numbers int) []Number { return v[i*numbers : (i+1)*numbers] }

// Additive are the scores Σ_c u_c·tanh(q_c + k_c) of each query with the keys of its group,
// u a constant row.
func (t *Tape) Additive(of int, q, k, u *Matrix) *Matrix {
	g := groups(of, q, k)
	s := t.result(q.Rows, g.keys)
	bent := make([]Number, q.Rows*g.keys*q.Cols) // the hyperbolic tangents
	t.record(func() {
		eachPair(of, g, func(query, key, at int) {
			a, b, to := q.Row(query), k.Row(key), bent[at*q.Cols:(at+1)*q.Cols]
			var sum Number
			for c := range a {
				for l := range Width {
					to[c][l] = elementary.Tanh(a[c][l] + b[c][l])
					sum[l] += float64(u.V[c][l] * to[c][l])
				}
			}
			s.V[at] = sum
		})
	}, func() {
		eachPair(of, g, func(query, key, at int) {
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

// eachPair goes through the pairs of a query and a key of one group, at the place of their
// score.
func eachPair(of int, g group, visit func(query, key, at int)) {
	for i := range of {
		for r := range g.queries {
			query := i*g.queries + r
			for j := range g.keys {
				visit(query, i*g.keys+j, query*g.keys+j)
			}
		}
	}
}
