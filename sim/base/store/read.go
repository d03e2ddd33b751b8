package store

import (
	"slices"

	"mcsim/sim/base/moments"
)

// Missing lists what the cell lacks of the blocks from first up to end, in places of at most 2^level
// blocks.
func (s *Store) Missing(c Cell, first, end int64, level int) []moments.Place {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.origin.key(c)
	var all moments.Places
	if h := s.held[k]; h != nil {
		all = h.places
	}
	if t := s.added[k]; t != nil {
		all = slices.Concat(all, t.Places())
		slices.SortFunc(all, moments.Place.Compare)
	}
	return all.Missing(first, end, level)
}

// Total merges the cell's first n blocks; false if they are not all there.
func (s *Store) Total(c Cell, n int64) (moments.Node, bool, error) { return s.Span(c, 0, n) }

// Span merges the cell's blocks from first up to end; false if they are not all there.
func (s *Store) Span(c Cell, first, end int64) (moments.Node, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.flush(); err != nil {
		return moments.Node{}, false, err
	}
	h := s.held[s.origin.key(c)]
	if h == nil {
		return moments.Node{}, false, nil
	}
	return s.total(h, first, end)
}

// total merges what is held of a cell from first up to end.
func (s *Store) total(h *held, first, end int64) (moments.Node, bool, error) {
	var sum []moments.Histogram // of whole numbers, which add up in any order
	r := &moments.Reader{Sum: &sum}
	var b []byte
	n, ok, err := h.places.Merged(first, end, func(i int) (moments.Node, error) {
		var err error
		if b, err = s.bytes(b, h.spans[i]); err != nil {
			return moments.Node{}, err
		}
		return decoded(b, r)
	})
	n.Histograms = sum
	return n, ok, err
}

// bytes reads those of a node, into a room where that is large enough.
func (s *Store) bytes(room []byte, at span) ([]byte, error) {
	b := slices.Grow(room[:0], at.length)[:at.length]
	_, err := s.file.ReadAt(b, at.at)
	return b, err
}
