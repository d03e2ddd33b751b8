package attention

import (
	"fmt"
	"math"
)

// Tensor is a matrix of float64 for each head of each batch. Element (b, h, i, j), of
// batch b, head h, row i and column j, is
//
//	Data[b·BatchStride + h·HeadStride + i·RowStride + j]
//
// so that heads may lie side by side in the rows of a matrix, as projections leave them,
// or one after the other; a stride of 0 says that all batches, or heads, share one matrix.
type Tensor struct {
	Data                               []float64
	Batches, Heads, Rows, Columns      int
	BatchStride, HeadStride, RowStride int
}

// NewTensor returns a tensor of zeros whose matrices lie one after the other.
func NewTensor(batches, heads, rows, columns int) Tensor {
	return Of(make([]float64, batches*heads*rows*columns), batches, heads, rows, columns)
}

// Of returns a tensor of numbers that lie in the order of batches, heads, rows and columns.
func Of(data []float64, batches, heads, rows, columns int) Tensor {
	return Tensor{data, batches, heads, rows, columns, heads * rows * columns, rows * columns, columns}
}

// Interleaved returns the heads of projections: of each row of heads·columns numbers the
// first columns are those of head 0, and so on.
func Interleaved(data []float64, batches, heads, rows, columns int) Tensor {
	return Tensor{data, batches, heads, rows, columns, rows * heads * columns, columns, heads * columns}
}

// Row is row i of head h in batch b.
func (t Tensor) Row(b, h, i int) []float64 {
	from := b*t.BatchStride + h*t.HeadStride + i*t.RowStride
	return t.Data[from : from+t.Columns : from+t.Columns]
}

// Shape writes the sizes as batches × heads × rows × columns.
func (t Tensor) Shape() string {
	return fmt.Sprintf("%d × %d × %d × %d", t.Batches, t.Heads, t.Rows, t.Columns)
}

// check says what is wrong with a tensor: each size must be at least 1, no stride
// negative, rows must not overlap, and the last element must be within the data.
func (t Tensor) check(name string) error {
	for _, s := range []struct {
		what string
		n    int
	}{{"batches", t.Batches}, {"heads", t.Heads}, {"rows", t.Rows}, {"columns", t.Columns}} {
		if s.n < 1 {
			return fmt.Errorf("attention: %s has %d %s; it needs at least 1", name, s.n, s.what)
		}
	}
	if t.BatchStride < 0 || t.HeadStride < 0 || t.Rows > 1 && t.RowStride < t.Columns {
		return fmt.Errorf("attention: %s of %s has the strides %d, %d and %d; none may be negative, nor that of rows below the number of columns",
			name, t.Shape(), t.BatchStride, t.HeadStride, t.RowStride)
	}
	last := (t.Batches-1)*t.BatchStride + (t.Heads-1)*t.HeadStride + (t.Rows-1)*t.RowStride + t.Columns
	if last > len(t.Data) {
		return fmt.Errorf("attention: %s of %s with the strides %d, %d and %d needs %d numbers, not %d",
			name, t.Shape(), t.BatchStride, t.HeadStride, t.RowStride, last, len(t.Data))
	}
	return nil
}

// finite says where a tensor has a number that is none.
func (t Tensor) finite(name string) error {
	for b := range t.Batches {
		for h := range t.Heads {
			for i := range t.Rows {
				for j, x := range t.Row(b, h, i) {
					if math.IsNaN(x) || math.IsInf(x, 0) {
						return fmt.Errorf("attention: %s has %v in batch %d, head %d, row %d, column %d", name, x, b, h, i, j)
					}
				}
			}
		}
	}
	return nil
}
