// Package replay samples single rows of a cell again. A row is a query and its keys; it is sampled
// from the same stream as in the experiment. Row i of a cell, counted from 0, is the i-th row of
// the experiment, so a row that is shown is one that was measured.
//
// [SampleRow] returns one row, and [Open] a [Reader] of many rows. A [Row] has scores, and partial
// scores, which are sums over a growing number of components. [Ask] returns the softmax of a row
// under every scaling.
package replay

import (
	"fmt"

	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
)

// Reader samples the rows of a cell again. Like the experiment, it samples them in groups: sixteen
// rows, one in each lane, or sixteen matrices whose queries share their keys. It continues after
// the current group, so that reading rows in ascending order takes as long as the experiment.
type Reader struct {
	// Continue is called after each vector is sampled, if it is not nil. If it returns false, Row
	// stops.
	Continue func() bool

	cell                  stream.Cell
	sampleVectors         func(*stream.Lanes, [][kernel.Width]float32)
	d, keyCount           int   // number of components of a vector, and of keys of a row
	blockRows, matrixRows int64 // number of rows of a block, and of a matrix
	sharesKeys            bool
	alignment             float64 // correlation of the first key with its query; 0 if they are independent

	lanes         stream.Lanes            // the stream after the current group
	block, group  int64                   // the current group: its block, and its index in the block
	queries, keys [][kernel.Width]float32 // of the current group
}

// Open returns a reader of the rows that the cell samples with the given seed and attempt. It
// returns an error if the cell does not have rows of queries and keys, or if the keys of its rows
// are too large to be in memory together.
func Open(seed, attempt uint64, c experiment.Cell) (*Reader, error) {
	if c.Experiment.Unit != names.UnitRow || c.Dimension() == 0 {
		return nil, fmt.Errorf("%s has no rows of queries and keys", c.Experiment.Name)
	}
	keys, d := rows.Keys(c), c.Dimension()
	if rows.ChunkSize(c, keys) < d {
		return nil, fmt.Errorf("%d keys of %d components are %d numbers; rows can be sampled again if they have "+
			"at most %d", keys, d, keys*d, rows.MaxHeldComponents)
	}
	r := &Reader{
		cell:          stream.Open(stream.ID{Seed: seed, Cell: c.ID, Attempt: attempt}),
		sampleVectors: kernel.Vectors(c.Distribution()),
		d:             d,
		keyCount:      keys,
		blockRows:     c.BlockUnits(),
		matrixRows:    rows.MatrixRows(c),
		sharesKeys:    rows.SharesKeys(c),
		alignment:     c.Value(names.ParamRho).Number,
		block:         noBlock,
	}
	r.queries = make([][kernel.Width]float32, int(r.matrixRows)*d)
	r.keys = make([][kernel.Width]float32, keys*d)
	return r, nil
}

// noBlock is the block of a reader without a current group.
const noBlock = -1

// SampleRow samples row i of a cell, counted from 0. It samples only the lane of the row, which
// takes a sixteenth of the time of a Reader. It returns the same errors as [Open].
func SampleRow(seed, attempt uint64, c experiment.Cell, i int64) (Row, error) {
	r, err := Open(seed, attempt, c)
	if err != nil {
		return Row{}, err
	}
	sampleVector := kernel.Vector(c.Distribution())
	r.sampleVectors = func(s *stream.Lanes, dst [][kernel.Width]float32) { sampleVector(s, r.laneOf(i), dst) }
	row, _ := r.Row(i)
	return row, nil
}

// laneOf returns the lane of a row.
func (r *Reader) laneOf(i int64) int { return int(i % r.blockRows % kernel.Width) }

// Row returns row i, counted from 0. ok is false if Continue has returned false.
func (r *Reader) Row(i int64) (row Row, ok bool) {
	block, offset := i/r.blockRows, i%r.blockRows
	group := offset / (kernel.Width * r.matrixRows)
	if !r.seek(block, group) {
		return row, false
	}
	query, lane := int(offset/kernel.Width%r.matrixRows), r.laneOf(i)
	row.Alignment = r.alignment
	row.Query = extractLane(r.queries[query*r.d:][:r.d], lane)
	for j := range r.keyCount {
		row.Keys = append(row.Keys, extractLane(r.keys[j*r.d:][:r.d], lane))
	}
	return row, true
}

// seek samples groups until the given group is the current one. It begins at the start of the block
// if the current group is in another block or after the given one. It returns false if Continue has
// returned false.
func (r *Reader) seek(block, group int64) bool {
	if r.block != block || r.group > group {
		r.cell.Block(&r.lanes, uint64(block))
		r.block, r.group = block, -1
	}
	first, second := r.queries, r.keys
	if r.sharesKeys { // the experiment samples shared keys before their queries
		first, second = second, first
	}
	for ; r.group < group; r.group++ {
		if !r.sampleAll(first) || !r.sampleAll(second) {
			r.block = noBlock // queries and keys are incomplete
			return false
		}
	}
	return true
}

// sampleAll samples the vectors one after the other. It returns false if Continue has returned
// false.
func (r *Reader) sampleAll(vectors [][kernel.Width]float32) bool {
	for first := 0; first < len(vectors); first += r.d {
		r.sampleVectors(&r.lanes, vectors[first:][:r.d])
		if r.Continue != nil && !r.Continue() {
			return false
		}
	}
	return true
}

func extractLane(vectors [][kernel.Width]float32, lane int) []float32 {
	x := make([]float32, len(vectors))
	for t := range vectors {
		x[t] = vectors[t][lane]
	}
	return x
}
