package training

import (
	"math"

	"mcsim/sim/base/elementary"
)

// step is a recorded operation. backward adds to the gradients of its operands.
type step struct{ forward, backward func() }

// Tape is a record of operations. Its zero value is empty.
type Tape struct {
	steps   []step
	results []*Matrix // results of the operations
}

// newResult returns the matrix for the result of an operation.
func (t *Tape) newResult(rows, cols int) *Matrix {
	m := NewVariable(rows, cols)
	t.results = append(t.results, m)
	return m
}

func (t *Tape) record(forward, backward func()) { t.steps = append(t.steps, step{forward, backward}) }

// Forward executes all recorded operations.
func (t *Tape) Forward() {
	for _, s := range t.steps {
		s.forward()
	}
}

// Backward computes the gradients of the loss with respect to all variables and results. The loss
// is the last result, or the sum of its elements. variables are all variables that are operands.
func (t *Tape) Backward(variables []*Matrix) {
	for _, m := range t.results {
		clear(m.G)
	}
	for _, m := range variables {
		clear(m.G)
	}
	last := t.results[len(t.results)-1]
	for i := range last.G {
		last.G[i] = Number{1, 1, 1, 1}
	}
	for i := len(t.steps) - 1; i >= 0; i-- {
		t.steps[i].backward()
	}
}

// Product returns a·b.
func (t *Tape) Product(a, b *Matrix) *Matrix { return t.product(1, a, b, untransposed) }

// ProductTransposed returns a·bᵀ.
func (t *Tape) ProductTransposed(a, b *Matrix) *Matrix { return t.product(1, a, b, transposed) }

// product returns a·b, or a·bᵀ if the orientation o of b is transposed, within each of the given
// number of groups of rows (see attend.go). With the gradient dc of the result c = a·b, the
// gradient of a is dc·bᵀ, and the gradient of b is aᵀ·dc. For c = a·bᵀ they are dc·b and dcᵀ·a.
func (t *Tape) product(groups int, a, b *Matrix, o orientation) *Matrix {
	rows, otherRows := a.Rows/groups, b.Rows/groups
	cols := b.Cols
	if o == transposed {
		cols = otherRows
	}
	c := t.newResult(a.Rows, cols)
	// rowsOf returns the rows of group i.
	rowsOf := func(m []Number, i int) []Number { return m[i*len(m)/groups : (i+1)*len(m)/groups] }
	t.record(func() {
		clear(c.V)
		for i := range groups {
			addProduct(rowsOf(c.V, i), rows, cols, a.Cols, leftFactor(rowsOf(a.V, i), a.Cols, untransposed),
				rightFactor(rowsOf(b.V, i), b.Cols, o))
		}
	}, func() {
		for i := range groups {
			gradient := rowsOf(c.G, i)
			if a.G != nil { // the orientation of b is the opposite, !o
				addProduct(rowsOf(a.G, i), rows, a.Cols, cols, leftFactor(gradient, cols, untransposed),
					rightFactor(rowsOf(b.V, i), b.Cols, !o))
			}
			switch {
			case b.G == nil:
			case o == transposed:
				addProduct(rowsOf(b.G, i), otherRows, b.Cols, rows, leftFactor(gradient, cols, transposed),
					rightFactor(rowsOf(a.V, i), a.Cols, untransposed))
			default:
				addProduct(rowsOf(b.G, i), otherRows, b.Cols, rows, leftFactor(rowsOf(a.V, i), a.Cols, transposed),
					rightFactor(gradient, cols, untransposed))
			}
		}
	})
	return c
}

// Scale returns factor·a.
func (t *Tape) Scale(a *Matrix, factor float64) *Matrix {
	c := t.newResult(a.Rows, a.Cols)
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

// SoftCap returns limit·tanh(a/limit).
func (t *Tape) SoftCap(a *Matrix, limit float64) *Matrix {
	c, tanhs := t.newResult(a.Rows, a.Cols), make([]Number, len(a.V))
	t.record(func() {
		for i, x := range a.V {
			for l := range Width {
				tanhs[i][l] = elementary.Tanh(x[l] / limit)
				c.V[i][l] = float64(limit * tanhs[i][l])
			}
		}
	}, func() {
		for i, g := range c.G {
			for l := range Width {
				a.G[i][l] += float64(g[l] * (1 - float64(tanhs[i][l]*tanhs[i][l])))
			}
		}
	})
	return c
}

// Add returns a + b. Each of them may be a constant.
func (t *Tape) Add(a, b *Matrix) *Matrix {
	c := t.newResult(a.Rows, a.Cols)
	t.record(func() {
		for i := range c.V {
			for l := range Width {
				c.V[i][l] = a.V[i][l] + b.V[i][l]
			}
		}
	}, func() {
		for _, m := range []*Matrix{a, b} {
			addGradient(m.G, c.G)
		}
	})
	return c
}

// addGradient adds g to sums, the gradient of an operand. sums is nil for constants.
func addGradient(sums, g []Number) {
	for i := range sums {
		for l := range Width {
			sums[i][l] += g[i][l]
		}
	}
}

// Normalise returns a with every row scaled to the mean square 1.
func (t *Tape) Normalise(a *Matrix) *Matrix {
	c := t.newResult(a.Rows, a.Cols)
	rootMeanSquares := make([]Number, a.Rows)
	n := float64(a.Cols)
	t.record(func() {
		for i := range a.Rows {
			row, normalised := a.Row(i), c.Row(i)
			for l := range Width {
				var squares float64
				for _, x := range row {
					squares += float64(x[l] * x[l])
				}
				rootMeanSquares[i][l] = math.Sqrt(squares / n)
				for j, x := range row {
					normalised[j][l] = x[l] / rootMeanSquares[i][l]
				}
			}
		}
	}, func() { // da = (dc − c·mean(c·dc))/r with the root mean square r of the row
		for i := range a.Rows {
			output, outputGradient, gradient := c.Row(i), c.gradientRow(i), a.gradientRow(i)
			for l := range Width {
				var projection float64
				for j, x := range output {
					projection += float64(x[l] * outputGradient[j][l])
				}
				projection /= n
				for j, x := range output {
					gradient[j][l] += (outputGradient[j][l] - float64(x[l]*projection)) / rootMeanSquares[i][l]
				}
			}
		}
	})
	return c
}

// MeanSquaredError returns the mean of the squares of the elements of a − target. target is a
// constant.
func (t *Tape) MeanSquaredError(a, target *Matrix) *Matrix {
	c := t.newResult(1, 1)
	n := float64(len(a.V))
	t.record(func() {
		var sum Number
		for i, x := range a.V {
			for l := range Width {
				d := x[l] - target.V[i][l]
				sum[l] += float64(d * d)
			}
		}
		for l := range Width {
			c.V[0][l] = sum[l] / n
		}
	}, func() {
		for i, x := range a.V {
			for l := range Width {
				a.G[i][l] += float64(2 * float64(c.G[0][l]*(x[l]-target.V[i][l])) / n)
			}
		}
	})
	return c
}

// Softmax returns the softmax weights of every row of scores. If a score of a row is NaN or
// infinite, its weights are NaN on every machine.
func (t *Tape) Softmax(s *Matrix) *Matrix {
	c := t.newResult(s.Rows, s.Cols)
	t.record(func() {
		for i := range s.Rows {
			row, weights := s.Row(i), c.Row(i)
			for l := range Width {
				softmaxRow(row, weights, l)
			}
		}
	}, func() { // ds = α(dα − Σα·dα) with the weights α of the row
		for i := range s.Rows {
			weights, outputGradient, gradient := c.Row(i), c.gradientRow(i), s.gradientRow(i)
			for l := range Width {
				var mean float64
				for j, w := range weights {
					mean += float64(w[l] * outputGradient[j][l])
				}
				for j, w := range weights {
					gradient[j][l] += float64(w[l] * (outputGradient[j][l] - mean))
				}
			}
		}
	})
	return c
}

// softmaxRow writes the weights of a row for the seed of lane l.
func softmaxRow(row, weights []Number, l int) {
	largest, sum := math.Inf(-1), 0.0
	for _, s := range row {
		if math.IsNaN(s[l] - s[l]) { // s[l] is NaN or infinite
			largest = math.NaN()
			break
		}
		if s[l] > largest {
			largest = s[l]
		}
	}
	for j, s := range row {
		weights[j][l] = elementary.Exp(s[l] - largest)
		sum += weights[j][l]
	}
	for j := range weights {
		weights[j][l] /= sum
	}
}

// SelectRows divides the rows of a into blocks of period rows and returns count rows of each block,
// from row offset of the block on.
func (t *Tape) SelectRows(a *Matrix, period, offset, count int) *Matrix {
	c := t.newResult(a.Rows/period*count, a.Cols)
	source := func(i int) int { return i/count*period + offset + i%count }
	t.record(func() {
		for i := range c.Rows {
			copy(c.Row(i), a.Row(source(i)))
		}
	}, func() {
		for i := range c.Rows {
			addGradient(a.gradientRow(source(i)), c.gradientRow(i))
		}
	})
	return c
}
