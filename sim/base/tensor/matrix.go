package tensor

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// Matrix is rows × columns of an array's numbers, wherever they stand in it.
type Matrix struct {
	Rows, Columns int
	Infinite      bool // infinities may stand in it, as a mask has them

	array                           *Array
	offset, rowStride, columnStride int
}

// Dimensions writes the shape as 3 × 4, and that of one number as "one number".
func (a *Array) Dimensions() string { return dimensions(a.Shape) }

// dimensions writes a shape.
func dimensions(shape []int) string {
	if len(shape) == 0 {
		return "one number"
	}
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(shape), "[]"), " ", " × ")
}

// strides returns the distance, in numbers, from one number to the next along each axis.
func (a *Array) strides() []int {
	all, step := make([]int, len(a.Shape)), 1
	for i := range a.Shape {
		axis := a.axis(i)
		all[axis] = step
		step *= a.Shape[axis]
	}
	return all
}

// axis returns the axis of the i-th fastest index.
func (a *Array) axis(i int) int {
	if a.fortran {
		return i
	}
	return len(a.Shape) - 1 - i
}

// Matrix returns the last two axes of an array at the given indexes of the axes before them; an
// array of one axis, or of one number, is a row.
func (a *Array) Matrix(at ...int) (Matrix, error) {
	shape, strides := a.Shape, a.strides()
	for len(shape) < 2 {
		shape, strides = append([]int{1}, shape...), append([]int{0}, strides...)
	}
	if slices.Contains(shape, 0) {
		return Matrix{}, a.wrap(errors.New("has no numbers"))
	}
	if len(at) != len(shape)-2 {
		return Matrix{}, a.wrap(fmt.Errorf("has %d axes", len(a.Shape)))
	}
	n := len(at)
	m := Matrix{Rows: shape[n], Columns: shape[n+1], array: a, rowStride: strides[n], columnStride: strides[n+1]}
	for i, k := range at {
		if k < 0 || k >= shape[i] {
			return Matrix{}, a.wrap(fmt.Errorf("has no part %d of %d", k, shape[i]))
		}
		m.offset += k * strides[i]
	}
	return m, nil
}

// Merged returns the array with its last two axes as one, if these are contiguous.
func (a *Array) Merged() (*Array, bool) {
	n := len(a.Shape)
	if n < 2 || a.fortran {
		return nil, false
	}
	out := *a
	out.Shape = append(slices.Clone(a.Shape[:n-2]), a.Shape[n-2]*a.Shape[n-1])
	return &out, true
}

// Transposed exchanges rows and columns.
func (m Matrix) Transposed() Matrix {
	m.Rows, m.Columns, m.rowStride, m.columnStride = m.Columns, m.Rows, m.columnStride, m.rowStride
	return m
}

// Part returns rows [row, rowEnd) and columns [column, columnEnd).
func (m Matrix) Part(row, rowEnd, column, columnEnd int) Matrix {
	if row < 0 || row > rowEnd || rowEnd > m.Rows || column < 0 || column > columnEnd || columnEnd > m.Columns {
		panic("tensor: a part that the matrix does not have")
	}
	m.offset += row*m.rowStride + column*m.columnStride
	m.Rows, m.Columns = rowEnd-row, columnEnd-column
	return m
}

// wrap names the array of an error.
func (a *Array) wrap(err error) error { return fmt.Errorf("%s: array %q %w", a.File, a.Name, err) }

// piece is how many bytes are read at once.
const piece = 1 << 20

var pieces = sync.Pool{New: func() any { return new([piece]byte) }}

// Read reads the numbers into a slice of Rows × Columns, row by row. NaN and infinities are refused,
// with their index in the array. It may be called by several goroutines at once.
func Read[T float32 | float64](m Matrix, to []T) error {
	if len(to) != m.Rows*m.Columns {
		panic("tensor: Read wants room for all numbers")
	}
	file, err := m.array.open()
	if err == nil {
		buffer := pieces.Get().(*[piece]byte)
		defer pieces.Put(buffer)
		r := &reader[T]{file, m.array, m.Infinite, buffer[:]}
		err = r.matrix(m, to)
	}
	if err != nil {
		return m.array.wrap(err)
	}
	return nil
}

// reader reads numbers of an array.
type reader[T float32 | float64] struct {
	file     io.ReaderAt
	array    *Array
	infinite bool
	buffer   []byte
}

// matrix reads the lines that are contiguous: all, rows, or the columns of a transposed matrix.
func (r *reader[T]) matrix(m Matrix, to []T) error {
	if m.columnStride == 1 || m.Columns == 1 {
		if m.rowStride == m.Columns || m.Rows == 1 {
			return r.line(m.offset, to)
		}
		for i := range m.Rows {
			if err := r.line(m.offset+i*m.rowStride, to[i*m.Columns:(i+1)*m.Columns]); err != nil {
				return err
			}
		}
		return nil
	}
	column := make([]T, m.Rows)
	for j := range m.Columns {
		if err := r.strided(m.offset+j*m.columnStride, m.rowStride, column); err != nil {
			return err
		}
		for i, x := range column {
			to[i*m.Columns+j] = x
		}
	}
	return nil
}

// strided reads numbers a stride apart, from the first on.
func (r *reader[T]) strided(first, stride int, to []T) error {
	if stride == 1 {
		return r.line(first, to)
	}
	for i := range to {
		if err := r.line(first+i*stride, to[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

// line reads contiguous numbers from the first on.
func (r *reader[T]) line(first int, to []T) error {
	size := int(widths[r.array.Type] / 8)
	if size == 0 {
		return decode(r.array.Type, to[:1], nil) // which says why
	}
	for len(to) > 0 {
		n := min(len(to), piece/size)
		bytes := r.buffer[:n*size]
		if _, err := r.file.ReadAt(bytes, int64(first)*int64(size)); err != nil {
			return fmt.Errorf("cannot be read: %w", err)
		}
		if r.array.big {
			for number := range slices.Chunk(bytes, size) {
				slices.Reverse(number)
			}
		}
		if err := decode(r.array.Type, to[:n], bytes); err != nil {
			return err
		}
		if err := r.refuseInfinite(first, to[:n]); err != nil {
			return err
		}
		first, to = first+n, to[n:]
	}
	return nil
}

// refuseInfinite refuses NaN, and infinite numbers unless they are allowed.
func (r *reader[T]) refuseInfinite(first int, xs []T) error {
	var sum T // of products with 0, which are 0 unless a number is infinite or NaN
	for _, x := range xs {
		sum += T(x * 0)
	}
	if sum == 0 {
		return nil
	}
	for i, x := range xs {
		if x-x == 0 {
			continue
		}
		if x != x {
			return fmt.Errorf("has NaN at %v", r.array.index(first+i))
		}
		if !r.infinite {
			return fmt.Errorf("has an infinite number at %v", r.array.index(first+i))
		}
	}
	return nil
}

// index returns the indexes of the number at a place in the file.
func (a *Array) index(place int) []int {
	out := make([]int, len(a.Shape))
	for i := range a.Shape {
		axis := a.axis(i)
		out[axis] = place % a.Shape[axis]
		place /= a.Shape[axis]
	}
	return out
}
