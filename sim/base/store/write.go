package store

import (
	"errors"
	"fmt"
	"maps"
	"os"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/replace"
)

// Add adds a node of the cell, which the store then owns. It fails if some of its blocks were
// added since the last Flush, or if the node does not count its units.
func (s *Store) Add(c CellID, r moments.BlockRange, n moments.Node) error {
	if !c.hasAllUnits(r, n) {
		return fmt.Errorf("cell %s: a node does not count what its %d blocks do", c.ID, r.Blocks())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.origin.newID(c)
	t := s.added[id]
	if t == nil {
		t = moments.NewTree()
		s.added[id] = t
	}
	if err := t.Add(r, n); err != nil {
		return fmt.Errorf("cell %s: %w", c.ID, err)
	}
	if s.pendingBytes += histogramBytes(n); s.pendingBytes > maxPending {
		return s.flush()
	}
	return nil
}

// maxPending is the number of bytes of unflushed nodes from which on Add flushes.
const maxPending = 16 << 20

// histogramBytes returns about the number of bytes of the histograms of a node; the rest is small.
func histogramBytes(n moments.Node) (bytes int) {
	for _, h := range n.Histograms {
		bytes += 8 * len(h.Counts)
	}
	return bytes
}

// Flush appends all added nodes to the file, where they outlive the process.
func (s *Store) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.flush()
}

func (s *Store) flush() error {
	for _, id := range sortIDs(maps.Keys(s.added)) {
		var entries []Entry
		withWindows := false // all nodes have windows or none
		for _, r := range s.added[id].Ranges() {
			n, _ := s.added[id].Node(r)
			entries, withWindows = append(entries, NewEntry(r, n)), withWindows || hasWindows(n)
		}
		if err := s.append(id, entries, withWindows); err != nil {
			return err
		}
		delete(s.added, id)
	}
	s.pendingBytes = 0
	if s.size < s.rewriteLimit {
		return nil
	}
	if err := s.rewrite(); err != nil {
		s.rewriteLimit = 2 * s.size // there is no room for a rewrite, but perhaps to go on
	}
	return nil
}

// append appends a record to the file.
func (s *Store) append(id ID, entries []Entry, withWindows bool) error {
	s.buffer = appendRecord(s.buffer[:0], id, entries)
	if _, err := s.file.WriteAt(s.buffer, s.size); err != nil {
		// what was written in part goes, and the records before it stay
		return errors.Join(replace.CannotWrite(s.path, err), s.file.Truncate(s.size))
	}
	s.addToIndex(id, entries, len(s.buffer), withWindows)
	s.dirty = true
	return nil
}

// Sync flushes and makes the disk keep the file.
func (s *Store) Sync() error {
	s.mu.Lock()
	err := s.flush()
	f := s.file
	s.mu.Unlock()
	if err != nil {
		return err
	}
	if err := f.Sync(); err != nil && !errors.Is(err, os.ErrClosed) { // a rewrite closed it, and synced the new file
		return replace.CannotWrite(s.path, err)
	}
	return nil
}
