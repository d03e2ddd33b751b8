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
	k := s.origin.key(c)
	var all moments.BlockRanges
	if h := s.index[k]; h != nil {
		all = h.places
	}
	if t := s.added[k]; t != nil {
		all = slices.Concat(all, t.Ranges())
		slices.SortFunc(all, moments.BlockRange.Compare)
	}
	return all.Missing(first, end, level)
}

// Total merges the cell's first n blocks. See Span.
func (s *Store) Total(c CellID, n int64) (node moments.Node, ok bool, err error) {
	return s.Span(c, 0, n)
}

// Span merges the cell's blocks in [first, end). It flushes the store first. ok is false if some
// of the blocks are missing. If the file has changed since it was opened, the error names the cell
// and the file and wraps ErrDamaged or the error of the system.
func (s *Store) Span(c CellID, first, end int64) (node moments.Node, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.flush(); err != nil {
		return moments.Node{}, false, err
	}
	h := s.index[s.origin.key(c)]
	if h == nil {
		return moments.Node{}, false, nil
	}
	if node, ok, err = s.merge(h, first, end); err != nil {
		return moments.Node{}, false, s.readError(c, err)
	}
	return node, ok, nil
}

// readError says where an error of reading the cell's nodes came from.
func (s *Store) readError(c CellID, err error) error {
	if s.path == "" {
		return fmt.Errorf("cell %s: %w", c.ID, err)
	}
	return fmt.Errorf("cell %s: %s: %w", c.ID, s.path, err)
}

// merge merges the nodes of a cell in [first, end).
func (s *Store) merge(h *nodeIndex, first, end int64) (moments.Node, bool, error) {
	var sum []moments.Histogram // of whole numbers, which add up in any order
	r := &moments.Reader{HistogramSums: &sum}
	var b []byte
	n, ok, err := h.places.MergeNodes(first, end, func(i int) (moments.Node, error) {
		var err error
		if b, err = s.bytes(b, h.spans[i]); err != nil {
			return moments.Node{}, err
		}
		return decoded(b, r)
	})
	n.Histograms = sum
	return n, ok, err
}

// bytes reads a node's bytes into buffer, which grows if it is too small. A file that ends before
// them was changed after it was opened.
func (s *Store) bytes(buffer []byte, at span) ([]byte, error) {
	b := slices.Grow(buffer[:0], at.length)[:at.length]
	_, err := s.file.ReadAt(b, at.at)
	if errors.Is(err, io.EOF) {
		err = ErrDamaged
	}
	return b, err
}
