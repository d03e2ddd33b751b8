// Package tensor reads arrays of numbers by name out of files that others wrote: .npy and .npz
// of NumPy, .safetensors, and an index of shards (model.safetensors.index.json). Nothing in a
// file is trusted: sizes are checked against what is there before anything is kept, and numbers
// are read where they stand, so that a file may be far larger than memory.
package tensor

// Files are the arrays of one or several files.
type Files struct{}

// Open reads what the files say of their arrays. A shard of an index is opened when an array
// of it is asked for, and must be there.
func Open(paths ...string) (*Files, error) { panic("tensor: soon") }

// Close closes the files.
func (f *Files) Close() error { panic("tensor: soon") }

// Names lists the arrays, sorted.
func (f *Files) Names() []string { panic("tensor: soon") }

// Lookup is the array of that name.
func (f *Files) Lookup(name string) (*Array, bool) { panic("tensor: soon") }

// Array is numbers of one type and shape in a file.
type Array struct {
	Name  string // in its file; of a .npy file the file's name without its ending
	File  string // the path it stands in
	Type  string // F64, F32, F16, BF16, I8 ..., U64, BOOL, F8_E4M3, ...
	Shape []int  // of one number empty
}

// Matrix is rows × columns of an array's numbers, wherever they stand in it.
type Matrix struct {
	Rows, Columns int

	of                              *Array
	offset, rowStride, columnStride int
}

// Matrix is the last two axes of an array at the given indexes of the axes before them; an
// array of one axis is one row.
func (a *Array) Matrix(at ...int) (Matrix, error) { panic("tensor: soon") }

// Transposed exchanges rows and columns.
func (m Matrix) Transposed() Matrix { panic("tensor: soon") }

// Part is the given rows and columns, of which the last are not among them.
func (m Matrix) Part(row, rowEnd, column, columnEnd int) Matrix { panic("tensor: soon") }

// Read reads the numbers, row by row, into to, which has Rows × Columns. NaN and infinities
// are refused, with their index in the array.
func Read[T float32 | float64](m Matrix, to []T) error { panic("tensor: soon") }
