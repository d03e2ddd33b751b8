package training

// Width is how many seeds stand side by side.
const Width = 4

// Number is one number of each seed.
type Number = [Width]float64

// Matrix is one matrix of each seed, with the gradient of the loss by each entry where one
// is asked for.
type Matrix struct {
	Rows, Cols int
	V          []Number // entry (i, j) is V[i·Cols + j]
	G          []Number // the gradient, nil of what is constant
}

// Constant returns a matrix of zeros that has no gradient.
func Constant(rows, cols int) *Matrix {
	return &Matrix{Rows: rows, Cols: cols, V: make([]Number, rows*cols)}
}

// Variable returns a matrix of zeros that has a gradient.
func Variable(rows, cols int) *Matrix {
	m := Constant(rows, cols)
	m.G = make([]Number, rows*cols)
	return m
}

// Row returns the numbers of a row.
func (m *Matrix) Row(i int) []Number { return m.V[i*m.Cols : (i+1)*m.Cols] }

// gradient returns the gradients of a row.
func (m *Matrix) gradient(i int) []Number { return m.G[i*m.Cols : (i+1)*m.Cols] }
