package attention

import (
	"fmt"
	"math"
)

// Tensor has a float64 matrix for each head of each batch. Data is in the order of batches, heads,
// rows and columns.
type Tensor struct {
	Data                          []float64
	Batches, Heads, Rows, Columns int
}

// NewTensor returns a tensor of zeros.
func NewTensor(batches, heads, rows, columns int) Tensor {
	return NewTensorFrom(make([]float64, batches*heads*rows*columns), batches, heads, rows, columns)
}

// NewTensorFrom returns a tensor that uses data without a copy. The length of data must be the
// product of the sizes.
func NewTensorFrom(data []float64, batches, heads, rows, columns int) Tensor {
	return Tensor{data, batches, heads, rows, columns}
}

// Row returns row i of head h in batch b. The slice shares memory with the tensor.
func (t Tensor) Row(b, h, i int) []float64 {
	start := ((b*t.Heads+h)*t.Rows + i) * t.Columns
	return t.Data[start : start+t.Columns : start+t.Columns]
}

// Shape returns the text "batches × heads × rows × columns" with the sizes of the tensor.
func (t Tensor) Shape() string {
	return fmt.Sprintf("%d × %d × %d × %d", t.Batches, t.Heads, t.Rows, t.Columns)
}

// check returns an error if a size is less than 1, or if a number is NaN or isRefused is true for
// it.
func (t Tensor) check(name string, isRefused func(x float64) bool) error {
	for _, s := range []struct {
		size string
		n    int
	}{{"batches", t.Batches}, {"heads", t.Heads}, {"rows", t.Rows}, {"columns", t.Columns}} {
		if s.n < 1 {
			return fmt.Errorf("attention: %s has %d %s; it needs at least 1", name, s.n, s.size)
		}
	}
	for n, x := range t.Data {
		if row := n / t.Columns; math.IsNaN(x) || isRefused(x) {
			return fmt.Errorf("attention: %s has %v in batch %d, head %d, row %d, column %d",
				name, x, row/t.Rows/t.Heads, row/t.Rows%t.Heads, row%t.Rows, n%t.Columns)
		}
	}
	return nil
}
