package samples

import (
	"fmt"
	"slices"

	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
)

// arrayAxes says how the axes of an array are interpreted, and reads the heads of its texts.
type arrayAxes struct {
	array       *tensor.Array
	texts       int
	heads, rows int  // rows of a head
	columns     int  // columns of a head: d_k, or keys for logits and weights
	isSplit     bool // whether the last axis of the array holds the columns of all heads
}

// readAxes interprets the axes of an array. If heads is above 0, the last axis is split into that
// many heads. flag is the name of the flag that sets heads; errors mention it.
func readAxes(files *tensor.Files, name string, heads int, flag string) (l arrayAxes, err error) {
	a, err := files.Lookup(name)
	if err != nil {
		return l, err
	}
	l = arrayAxes{array: a, texts: 1, heads: 1}
	shape := a.Shape
	n := len(shape)
	switch {
	case a.IsWhole():
		return l, fmt.Errorf("%s holds whole numbers (%s), such as token ids or a mask: queries and keys, logits and "+
			"weights are float64, float32, float16 or bfloat16", a.Name, a.Type)
	case n < 2 || n > 4:
		return l, fmt.Errorf("%s has the shape %s; it needs rows × d_k, with heads before them, or texts and heads",
			a.Name, a.Dimensions())
	case slices.Contains(shape, 0):
		return l, fmt.Errorf("%s has the shape %s, and so no numbers", a.Name, a.Dimensions())
	case n == 4 && heads > 0 && shape[1] != heads:
		return l, fmt.Errorf("%s has the shape %s, and so %d heads on its second axis, not %d: leave out %s",
			a.Name, a.Dimensions(), shape[1], heads, flag)
	}
	l.rows, l.columns = shape[n-2], shape[n-1]
	l.isSplit = heads > 0 && n < 4
	switch {
	case l.isSplit && l.columns%heads != 0:
		return l, fmt.Errorf("%s has %d columns, which %d heads do not divide", a.Name, l.columns, heads)
	case l.isSplit:
		l.heads, l.columns = heads, l.columns/heads
		if n == 3 {
			l.texts = shape[0]
		}
	case n == 4:
		l.texts, l.heads = shape[0], shape[1]
	case n == 3:
		l.heads = shape[0]
	}
	return l, nil
}

// matrix returns one head of one text.
func (l arrayAxes) matrix(text, head int) (m tensor.Matrix, err error) {
	n := len(l.array.Shape)
	index := []int{text, head}[4-n:]
	if l.isSplit {
		index = []int{text}[:n-2]
	}
	m, err = l.array.Matrix(index...)
	if err == nil && l.isSplit {
		m = m.Submatrix(0, l.rows, head*l.columns, (head+1)*l.columns)
	}
	return m, err
}

// vectors reads the rows [start, end) of one head of one text.
func (l arrayAxes) vectors(text, head, start, end int) (inspect.Vectors, error) {
	m, err := l.matrix(text, head)
	if err != nil {
		return inspect.Vectors{}, err
	}
	m = m.Submatrix(start, end, 0, m.Columns)
	v := inspect.Vectors{Rows: m.Rows, Dimension: m.Columns, Data: make([]float64, m.Rows*m.Columns)}
	return v, tensor.Read(m, v.Data)
}
