// Package replay draws single rows of a cell again: a query and its keys, component by
// component, from the stream that the experiment drew them from. Row i of a cell is the
// one that the experiment drew as its i-th, counting from 0, so that whoever looks at a
// row looks at one that was measured.
//
// [Alone] gives one row, [Open] a [Reader] of many, [Row] their scores and how these grow with
// the number of components, and [Ask] what softmax makes of a row under every scaling.
package replay

import (
	"fmt"

	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
)

// Reader draws the rows of a cell again, as they were drawn: sixteen at a time, one in
// each lane, or sixteen matrices whose queries share their keys. It goes on where it is,
// so that rows in their order cost what they cost the experiment.
type Reader struct {
	// Pause is called after every vector of the sixteen, if it is set; where it says false
	// the row is given up.
	Pause func() bool

	cell          stream.Cell
	vectors       func(*stream.Lanes, [][kernel.Width]float32)
	d, width      int   // components of a vector, and keys of a row
	units, matrix int64 // rows of a block, and those that share their keys
	shared        bool
	alignment     float64 // of the first key with its query, 0 for none

	lanes         stream.Lanes
	block, sheet  int64 // where what is held was drawn: block, and sheet of it
	queries, keys [][kernel.Width]float32
}

// Open returns a reader of the rows that the cell draws under the seed, at the attempt.
// It refuses a cell without such rows, and one whose keys are not held whole.
func Open(seed, attempt uint64, c experiment.Cell) (*Reader, error) {
	if c.Experiment.Unit != names.UnitRow || c.Dimension() == 0 {
		return nil, fmt.Errorf("%s draws no rows of queries and keys", c.Experiment.Name)
	}
	keys, d := rows.Keys(c), c.Dimension()
	if rows.ChunkSize(c, keys) < d {
		return nil, fmt.Errorf("%d keys of %d components are %d numbers; rows of at most %d are drawn again", keys, d,
			keys*d, rows.MaxHeldComponents)
	}
	r := &Reader{cell: stream.Open(stream.ID{Seed: seed, Cell: c.ID, Attempt: attempt}),
		vectors: kernel.Vectors(c.Distribution()),
		d:       d, width: keys, units: c.BlockUnits(), matrix: rows.MatrixRows(c), shared: rows.SharesKeys(c),
		alignment: c.Value(names.ParamRho).Number, block: -1}
	r.queries = make([][kernel.Width]float32, int(r.matrix)*d)
	r.keys = make([][kernel.Width]float32, keys*d)
	return r, nil
}

// Alone draws row i of a cell and nothing else of its lane's sixteen: what a reader draws
// in a sixteenth of the time, for whoever wants one row.
func Alone(seed, attempt uint64, c experiment.Cell, i int64) (Row, error) {
	r, err := Open(seed, attempt, c)
	if err != nil {
		return Row{}, err
	}
	draw := kernel.Vector(c.Distribution())
	r.vectors = func(s *stream.Lanes, dst [][kernel.Width]float32) { draw(s, r.lane(i), dst) }
	row, _ := r.Row(i)
	return row, nil
}

// lane returns the lane of a row.
func (r *Reader) lane(i int64) int { return int(i % r.units % kernel.Width) }

// Row returns row i, counting from 0; false if it was given up.
func (r *Reader) Row(i int64) (row Row, ok bool) {
	block, within := i/r.units, i%r.units
	sheet := within / (kernel.Width * r.matrix)
	if !r.seek(block, sheet) {
		return row, false
	}
	query, lane := int(within/kernel.Width%r.matrix), r.lane(i)
	row.Alignment = r.alignment
	row.Query = vector(r.queries[query*r.d:][:r.d], lane)
	for j := range r.width {
		row.Keys = append(row.Keys, vector(r.keys[j*r.d:][:r.d], lane))
	}
	return row, true
}

// seek draws on until the sheet is held, from the start of its block if it lies behind.
func (r *Reader) seek(block, sheet int64) bool {
	if r.block != block || r.sheet > sheet {
		r.cell.Block(&r.lanes, uint64(block))
		r.block, r.sheet = block, -1
	}
	first, then := r.queries, r.keys
	if r.shared { // the keys that queries share are drawn before them
		first, then = then, first
	}
	for ; r.sheet < sheet; r.sheet++ {
		if !r.fill(first) || !r.fill(then) {
			r.block = -1 // and what is held is of no use
			return false
		}
	}
	return true
}

// fill draws vectors one after the other.
func (r *Reader) fill(vectors [][kernel.Width]float32) bool {
	for first := 0; first < len(vectors); first += r.d {
		r.vectors(&r.lanes, vectors[first:][:r.d])
		if r.Pause != nil && !r.Pause() {
			return false
		}
	}
	return true
}

// vector returns what one lane has of a vector of all.
func vector(vectors [][kernel.Width]float32, lane int) []float32 {
	x := make([]float32, len(vectors))
	for t := range vectors {
		x[t] = vectors[t][lane]
	}
	return x
}
