package tensor

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// Matrix is a view of Rows × Columns numbers of an array.
type Matrix struct {
	Rows, Columns int
	AllowInfinite bool // Read accepts infinite numbers, such as those of a mask

	array                           *Array
	offset, rowStride, columnStride int
}

// Dimensions returns the shape as "3 × 4", or "one number".
func (a *Array) Dimensions() string { return dimensions(a.Shape) }

func dimensions(shape []int) string {
	if len(shape) == 0 {
		return "one number"
	}
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(shape), "[]"), " ", " × ")
}

// strides returns, for each axis, how many numbers apart neighbours along the axis are.
func (a *Array) strides() []int {
	strides, step := make([]int, len(a.Shape)), 1
	for i := range a.Shape {
		axis := a.axis(i)
		strides[axis] = step
		step *= a.Shape[axis]
	}
	return strides
}

// axis returns the axis whose index changes i-th fastest in the file, for i from 0.
func (a *Array) axis(i int) int {
	if a.columnMajor {
		return i
	}
	return len(a.Shape) - 1 - i
}

// Matrix returns the matrix of the last two axes of an array, at the given indexes of the other
// axes. An array with one axis or with one number is a matrix of one row.
func (a *Array) Matrix(indexes ...int) (Matrix, error) {
	shape, strides := a.Shape, a.strides()
	for len(shape) < 2 {
		shape, strides = append([]int{1}, shape...), append([]int{0}, strides...)
	}
	if slices.Contains(shape, 0) {
		return Matrix{}, a.wrapError(errors.New("has no numbers"))
	}
	if len(indexes) != len(shape)-2 {
		return Matrix{}, a.wrapError(fmt.Errorf("has %d axes", len(a.Shape)))
	}
	n := len(indexes)
	m := Matrix{Rows: shape[n], Columns: shape[n+1], array: a, rowStride: strides[n], columnStride: strides[n+1]}
	for i, k := range indexes {
		if k < 0 || k >= shape[i] {
			return Matrix{}, a.wrapError(fmt.Errorf("has no index %d on an axis of length %d", k, shape[i]))
		}
		m.offset += k * strides[i]
	}
	return m, nil
}

// MergeLastAxes returns the array with its last two axes merged into one axis. ok is false if the
// numbers of the two axes are not contiguous.
func (a *Array) MergeLastAxes() (*Array, bool) {
	n := len(a.Shape)
	if n < 2 || a.columnMajor {
		return nil, false
	}
	merged := *a
	merged.Shape = append(slices.Clone(a.Shape[:n-2]), a.Shape[n-2]*a.Shape[n-1])
	return &merged, true
}

// Transpose exchanges rows and columns.
func (m Matrix) Transpose() Matrix {
	m.Rows, m.Columns, m.rowStride, m.columnStride = m.Columns, m.Rows, m.columnStride, m.rowStride
	return m
}

// Submatrix returns rows [row, rowEnd) and columns [column, columnEnd).
func (m Matrix) Submatrix(row, rowEnd, column, columnEnd int) Matrix {
	if row < 0 || row > rowEnd || rowEnd > m.Rows || column < 0 || column > columnEnd || columnEnd > m.Columns {
		panic("tensor: Submatrix needs bounds within the matrix")
	}
	m.offset += row*m.rowStride + column*m.columnStride
	m.Rows, m.Columns = rowEnd-row, columnEnd-column
	return m
}

// wrapError adds the file and the name of the array to an error.
func (a *Array) wrapError(err error) error {
	return fmt.Errorf("%s: array %q: %w", a.File, a.Name, err)
}

// chunkSize is the number of bytes that are read at once.
const chunkSize = 1 << 20

var chunkPool = sync.Pool{New: func() any { return new([chunkSize]byte) }}

// Read reads the numbers of m into target in row-major order. The length of target must be Rows ×
// Columns. Read fails for NaN and, unless AllowInfinite is set, for infinite numbers; the error has
// the indexes of the number. Several goroutines may call Read at once.
func Read[T float32 | float64](m Matrix, target []T) error {
	if len(target) != m.Rows*m.Columns {
		panic("tensor: Read needs a target of Rows × Columns numbers")
	}
	file, err := m.array.open()
	if err == nil {
		buffer := chunkPool.Get().(*[chunkSize]byte)
		defer chunkPool.Put(buffer)
		r := &reader[T]{file, m.array, m.AllowInfinite, buffer[:]}
		err = r.readMatrix(m, target)
	}
	if err != nil {
		return m.array.wrapError(err)
	}
	return nil
}

// reader reads numbers of an array.
type reader[T float32 | float64] struct {
	file          io.ReaderAt
	array         *Array
	allowInfinite bool
	buffer        []byte
}

// readMatrix reads as many contiguous numbers at once as possible: the whole matrix, rows, or the
// columns of a transposed matrix.
func (r *reader[T]) readMatrix(m Matrix, target []T) error {
	if m.columnStride == 1 || m.Columns == 1 {
		if m.rowStride == m.Columns || m.Rows == 1 {
			return r.readContiguous(m.offset, target)
		}
		for i := range m.Rows {
			if err := r.readContiguous(m.offset+i*m.rowStride, target[i*m.Columns:(i+1)*m.Columns]); err != nil {
				return err
			}
		}
		return nil
	}
	column := make([]T, m.Rows)
	for j := range m.Columns {
		if err := r.readStrided(m.offset+j*m.columnStride, m.rowStride, column); err != nil {
			return err
		}
		for i, x := range column {
			target[i*m.Columns+j] = x
		}
	}
	return nil
}

// readStrided reads len(target) numbers with a constant distance, from position first on.
func (r *reader[T]) readStrided(first, stride int, target []T) error {
	if stride == 1 {
		return r.readContiguous(first, target)
	}
	for i := range target {
		if err := r.readContiguous(first+i*stride, target[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

// readContiguous reads len(target) successive numbers, from position first on.
func (r *reader[T]) readContiguous(first int, target []T) error {
	size := int(widths[r.array.Type] / 8)
	if size == 0 {
		return decode(r.array.Type, target[:1], nil) // the error that this type is not supported
	}
	for len(target) > 0 {
		n := min(len(target), chunkSize/size)
		bytes := r.buffer[:n*size]
		if _, err := r.file.ReadAt(bytes, int64(first)*int64(size)); err != nil {
			return fmt.Errorf("cannot be read: %w", err)
		}
		if r.array.bigEndian {
			for number := range slices.Chunk(bytes, size) {
				slices.Reverse(number)
			}
		}
		if err := decode(r.array.Type, target[:n], bytes); err != nil {
			return err
		}
		if err := r.refuseInfinite(first, target[:n]); err != nil {
			return err
		}
		first, target = first+n, target[n:]
	}
	return nil
}

// refuseInfinite returns an error for NaN, and for infinite numbers unless they are allowed.
func (r *reader[T]) refuseInfinite(first int, xs []T) error {
	var sum T
	for _, x := range xs {
		sum += T(x * 0) // 0, or NaN if x is infinite or NaN
	}
	areFinite := sum == 0
	if areFinite {
		return nil
	}
	for i, x := range xs {
		isNaN := x != x
		isFinite := x-x == 0
		if isNaN {
			return fmt.Errorf("has NaN at %v", r.array.indexes(first+i))
		}
		if !isFinite && !r.allowInfinite {
			return fmt.Errorf("has an infinite number at %v", r.array.indexes(first+i))
		}
	}
	return nil
}

// indexes returns the indexes of the number at a position among the numbers in the file.
func (a *Array) indexes(position int) []int {
	indexes := make([]int, len(a.Shape))
	for i := range a.Shape {
		axis := a.axis(i)
		indexes[axis] = position % a.Shape[axis]
		position /= a.Shape[axis]
	}
	return indexes
}
