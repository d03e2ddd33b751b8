package training

import (
	"math"

	"mcsim/sim/base/elementary"
)

// step is one thing that was done, and how a gradient goes back through it.
type step struct{ forward, backward func() }

// Tape is a record of operations. Its zero value is empty.
type Tape struct {
	steps []step
	made  []*Matrix // whose gradients begin with 0
}

// result returns a matrix that an operation makes.
func (t *Tape) result(rows, cols int) *Matrix {
	m := Variable(rows, cols)
	t.made = append(t.made, m)
	return m
}

// record adds an operation.
func (t *Tape) record(forward, backward func()) { t.steps = append(t.steps, step{forward, backward}) }

// Forward computes all that was recorded.
func (t *Tape) Forward() {
	for _, s := range t.steps {
		s.forward()
	}
}

// Backward adds up the gradients of the sum of the last matrix's entries, which is the
// loss, by all matrices. Gradients of variables begin with 0.
func (t *Tape) Backward(variables []*Matrix) {
	for _, m := range t.made {
		clear(m.G)
	}
	for _, m := range variables {
		clear(m.G)
	}
	last := t.made[len(t.made)-1]
	for i := range last.G {
		last.G[i] = Number{1, 1, 1, 1}
	}
	for i := len(t.steps) - 1; i >= 0; i-- {
		t.steps[i].backward()
	}
}

// Product returns a·b.
func (t *Tape) Product(a, b *Matrix) *Matrix { return t.product(1, a, b, standing) }

// ProductTurned returns a·bᵀ.
func (t *Tape) ProductTurned(a, b *Matrix) *Matrix { return t.product(1, a, b, turned) }

// product returns a·b or a·bᵀ, of matrices of so many groups within each (see attend.go). With
// dC the gradient of C = a·b, that of a is dC·bᵀ and that of b is aᵀ·dC.
func (t *Tape) product(groups int, a, b *Matrix, o order) *Matrix {
	rows, others := a.Rows/groups, b.Rows/groups
	cols := b.Cols
	if o == turned {
		cols = others
	}
	c := t.result(a.Rows, cols)
	part := func(m []Number, i int) []Number { return m[i*len(m)/groups : (i+1)*len(m)/groups] }
	t.record(func() {
		clear(c.V)
		for i := range groups {
			addProduct(part(c.V, i), rows, cols, a.Cols, left(part(a.V, i), a.Cols, standing),
				right(part(b.V, i), b.Cols, o))
		}
	}, func() {
		for i := range groups {
			slope := part(c.G, i)
			if a.G != nil {
				addProduct(part(a.G, i), rows, a.Cols, cols, left(slope, cols, standing),
					right(part(b.V, i), b.Cols, !o))
			}
			switch {
			case b.G == nil:
			case o == turned:
				addProduct(part(b.G, i), others, b.Cols, rows, left(slope, cols, turned),
					right(part(a.V, i), a.Cols, standing))
			default:
				addProduct(part(b.G, i), others, b.Cols, rows, left(part(a.V, i), a.Cols, turned),
					right(slope, cols, standing))
			}
		}
	})
	return c
}

// Times returns a multiple of a.
func (t *Tape) Times(a *Matrix, factor float64) *Matrix {
	c := t.result(a.Rows, a.Cols)
	t.record(func() {
		for i, x := range a.V {
			for l := range Width {
				c.V[i][l] = float64(x[l] * factor)
			}
		}
	}, func() {
		for i, g := range c.G {
			for l := range Width {
				a.G[i][l] += float64(g[l] * factor)
			}
		}
	})
	return c
}

// Sum returns a + b, of which either may be constant.
func (t *Tape) Sum(a, b *Matrix) *Matrix {
	c := t.result(a.Rows, a.Cols)
	t.record(func() {
		for i := range c.V {
			for l := range Width {
				c.V[i][l] = a.V[i][l] + b.V[i][l]
			}
		}
	}, func() {
		for _, m := range []*Matrix{a, b} {
			addTo(m.G, c.G)
		}
	})
	return c
}

// addTo adds gradients where there are any to be added to.
func addTo(sums, g []Number) {
	for i := range sums {
		for l := range Width {
			sums[i][l] += g[i][l]
		}
	}
}

// Normalise makes the mean square of every row 1.
func (t *Tape) Normalise(a *Matrix) *Matrix {
	c := t.result(a.Rows, a.Cols)
	size := make([]Number, a.Rows) // the root mean square of a row
	n := float64(a.Cols)
	t.record(func() {
		for i := range a.Rows {
			row, unit := a.Row(i), c.Row(i)
			for l := range Width {
				var squares float64
				for _, x := range row {
					squares += float64(x[l] * x[l])
				}
				size[i][l] = math.Sqrt(squares / n)
				for j, x := range row {
					unit[j][l] = x[l] / size[i][l]
				}
			}
		}
	}, func() { // da = (dc − c·mean(c·dc))/size
		for i := range a.Rows {
			row, slope, gradient := c.Row(i), c.slope(i), a.slope(i)
			for l := range Width {
				var along float64
				for j, x := range row {
					along += float64(x[l] * slope[j][l])
				}
				along /= n
				for j, x := range row {
					gradient[j][l] += (slope[j][l] - float64(x[l]*along)) / size[i][l]
				}
			}
		}
	})
	return c
}

// Error returns the mean of the squares of a − want, which is constant.
func (t *Tape) Error(a, want *Matrix) *Matrix {
	c := t.result(1, 1)
	n := float64(len(a.V))
	t.record(func() {
		var sum Number
		for i, x := range a.V {
			for l := range Width {
				d := x[l] - want.V[i][l]
				sum[l] += float64(d * d)
			}
		}
		for l := range Width {
			c.V[0][l] = sum[l] / n
		}
	}, func() {
		for i, x := range a.V {
			for l := range Width {
				a.G[i][l] += float64(2 * float64(c.G[0][l]*(x[l]-want.V[i][l])) / n)
			}
		}
	})
	return c
}

// Softmax makes weights of every row of scores. Rows with a score that is no finite number
// have weights that are none, on every machine.
func (t *Tape) Softmax(s *Matrix) *Matrix {
	c := t.result(s.Rows, s.Cols)
	t.record(func() {
		for i := range s.Rows {
			row, weights := s.Row(i), c.Row(i)
			for l := range Width {
				weigh(row, weights, l)
			}
		}
	}, func() { // ds = α(dα − Σα·dα)
		for i := range s.Rows {
			row, slope, gradient := c.Row(i), c.slope(i), s.slope(i)
			for l := range Width {
				var mean float64
				for j, w := range row {
					mean += float64(w[l] * slope[j][l])
				}
				for j, w := range row {
					gradient[j][l] += float64(w[l] * (slope[j][l] - mean))
				}
			}
		}
	})
	return c
}

// weigh writes the weights of a row of one seed.
func weigh(row, weights []Number, l int) {
	greatest, sum := math.Inf(-1), 0.0
	for _, s := range row {
		if math.IsNaN(s[l]-s[l]) || s[l] > greatest {
			greatest = s[l]
		}
		if math.IsNaN(greatest - greatest) {
			greatest = math.NaN()
			break
		}
	}
	for j, s := range row {
		weights[j][l] = elementary.Exp(s[l] - greatest)
		sum += weights[j][l]
	}
	for j := range weights {
		weights[j][l] /= sum
	}
}

// Pick takes of every so many rows the given number, from an offset on.
func (t *Tape) Pick(a *Matrix, every, offset, number int) *Matrix {
	c := t.result(a.Rows/every*number, a.Cols)
	source := func(i int) int { return i/number*every + offset + i%number }
	t.record(func() {
		for i := range c.Rows {
			copy(c.Row(i), a.Row(source(i)))
		}
	}, func() {
		for i := range c.Rows {
			addTo(a.slope(source(i)), c.slope(i))
		}
	})
	return c
}
