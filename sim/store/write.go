package store

import (
	"errors"
	"fmt"
	"maps"

	"mcsim/sim/moments"
)

// Add puts a node of the cell in its place. It is an error if some of its blocks were added
// since the last Flush; the node stays the caller's.
func (s *Store) Add(c Cell, at moments.Place, n moments.Node) error {
	k := s.origin.key(c)
	if !k.counts(at, n) {
		return fmt.Errorf("cell %s: a node does not count what its %d blocks do", c.ID, at.Blocks())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.added[k]
	if t == nil {
		t = moments.NewTreeOf(moments.Place.BetweenRungs)
		s.added[k] = t
	}
	if err := t.Add(at, n); err != nil {
		return fmt.Errorf("cell %s: %w", c.ID, err)
	}
	return nil
}

// Flush appends to the file what was added, where it outlives the program.
func (s *Store) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.flush()
}

func (s *Store) flush() error {
	if len(s.added) == 0 {
		return nil
	}
	for _, k := range s.sorted(maps.Keys(s.added)) {
		if err := s.append(k, entries(s.added[k])); err != nil {
			return err
		}
		delete(s.added, k)
	}
	if s.size < s.compact {
		return nil
	}
	err := s.rewrite()
	if err != nil {
		s.compact = 2 * s.size // there is no room to write it anew, and perhaps enough to go on
	}
	if _, lost := s.file.(unopened); lost {
		return err
	}
	return nil
}

// append appends a record to the file.
func (s *Store) append(k Key, all []Entry) error {
	more := held{large: windowed(all[0])} // as all nodes of a cell are
	s.buffer = appendRecord(s.buffer[:0], k, all, func(e Entry, at int, node []byte) {
		more.append(held{moments.Places{e.At}, []span{spanOf(s.size+int64(at), node)}, more.large})
	})
	if _, err := s.file.WriteAt(s.buffer, s.size); err != nil {
		// what was written in part goes, and the records before it stay
		return errors.Join(cannotWrite(s.path, err), s.file.Truncate(s.size))
	}
	s.size += int64(len(s.buffer))
	h := s.of(k)
	h.append(more)
	h.sort()
	s.stale = s.stale || s.last != nil && s.last.compare(k) >= 0 || h.mergeable()
	s.last = &k
	return nil
}

// Put appends nodes of a cell that it has none of, merged as far as the ladder allows. None lies inside another, and
// each counts what its blocks do.
func (s *Store) Put(c Cell, all []Entry) error {
	k, end := s.origin.key(c), int64(0)
	for _, e := range all {
		end = max(end, e.At.End())
	}
	var tree *moments.Tree
	layout := moments.Layout{}
	for _, e := range all {
		n, err := e.Decoded()
		if err != nil {
			return err
		}
		if !k.counts(e.At, n) || !layout.Fits(n) {
			return ErrDamaged
		}
		if tree == nil {
			tree = moments.NewTreeOf(joins(end, windowed(Entry{Node: n})))
		}
		if err := tree.Add(e.At, n); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.append(k, entries(tree))
}

// entries are the nodes of a tree.
func entries(t *moments.Tree) []Entry {
	var all []Entry
	for _, at := range t.Places() {
		n, _ := t.Node(at)
		all = append(all, Entry{At: at, Node: n})
	}
	return all
}

// Sync flushes, and has the disk keep what is in the file.
func (s *Store) Sync() error {
	s.mu.Lock()
	err := s.flush()
	f := s.file
	s.mu.Unlock()
	if err != nil {
		return err
	}
	switch err := f.Sync(); {
	case err == nil:
		return nil
	case s.has(f):
		return cannotWrite(s.path, err)
	}
	return s.Sync() // it was closed, since it was to be written anew
}

// has reports whether the file is the one that is written to.
func (s *Store) has(f File) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file == f
}
