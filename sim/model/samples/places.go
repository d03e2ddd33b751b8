package samples

import (
	"fmt"
	"maps"
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/model/inspect"
)

// A head of more numbers than maxNumbers is judged in blocks of rows, one after the other, so that
// memory has a bound: queries of a block meet only its keys. If every query meets every key a block
// has at maxRows blockRows.
// There are at least minBlocks, since the error of one text is the scatter between them.
const (
	maxNumbers = 1 << 22
	blockRows  = 4096
	minBlocks  = 8
)

// setBlocks sets the number of blocks that a head is judged in.
func (s *Samples) setBlocks(paired bool) error {
	rows, maxRows := max(s.Queries, s.Keys), maxNumbers/s.Dimension
	s.blocks = 1
	if rows <= maxRows {
		return nil
	}
	if !paired {
		maxRows = min(maxRows, blockRows)
	}
	s.blocks = max(minBlocks, (rows+maxRows-1)/maxRows)
	if few := min(s.Queries, s.Keys); few/s.blocks < 2 {
		return fmt.Errorf("there are %d queries and %d keys, too many to be kept: give as many of the one as of "+
			"the other",
			s.Queries, s.Keys)
	}
	return nil
}

// place is a block of rows of one head of one text.
type place struct {
	text, block, head int // the head of all layers
	layer             *sampled
}

// places returns all places, the heads of a block together.
func (s *Samples) places() (all []place) {
	for text := range s.Texts {
		for block := range s.blocks {
			for _, l := range s.layers {
				for head := range l.query.heads {
					all = append(all, place{text, block, l.first + head, l})
				}
			}
		}
	}
	return all
}

// headInLayer returns the number of the head in its layer.
func (p place) headInLayer() int { return p.head - p.layer.first }

// keyHead returns the head of keys that the head of queries meets.
func (p place) keyHead() int { return p.headInLayer() / (p.layer.query.heads / p.layer.key.heads) }

// headTitle names the head of a place.
func (p place) headTitle() string {
	if p.layer.title != "" {
		return fmt.Sprintf("layer %s, head %d", p.layer.title, p.headInLayer())
	}
	return fmt.Sprintf("head %d", p.headInLayer())
}

// rows returns the range of rows of a block, of count rows in all.
func (s *Samples) rows(block, count int) (start, end int) {
	return block * count / s.blocks, (block + 1) * count / s.blocks
}

// meeting is the queries and keys of a place, with their rows in the arrays, without rows of zeros,
// which are padding.
type meeting struct {
	place
	q, k                  inspect.Vectors
	queries, keys         []int
	zeroQueries, zeroKeys int
	empty                 bool // all queries or all keys are 0
}

// read reads the queries and keys of a place, against the given head of keys.
func (s *Samples) read(p place, keyHead int, o inspect.Options) (m meeting, err error) {
	m.place = p
	start, end := s.rows(p.block, s.Queries)
	if m.q, err = p.layer.query.vectors(p.text, p.headInLayer(), start, end); err != nil {
		return m, err
	}
	first, last := s.rows(p.block, s.Keys)
	if m.k, err = p.layer.key.vectors(p.text, keyHead, first, last); err != nil {
		return m, err
	}
	zeroQ, zeroK := zeroRows(m.q), zeroRows(m.k)
	if m.empty = len(zeroQ) == m.q.Rows || len(zeroK) == m.k.Rows; m.empty { // nothing would be left
		clear(zeroQ)
		clear(zeroK)
	}
	m.zeroQueries, m.zeroKeys = len(zeroQ), len(zeroK)
	if o.Paired || o.Causal { // what is left must stay in step
		maps.Copy(zeroQ, zeroK)
		zeroK = zeroQ
	}
	m.q, m.queries = dropRows(m.q, zeroQ, start)
	m.k, m.keys = dropRows(m.k, zeroK, first)
	if o.Length > 0 {
		normalise(m.q, o.Length)
		normalise(m.k, o.Length)
	}
	return m, nil
}

// zeroRows returns the rows whose components are all 0.
func zeroRows(v inspect.Vectors) map[int]bool {
	all := map[int]bool{}
	for i := range v.Rows {
		if elementary.SumOfSquares(v.Row(i)) == 0 {
			all[i] = true
		}
	}
	return all
}

// dropRows returns the vectors without some rows, and the numbers of the rest, counted from first.
func dropRows(v inspect.Vectors, omitted map[int]bool, first int) (inspect.Vectors, []int) {
	out := inspect.Vectors{Dimension: v.Dimension, Data: v.Data[:0]}
	left := make([]int, 0, v.Rows)
	for i := range v.Rows {
		if !omitted[i] {
			out.Data = append(out.Data, v.Row(i)...)
			left = append(left, first+i)
		}
	}
	out.Rows = len(left)
	return out, left
}

// normalise scales rows to a length.
func normalise(v inspect.Vectors, length float64) {
	for i := range v.Rows {
		row := v.Row(i)
		if size := math.Sqrt(elementary.SumOfSquares(row)); size > 0 {
			for c := range row {
				row[c] *= length / size
			}
		}
	}
}

// Count returns the number of places that Measure judges, for pairs or for every query with every key.
func (s *Samples) Count(paired bool) (int, error) {
	err := s.setBlocks(paired)
	n := s.Texts * s.Heads * s.blocks
	if err == nil && n > maxParts {
		err = fmt.Errorf("%s has %d heads of texts; at maxRows %d are judged", s.QueryName, n, maxParts)
	}
	return n, err
}

// maxParts bounds what is kept of parts, a kilobyte and a half each.
const maxParts = 1 << 17
