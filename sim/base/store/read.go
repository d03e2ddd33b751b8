package store

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"mcsim/sim/base/moments"
)

// Missing returns the block ranges in [first, end) that the store does not hold, each at most
// 2^level blocks long.
func (s *Store) Missing(c CellID, first, end int64, level int) []moments.BlockRange {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.origin.newID(c)
	var held moments.BlockRanges
	if idx := s.index[id]; idx != nil {
		held = idx.ranges
	}
	if t := s.added[id]; t != nil {
		held = slices.Concat(held, t.Ranges())
		slices.SortFunc(held, moments.BlockRange.Compare)
	}
	return held.Missing(first, end, level)
}

// Total merges the cell's first n blocks. See MergeBlocks.
func (s *Store) Total(c CellID, n int64) (node moments.Node, ok bool, err error) {
	return s.MergeBlocks(c, 0, n)
}

// MergeBlocks merges the cell's blocks in [first, end). It flushes the store first. ok is false if
// some of the blocks are missing. If the file has changed since it was opened, the error names the
// cell and the file and wraps ErrDamaged or the error of the system.
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
	var sum []moments.Histogram // integers, so that the order of addition does not matter
	r := &moments.Reader{HistogramSums: &sum}
	var b []byte
	n, ok, err := idx.ranges.MergeNodes(first, end, func(i int) (moments.Node, error) {
		var err error
		b, err = s.bytes(b, idx.spans[i])
		if err != nil {
			return moments.Node{}, err
		}
		return decodeNode(b, r)
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
