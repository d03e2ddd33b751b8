package training

// Width is the number of seeds that are computed together.
const Width = 4

// Number is one number of each seed.
type Number = [Width]float64

// Matrix is a matrix for each seed. A variable has also the gradient of the loss with respect to
// its elements.
type Matrix struct {
	Rows, Cols int
	V          []Number // element (i, j) is V[i·Cols + j]
	G          []Number // gradient; nil for constants
}

// NewConstant returns a matrix of zeros without a gradient.
func NewConstant(rows, cols int) *Matrix {
	return &Matrix{Rows: rows, Cols: cols, V: make([]Number, rows*cols)}
}

// NewVariable returns a matrix of zeros with a gradient.
func NewVariable(rows, cols int) *Matrix {
	m := NewConstant(rows, cols)
	m.G = make([]Number, rows*cols)
	return m
}

// Row returns row i. The slice shares memory with the matrix.
func (m *Matrix) Row(i int) []Number { return m.V[i*m.Cols : (i+1)*m.Cols] }

// gradientRow returns row i of the gradient. The slice shares memory with the matrix.
func (m *Matrix) gradientRow(i int) []Number { return m.G[i*m.Cols : (i+1)*m.Cols] }
