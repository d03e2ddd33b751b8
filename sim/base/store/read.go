package store

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"mcsim/sim/base/moments"
)

// Missing returns the ranges of the cell's blocks in [first, end) that the store does not have,
// each of at most 2^level blocks.
func (s *Store) Missing(c CellID, first, end int64, level int) []moments.BlockRange {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.origin.newID(c)
	var existing moments.BlockRanges
	if idx := s.index[id]; idx != nil {
		existing = idx.ranges
	}
	if t := s.added[id]; t != nil {
		existing = slices.Concat(existing, t.Ranges())
		slices.SortFunc(existing, moments.BlockRange.Compare)
	}
	return existing.Missing(first, end, level)
}

// Total merges the cell's first n blocks, as MergeBlocks does.
func (s *Store) Total(c CellID, n int64) (node moments.Node, ok bool, err error) {
	return s.MergeBlocks(c, 0, n)
}

// MergeBlocks flushes the store and merges the cell's blocks in [first, end). ok is false if some
// of the blocks are missing. Errors name the cell and the file. If the file has changed since it
// was opened, the error may wrap ErrDamaged.
func (s *Store) MergeBlocks(c CellID, first, end int64) (node moments.Node, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.flush(); err != nil {
		return moments.Node{}, false, err
	}
	idx := s.index[s.origin.newID(c)]
	if idx == nil {
		return moments.Node{}, false, nil
	}
	node, ok, err = s.merge(idx, first, end)
	if err != nil {
		return moments.Node{}, false, s.readError(c, err)
	}
	return node, ok, nil
}

// readError adds the cell and the file to an error of reading nodes.
func (s *Store) readError(c CellID, err error) error {
	if s.path == "" {
		return fmt.Errorf("cell %s: %w", c.ID, err)
	}
	return fmt.Errorf("cell %s: %s: %w", c.ID, s.path, err)
}

// merge merges the nodes of a cell in [first, end).
func (s *Store) merge(idx *nodeIndex, first, end int64) (moments.Node, bool, error) {
	var sum []moments.Histogram // sums of integers, which do not depend on the order of addition
	r := &moments.Reader{HistogramSums: &sum}
	var b []byte
	var layout moments.Layout // those of the file may not be those of nodes that were added
	n, ok, err := idx.ranges.MergeNodes(first, end, func(i int) (moments.Node, error) {
		var err error
		b, err = s.bytes(b, idx.spans[i])
		if err != nil {
			return moments.Node{}, err
		}
		n, err := decodeNode(b, r)
		if err == nil && !layout.Accepts(n) {
			err = ErrDamaged
		}
		return n, err
	})
	n.Histograms = sum
	return n, ok, err
}

// bytes reads the bytes of a node into buffer, which grows if it is too small. It returns
// ErrDamaged if the file ends before them.
func (s *Store) bytes(buffer []byte, nodeSpan span) ([]byte, error) {
	b := slices.Grow(buffer[:0], nodeSpan.length)[:nodeSpan.length]
	_, err := s.file.ReadAt(b, nodeSpan.offset)
	if errors.Is(err, io.EOF) {
		err = ErrDamaged
	}
	return b, err
}
