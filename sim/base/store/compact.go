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

// Every Flush appends a record for each cell to the file. Merging makes one node of the nodes of
// many records. The file is rewritten when it has at least minRewriteSize bytes and is maxGrowth
// times as large as after the last rewrite.
const (
	maxGrowth      = 3
	minRewriteSize = 128 << 20
)

// rewriteSize returns the size at which a file is rewritten, given its size after the last
// rewrite.
func rewriteSize(size int64) int64 { return max(maxGrowth*size, minRewriteSize) }

// Compact rewrites the file if nodes were added to it. The new file has the cells in order, with
// the nodes of each cell merged as far as the grid of sample sizes allows. The same nodes then give
// the same bytes, whatever the order in which they were added.
func (s *Store) Compact() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.flush(); err != nil || !s.dirty {
		return err
	}
	return s.rewrite()
}

// rewrite replaces the file by a compacted one, or creates it. If it fails, the old file and its
// index are kept.
func (s *Store) rewrite() error {
	rewritten := &Store{index: map[ID]*nodeIndex{}}
	f, err := s.replaceFile(func(w io.Writer) error { return s.write(w, rewritten) })
	if f != nil {
		s.file = f
	}
	if err == nil {
		s.index, s.size, s.rewriteLimit, s.dirty = rewritten.index, rewritten.size, rewriteSize(rewritten.size), false
	}
	return err
}

// replaceFile replaces the store's file by a new one, syncs it and opens it.
func (s *Store) replaceFile(write func(io.Writer) error) (file, error) {
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
		s.file.Close() // some systems do not replace an open file
	}
	err := set.Commit()
	f, _, openErr := open(s.path, os.O_RDWR)
	if f == nil {
		return nil, errors.Join(err, openErr)
	}
	return f, err
}

// write writes all nodes of the index to w, and adds their positions to the index of rewritten.
func (s *Store) write(w io.Writer, rewritten *Store) error {
	n, err := io.WriteString(w, header)
	rewritten.size = int64(n)
	for _, id := range sortIDs(maps.Keys(s.index)) {
		if err != nil {
			return err
		}
		idx := s.index[id]
		entries, mergeErr := s.mergeSiblings(id.CellID, idx)
		if mergeErr != nil {
			return mergeErr
		}
		s.buffer = appendRecord(s.buffer[:0], id, entries)
		_, err = w.Write(s.buffer)
		rewritten.addToIndex(id, entries, len(s.buffer), idx.hasWindows)
	}
	return err
}

// mergeSiblings returns the nodes of a cell for mergedRanges, in order. It reads and merges the
// nodes of one range at a time.
func (s *Store) mergeSiblings(c CellID, idx *nodeIndex) (entries []Entry, err error) {
	for _, r := range idx.mergedRanges() {
		n, _, err := s.merge(idx, r.First(), r.End())
		if err != nil {
			return nil, s.readError(c, err)
		}
		entries = append(entries, NewEntry(r, n))
	}
	return entries, nil
}

// mergedRanges returns, in order, the ranges that remain after siblings were replaced by their
// parents as far as canMergeInto allows. A range may lie inside a longer one if a plan required
// blocks up to a number between two sizes of the grid.
func (idx *nodeIndex) mergedRanges() moments.BlockRanges {
	end, kept := idx.end(), map[moments.BlockRange]bool{}
	var levels [64][]moments.BlockRange
	for _, r := range idx.ranges {
		kept[r] = true
		levels[r.Level] = append(levels[r.Level], r)
	}
	for level := range levels {
		for _, r := range levels[level] {
			parent := r.Parent()
			first, second := parent.Halves()
			if !kept[first] || !kept[second] || !idx.canMergeInto(parent, end) {
				continue
			}
			if !kept[parent] {
				kept[parent] = true
				levels[level+1] = append(levels[level+1], parent)
			}
			delete(kept, first)
			delete(kept, second)
		}
	}
	return slices.SortedFunc(maps.Keys(kept), moments.BlockRange.Compare)
}

// canMergeInto reports whether the halves of parent may be merged. end is the end of the cell's
// ranges. Nodes with windows are a thousand times as large as others, so they are also merged over
// sizes of the grid in lower octaves. No plan needs their parts, since windows depend on the octave
// of the plan's sample size.
func (idx *nodeIndex) canMergeInto(parent moments.BlockRange, end int64) bool {
	return parent.IsBetweenGridSizes() || idx.hasWindows && parent.End() <= end/2
}

// end returns the largest end of a range, or 0 if there are no ranges.
func (idx *nodeIndex) end() int64 {
	end := int64(0)
	for _, r := range idx.ranges {
		end = max(end, r.End())
	}
	return end
}

// hasWindows reports whether a histogram of the node has windows of fine bins.
func hasWindows(n moments.Node) bool {
	return slices.ContainsFunc(n.Histograms, func(h moments.Histogram) bool { return len(h.Windows) > 0 })
}

// canMerge reports whether two nodes of the cell may be merged.
func (idx *nodeIndex) canMerge() bool {
	end := idx.end()
	for _, r := range idx.ranges {
		first, second := r.Parent().Halves()
		_, hasSibling := idx.ranges.Find(second)
		if hasSibling && r == first && idx.canMergeInto(r.Parent(), end) {
			return true
		}
	}
	return false
}

// CopyFrom adds all nodes of a store with the same origin. They replace nodes with the same ranges.
func (s *Store) CopyFrom(source *Store) error {
	source.mu.Lock()
	defer source.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := errors.Join(source.flush(), s.flush()); err != nil {
		return err
	}
	for _, id := range sortIDs(maps.Keys(source.index)) {
		idx := source.index[id]
		var entries []Entry
		for i, r := range idx.ranges {
			b, err := source.bytes(nil, idx.spans[i])
			if err != nil {
				return source.readError(id.CellID, err)
			}
			entries = append(entries, Entry{Range: r, Node: b})
		}
		if err := s.append(id, entries, idx.hasWindows); err != nil {
			return err
		}
	}
	return nil
}

// CellSelector returns a function that reports whether an ID is the ID of one of the cells under
// the store's origin.
func (s *Store) CellSelector(cells []CellID) func(ID) bool {
	ids := map[ID]bool{}
	for _, c := range cells {
		ids[s.origin.newID(c)] = true
	}
	return func(id ID) bool { return ids[id] }
}

// Drop removes the nodes for whose IDs isDropped is true. It rewrites the file and returns how many
// bytes shorter the file is.
func (s *Store) Drop(isDropped func(ID) bool) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.flush(); err != nil {
		return 0, err
	}
	size, count := s.size, len(s.index)
	maps.DeleteFunc(s.index, func(id ID, _ *nodeIndex) bool { return isDropped(id) })
	if len(s.index) == count {
		return 0, nil
	}
	err := s.rewrite()
	return size - s.size, err
}
