package store

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"

	"mcsim/sim/moments"
)

// Missing lists what the cell lacks of the blocks from first up to end, in places of at most 2^level
// blocks.
func (s *Store) Missing(c Cell, first, end int64, level int) []moments.Place {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.places(s.origin.key(c)).Missing(first, end, level)
}

// places are those of a cell that the store has, in the file or not yet.
func (s *Store) places(k Key) moments.Places {
	var all moments.Places
	if h := s.held[k]; h != nil {
		all = h.places
	}
	if t := s.added[k]; t != nil {
		all = slices.Concat(all, t.Places())
		slices.SortFunc(all, moments.Place.Compare)
	}
	return all
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
	return h.places.Merged(first, end, func(i int) (moments.Node, error) { return s.node(h.spans[i]) })
}

// node reads a node from the file.
func (s *Store) node(at span) (moments.Node, error) {
	b, err := s.bytes(at)
	if err != nil {
		return moments.Node{}, err
	}
	return Entry{Encoded: b}.Decoded()
}

// bytes reads those of a node, which must be what they were when the record was written, or read.
func (s *Store) bytes(at span) ([]byte, error) {
	b := make([]byte, at.length)
	if _, err := s.file.ReadAt(b, at.at); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if maphash.Bytes(seed, b) != at.sum {
		return nil, fmt.Errorf("%s %w: somebody changed it while it was in use", s.path, ErrDamaged)
	}
	return b, nil
}

// seed is that of the sums of nodes in this process.
var seed = maphash.MakeSeed()

// spanOf is where the bytes of a node stand.
func spanOf(at int64, node []byte) span { return span{at, len(node), maphash.Bytes(seed, node)} }
