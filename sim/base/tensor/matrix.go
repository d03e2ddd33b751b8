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

	of                              *Array
	offset, rowStride, columnStride int
}

// Dimensions writes the shape as 3 × 4, and that of one number as "one number".
func (a *Array) Dimensions() string {
	if len(a.Shape) == 0 {
		return "one number"
	}
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(a.Shape), "[]"), " ", " × ")
}

// strides are how many numbers lie from one to the next along each axis.
func (a *Array) strides() []int {
	all, step := make([]int, len(a.Shape)), 1
	for i := range a.Shape {
		at := len(a.Shape) - 1 - i
		if a.fortran {
			at = i
		}
		all[at] = step
		step *= a.Shape[at]
	}
	return all
}

// Matrix is the last two axes of an array at the given indexes of the axes before them; an
// array of one axis, or of one number, is a row.
func (a *Array) Matrix(at ...int) (Matrix, error) {
	shape, strides := a.Shape, a.strides()
	for len(shape) < 2 {
		shape, strides = append([]int{1}, shape...), append([]int{0}, strides...)
	}
	if slices.Contains(shape, 0) {
		return Matrix{}, a.wrong(errors.New("has no numbers"))
	}
	if len(at) != len(shape)-2 {
		return Matrix{}, a.wrong(fmt.Errorf("has %d axes", len(a.Shape)))
	}
	n := len(at)
	m := Matrix{Rows: shape[n], Columns: shape[n+1], of: a, rowStride: strides[n], columnStride: strides[n+1]}
	for i, k := range at {
		if k < 0 || k >= shape[i] {
			return Matrix{}, a.wrong(fmt.Errorf("has no part %d of %d", k, shape[i]))
		}
		m.offset += k * strides[i]
	}
	return m, nil
}

// Merged is the array with its last two axes as one, where these stand one behind the other.
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

// Part is the given rows and columns, of which the last are not among them.
func (m Matrix) Part(row, rowEnd, column, columnEnd int) Matrix {
	if row < 0 || row > rowEnd || rowEnd > m.Rows || column < 0 || column > columnEnd || columnEnd > m.Columns {
		panic("tensor: a part that the matrix does not have")
	}
	m.offset += row*m.rowStride + column*m.columnStride
	m.Rows, m.Columns = rowEnd-row, columnEnd-column
	return m
}

// wrong says which array is.
func (a *Array) wrong(err error) error { return fmt.Errorf("%s: array %q %w", a.File, a.Name, err) }

// piece is how many bytes are read at once.
const piece = 1 << 20

var pieces = sync.Pool{New: func() any { return new([piece]byte) }}

// Read reads the numbers, row by row, into to, which has Rows × Columns. NaN and infinities
// are refused, with their index in the array. It may be called by several at once.
func Read[T float32 | float64](m Matrix, to []T) error {
	if len(to) != m.Rows*m.Columns {
		panic("tensor: Read wants room for all numbers")
	}
	from, err := m.of.from()
	if err != nil {
		return m.of.wrong(err)
	}
	buffer := pieces.Get().(*[piece]byte)
	defer pieces.Put(buffer)
	r := &reader[T]{from, m.of, m.Infinite, buffer[:]}
	if err := r.matrix(m, to); err != nil {
		return m.of.wrong(err)
	}
	return nil
}

// reader reads numbers of an array.
type reader[T float32 | float64] struct {
	from     io.ReaderAt
	of       *Array
	infinite bool
	buffer   []byte
}

// matrix reads the lines that stand together: rows, or the columns of a transposed matrix.
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
		at := m.offset + j*m.columnStride
		if m.rowStride == 1 || m.Rows == 1 {
			if err := r.line(at, column); err != nil {
				return err
			}
		}
		for i := range column {
			if m.rowStride != 1 && m.Rows > 1 {
				if err := r.line(at+i*m.rowStride, column[i:i+1]); err != nil {
					return err
				}
			}
			to[i*m.Columns+j] = column[i]
		}
	}
	return nil
}

// line reads numbers that stand one behind the other.
func (r *reader[T]) line(at int, to []T) error {
	size := int(widths[r.of.Type] / 8)
	if size == 0 {
		return decode(r.of.Type, to[:1], nil) // which says why
	}
	for len(to) > 0 {
		n := min(len(to), piece/size)
		part := r.buffer[:n*size]
		if _, err := r.from.ReadAt(part, int64(at)*int64(size)); err != nil {
			return fmt.Errorf("cannot be read: %w", err)
		}
		if r.of.big {
			reverse(part, size)
		}
		if err := decode(r.of.Type, to[:n], part); err != nil {
			return err
		}
		if err := r.finite(at, to[:n]); err != nil {
			return err
		}
		at, to = at+n, to[n:]
	}
	return nil
}

// reverse turns the bytes of every number round.
func reverse(bytes []byte, size int) {
	for i := 0; i < len(bytes); i += size {
		slices.Reverse(bytes[i : i+size])
	}
}

// finite finds what is no number.
func (r *reader[T]) finite(at int, xs []T) error {
	var a, b, c, d T // products with 0 are 0 of finite numbers, else NaN
	i := 0
	for ; i+4 <= len(xs); i += 4 {
		four := xs[i : i+4 : i+4]
		a += T(four[0] * 0)
		b += T(four[1] * 0)
		c += T(four[2] * 0)
		d += T(four[3] * 0)
	}
	for _, x := range xs[i:] {
		a += T(x * 0)
	}
	if a+b+c+d == 0 {
		return nil
	}
	for i, x := range xs {
		switch {
		case x != x:
			return fmt.Errorf("has NaN at %v", r.of.index(at+i))
		case x-x != 0 && !r.infinite:
			return fmt.Errorf("has an infinite number at %v", r.of.index(at+i))
		}
	}
	return nil
}

// index is where the number at a place in the file stands in the array.
func (a *Array) index(at int) []int {
	out := make([]int, len(a.Shape))
	for i := range a.Shape {
		k := len(a.Shape) - 1 - i
		if a.fortran {
			k = i
		}
		out[k] = at % a.Shape[k]
		at /= a.Shape[k]
	}
	return out
}
