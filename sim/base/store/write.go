package store

import (
	"errors"
	"fmt"
	"maps"
	"os"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/replace"
)

// Add adds a node of the cell, which the store then owns. It fails if one of the blocks in r was
// already added since the last Flush, or if the number of units of the node is wrong.
func (s *Store) Add(c CellID, r moments.BlockRange, n moments.Node) error {
	if !c.hasAllUnits(r, n) {
		return fmt.Errorf("cell %s: a node has another number of units than its %d blocks", c.ID, r.Blocks())
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
	s.pendingBytes += histogramBytes(n)
	if s.pendingBytes > maxPending {
		return s.flush()
	}
	return nil
}

// maxPending is the number of bytes of unflushed nodes at which Add flushes.
const maxPending = 16 << 20

// histogramBytes returns the approximate number of bytes of a node's histograms; the other parts
// are small.
func histogramBytes(n moments.Node) (bytes int) {
	for _, h := range n.Histograms {
		bytes += 8 * len(h.Counts)
	}
	return bytes
}

// Flush appends all added nodes to the file, so that they outlive the process.
func (s *Store) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.flush()
}

func (s *Store) flush() error {
	for _, id := range sortIDs(maps.Keys(s.added)) {
		var entries []Entry
		withWindows := false // either all nodes have windows or none
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
		s.rewriteLimit = 2 * s.size // there may be room for more records, but not for a second file
	}
	return nil
}

// append appends a record to the file.
func (s *Store) append(id ID, entries []Entry, withWindows bool) error {
	s.buffer = appendRecord(s.buffer[:0], id, entries)
	if _, err := s.file.WriteAt(s.buffer, s.size); err != nil {
		// Truncate removes the incomplete record.
		return errors.Join(replace.CannotWrite(s.path, err), s.file.Truncate(s.size))
	}
	s.addToIndex(id, entries, len(s.buffer), withWindows)
	s.index[id].sort()
	s.dirty = true
	return nil
}

// Sync flushes the store and syncs the file to the disk.
func (s *Store) Sync() error {
	s.mu.Lock()
	err := s.flush()
	f := s.file
	s.mu.Unlock()
	if err != nil {
		return err
	}
	// If f is closed, a concurrent rewrite has synced and opened a new file.
	if err := f.Sync(); err != nil && !errors.Is(err, os.ErrClosed) {
		return replace.CannotWrite(s.path, err)
	}
	return nil
}
