package samples

import (
	"fmt"
	"maps"
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/model/inspect"
)

// A head of more than maxNumbers numbers is divided into blocks of consecutive rows, to limit
// memory. Queries of a block are multiplied only with keys of the same block.
const (
	maxNumbers   = 1 << 22
	maxBlockRows = 4096 // largest number of rows of a block if every query is multiplied with every key
	minBlocks    = 8    // smallest number of blocks, if any: errors come from the scatter between blocks
)

// setBlocks sets the number of blocks into which a head is divided.
func (s *Samples) setBlocks(paired bool) error {
	rows, maxRows := max(s.Queries, s.Keys), maxNumbers/s.Dimension
	s.blocks = 1
	if rows <= maxRows {
		return nil
	}
	if !paired {
		maxRows = min(maxRows, maxBlockRows)
	}
	s.blocks = max(minBlocks, (rows+maxRows-1)/maxRows)
	if shorter := min(s.Queries, s.Keys); shorter/s.blocks < 2 {
		return fmt.Errorf("there are %d queries and %d keys, too many for memory: give equal numbers of both",
			s.Queries, s.Keys)
	}
	return nil
}

// headBlock is a block of rows of one head of one text.
type headBlock struct {
	text, block, head int // indexes; head is counted over all layers
	layer             *sampledLayer
}

// headBlocks returns all blocks of all texts and heads. The blocks with the same text and block
// index are consecutive, in the order of the heads.
func (s *Samples) headBlocks() (blocks []headBlock) {
	for text := range s.Texts {
		for block := range s.blocks {
			for _, l := range s.layers {
				for head := range l.query.heads {
					blocks = append(blocks, headBlock{text, block, l.firstHead + head, l})
				}
			}
		}
	}
	return blocks
}

// headInLayer returns the index of the head in its layer.
func (b headBlock) headInLayer() int { return b.head - b.layer.firstHead }

// keyHead returns the head of keys whose keys the queries of this head are multiplied with, as an
// index in the layer.
func (b headBlock) keyHead() int { return b.headInLayer() / (b.layer.query.heads / b.layer.key.heads) }

// headTitle returns the name of the head in messages.
func (b headBlock) headTitle() string {
	if b.layer.title != "" {
		return fmt.Sprintf("layer %s, head %d", b.layer.title, b.headInLayer())
	}
	return fmt.Sprintf("head %d", b.headInLayer())
}

// rowRange returns the range [start, end) of rows that a block has of a total of count rows.
func (s *Samples) rowRange(block, count int) (start, end int) {
	return block * count / s.blocks, (block + 1) * count / s.blocks
}

// blockVectors holds the queries and keys of a block and their row numbers in the arrays. Rows of
// zeros, which are padding, are omitted.
type blockVectors struct {
	headBlock
	q, k                  inspect.Vectors
	queries, keys         []int // row numbers of q and k in the arrays
	zeroQueries, zeroKeys int   // numbers of omitted rows of zeros
	isZero                bool  // whether all queries or all keys are 0; then no rows are omitted
}

// readBlock reads the queries and keys of a block, with the given head of keys.
func (s *Samples) readBlock(block headBlock, keyHead int, o inspect.Options) (vectors blockVectors, err error) {
	vectors.headBlock = block
	start, end := s.rowRange(block.block, s.Queries)
	if vectors.q, err = block.layer.query.vectors(block.text, block.headInLayer(), start, end); err != nil {
		return vectors, err
	}
	first, last := s.rowRange(block.block, s.Keys)
	if vectors.k, err = block.layer.key.vectors(block.text, keyHead, first, last); err != nil {
		return vectors, err
	}
	zeroQueries, zeroKeys := findZeroRows(vectors.q), findZeroRows(vectors.k)
	vectors.isZero = len(zeroQueries) == vectors.q.Rows || len(zeroKeys) == vectors.k.Rows
	if vectors.isZero {
		clear(zeroQueries)
		clear(zeroKeys)
	}
	vectors.zeroQueries, vectors.zeroKeys = len(zeroQueries), len(zeroKeys)
	if o.Paired || o.Causal { // query i and key i belong together, so both are omitted or neither
		maps.Copy(zeroQueries, zeroKeys)
		zeroKeys = zeroQueries
	}
	vectors.q, vectors.queries = dropRows(vectors.q, zeroQueries, start)
	vectors.k, vectors.keys = dropRows(vectors.k, zeroKeys, first)
	if o.Length > 0 {
		normalise(vectors.q, o.Length)
		normalise(vectors.k, o.Length)
	}
	return vectors, nil
}

// findZeroRows returns the rows whose components are all 0.
func findZeroRows(v inspect.Vectors) map[int]bool {
	zeros := map[int]bool{}
	for i := range v.Rows {
		if elementary.SumOfSquares(v.Row(i)) == 0 {
			zeros[i] = true
		}
	}
	return zeros
}

// dropRows returns the vectors without the omitted rows, and the row numbers of the remaining rows
// in the array, where the first row of v has the number first.
func dropRows(v inspect.Vectors, omitted map[int]bool, first int) (inspect.Vectors, []int) {
	kept := inspect.Vectors{Dimension: v.Dimension, Data: v.Data[:0]}
	indexes := make([]int, 0, v.Rows)
	for i := range v.Rows {
		if !omitted[i] {
			kept.Data = append(kept.Data, v.Row(i)...)
			indexes = append(indexes, first+i)
		}
	}
	kept.Rows = len(indexes)
	return kept, indexes
}

// normalise multiplies each row in place so that it has the given length.
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

// CountBlocks returns the number of blocks that Measure reads. paired says whether query i is
// multiplied only with key i.
func (s *Samples) CountBlocks(paired bool) (int, error) {
	err := s.setBlocks(paired)
	n := s.Texts * s.Heads * s.blocks
	if err == nil && n > maxHeadBlocks {
		err = fmt.Errorf("%s has %d heads of texts; at most %d are judged", s.QueryName, n, maxHeadBlocks)
	}
	return n, err
}

// maxHeadBlocks bounds the number of measured blocks, since each needs 1.5 kB of memory.
const maxHeadBlocks = 1 << 17
