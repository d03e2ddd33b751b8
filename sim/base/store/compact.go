package store

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"slices"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/replace"
)

// A file grows by a record for each cell and Flush, many of which become one node when they are merged.
// It is rewritten when it has at least minRewriteSize bytes and growth times its size after the last
// rewrite.
const (
	growth         = 3
	minRewriteSize = 128 << 20
)

// rewriteSize returns the size at which a file that has the given size after a rewrite is
// rewritten again.
func rewriteSize(size int64) int64 { return max(growth*size, minRewriteSize) }

// Compact rewrites the file if something was added to it: cells in their order, and the nodes of
// each merged as far as the grid of sample sizes allows. The same nodes then give the same bytes,
// whoever sampled them in whatever order.
func (s *Store) Compact() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.flush(); err != nil || !s.dirty {
		return err
	}
	return s.rewrite()
}

// rewrite writes a new file in place of the old one, or creates it. If it fails, the old file and
// the index stay.
func (s *Store) rewrite() error {
	rewritten := &Store{index: map[ID]*nodeIndex{}}
	f, err := s.replaced(func(w io.Writer) error { return s.write(w, rewritten) })
	if f != nil {
		s.file = f
	}
	if err == nil {
		s.index, s.size, s.compact, s.dirty = rewritten.index, rewritten.size, rewriteSize(rewritten.size), false
	}
	return err
}

// replaced puts a new file, which is synced, in place of the store's and opens it.
func (s *Store) replaced(write func(io.Writer) error) (file, error) {
	if s.path == "" {
		var b bytes.Buffer
		err := write(&b)
		return &memory{b.Bytes()}, err
	}
	var set replace.Set
	if err := set.Add(s.path, write); err != nil {
		return nil, err
	}
	if s.file != nil {
		s.file.Close() // it was read; some systems let no other take the place of one that is open
	}
	err := set.Commit()
	f, _, opening := open(s.path, os.O_RDWR)
	if f == nil {
		return nil, errors.Join(err, opening)
	}
	return f, err
}

// write writes all nodes of the index to w, and adds the position of each to the index of rewritten.
func (s *Store) write(w io.Writer, rewritten *Store) error {
	n, err := io.WriteString(w, header)
	rewritten.size = int64(n)
	for _, k := range sorted(maps.Keys(s.index)) {
		if err != nil {
			return err
		}
		h := s.index[k]
		entries, failed := s.merged(k.CellID, h)
		if failed != nil {
			return failed
		}
		s.buffer = appendRecord(s.buffer[:0], k, entries)
		_, err = w.Write(s.buffer)
		rewritten.addToIndex(k, entries, len(s.buffer), h.hasWindows)
	}
	return err
}

// merged returns a cell's nodes in the order of their ranges, siblings merged as far as the grid
// of sample sizes allows. It makes one node at a time, from parts that it reads as they are
// needed.
func (s *Store) merged(c CellID, h *nodeIndex) (entries []Entry, err error) {
	for _, at := range h.mergedPlaces() {
		n, _, err := s.merge(h, at.First(), at.End())
		if err != nil {
			return nil, s.readError(c, err)
		}
		entries = append(entries, NewEntry(at, n))
	}
	return entries, nil
}

// mergedPlaces returns the ranges that are left after siblings are replaced by their parent if the
// merge rule allows it, the shortest first. Some may lie inside longer ones, if a plan asked for
// ranges that end between two grid sizes; their node is dropped if it is there.
func (h *nodeIndex) mergedPlaces() moments.BlockRanges {
	joins, left := h.joins(), map[moments.BlockRange]bool{}
	var levels [64][]moments.BlockRange
	for _, at := range h.places {
		left[at], levels[at.Level] = true, append(levels[at.Level], at)
	}
	for level := range levels {
		for _, at := range levels[level] {
			parent := at.Parent()
			first, second := parent.Halves()
			if !left[first] || !left[second] || !joins(parent) {
				continue
			}
			if !left[parent] {
				left[parent], levels[level+1] = true, append(levels[level+1], parent)
			}
			delete(left, first)
			delete(left, second)
		}
	}
	return slices.SortedFunc(maps.Keys(left), moments.BlockRange.Compare)
}

// joins says which nodes are merged. Nodes with windows are a thousand times as large, and where these lie depends on
// the octave that the plan's samples lie in: of lower octaves no plan wants the parts.
func (h *nodeIndex) joins() func(parent moments.BlockRange) bool {
	end := int64(0)
	for _, at := range h.places {
		end = max(end, at.End())
	}
	return func(parent moments.BlockRange) bool {
		return parent.IsBetweenGridSizes() || h.hasWindows && parent.End() <= end/2
	}
}

// hasWindows reports whether a node has windows of fine bins.
func hasWindows(n moments.Node) bool {
	return slices.ContainsFunc(n.Histograms, func(h moments.Histogram) bool { return len(h.Windows) > 0 })
}

// canMerge reports whether two nodes could be merged.
func (h *nodeIndex) canMerge() bool {
	joins := h.joins()
	for _, at := range h.places {
		first, second := at.Parent().Halves()
		if _, other := h.places.Find(second); other && at == first && joins(at.Parent()) {
			return true
		}
	}
	return false
}

// Take adds all nodes of a store of the same origin. They replace nodes of the same ranges.
func (s *Store) Take(from *Store) error {
	from.mu.Lock()
	defer from.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := errors.Join(from.flush(), s.flush()); err != nil {
		return err
	}
	for _, k := range sorted(maps.Keys(from.index)) {
		h := from.index[k]
		var entries []Entry
		for i, at := range h.places {
			b, err := from.bytes(nil, h.spans[i])
			if err != nil {
				return from.readError(k.CellID, err)
			}
			entries = append(entries, Entry{At: at, Node: b})
		}
		if err := s.append(k, entries, h.hasWindows); err != nil {
			return err
		}
	}
	return nil
}

// Of returns a predicate of keys: whether the key is that of one of the cells under the store's
// origin.
func (s *Store) Of(cells []CellID) func(ID) bool {
	keys := map[ID]bool{}
	for _, c := range cells {
		keys[s.origin.key(c)] = true
	}
	return func(k ID) bool { return keys[k] }
}

// Drop forgets the nodes whose keys drop selects, and returns by how many bytes that shortens the
// file.
func (s *Store) Drop(drop func(ID) bool) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.flush(); err != nil {
		return 0, err
	}
	size, keys := s.size, len(s.index)
	maps.DeleteFunc(s.index, func(k ID, _ *nodeIndex) bool { return drop(k) })
	if len(s.index) == keys {
		return 0, nil
	}
	err := s.rewrite()
	return size - s.size, err
}
