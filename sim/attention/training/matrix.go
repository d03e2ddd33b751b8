package training

// Width is the number of seeds that are computed side by side.
const Width = 4

// Number is one number of each seed.
type Number = [Width]float64

// Matrix is a matrix for each seed, with the gradient of the loss by its elements if that is
// needed.
type Matrix struct {
	Rows, Cols int
	V          []Number // element (i, j) is V[i·Cols + j]
	G          []Number // gradient; nil for constants
}

// Constant returns a matrix of zeros without a gradient.
func Constant(rows, cols int) *Matrix {
	return &Matrix{Rows: rows, Cols: cols, V: make([]Number, rows*cols)}
}

// Variable returns a matrix of zeros with a gradient.
func Variable(rows, cols int) *Matrix {
	m := Constant(rows, cols)
	m.G = make([]Number, rows*cols)
	return m
}

// Row returns row i. The slice shares memory with the matrix.
func (m *Matrix) Row(i int) []Number { return m.V[i*m.Cols : (i+1)*m.Cols] }

// gradient returns the gradients of row i.
func (m *Matrix) gradient(i int) []Number { return m.G[i*m.Cols : (i+1)*m.Cols] }
