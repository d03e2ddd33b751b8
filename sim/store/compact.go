package store

import (
	"errors"
	"io"
	"maps"
	"slices"

	"mcsim/sim/moments"
)

// A file grows by a record for each cell and Flush, of which many have one node once they
// are merged. It is written anew when it has grown to growth times what it was then, and to leastLimit bytes.
const (
	growth     = 3
	leastLimit = 64 << 20
)

// limit is the size from which on a file is written anew that has so many bytes now.
func limit(size int64) int64 { return max(growth*size, leastLimit) }

// Compact writes the file anew where something was added to it: cells in their order, and of each the nodes merged as
// far as the ladder allows. The same nodes then give the same bytes, whoever drew them when.
func (s *Store) Compact() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.flush(); err != nil || !s.stale {
		return err
	}
	return s.rewrite()
}

// rewrite writes the file anew. With an error it stays as it was.
func (s *Store) rewrite() error {
	var size int64
	begun := s.file != nil
	all := map[Key]*held{}
	err := s.disk.Replace(s.path, func(w io.Writer) (err error) {
		size, err = s.write(w, all)
		return err
	}, s.shut)
	if err == nil {
		s.held, s.size, s.compact, s.stale, s.last = all, size, limit(size), false, nil
		for k := range all {
			if s.last == nil || s.last.compare(k) < 0 {
				s.last = &k
			}
		}
	}
	if s.file != nil || err != nil && !begun {
		return err
	}
	f, opened := s.disk.Open(s.path)
	if opened != nil {
		s.file = unopened{opened}
		return errors.Join(err, opened)
	}
	s.file = f
	return err
}

// unopened stands for a file that could not be opened again.
type unopened struct{ error }

func (f unopened) ReadAt([]byte, int64) (int, error)  { return 0, f.error }
func (f unopened) WriteAt([]byte, int64) (int, error) { return 0, f.error }
func (f unopened) Size() (int64, error)               { return 0, f.error }
func (f unopened) Truncate(int64) error               { return nil } // nothing was written
func (f unopened) Sync() error                        { return f.error }
func (f unopened) Close() error                       { return nil }

// shut closes the file, which may have to be closed for another to take its place.
func (s *Store) shut() {
	if s.file != nil {
		s.file.Close() // it was read
		s.file = nil
	}
}

// write writes all that is held, and notes in all where it then stands. It returns how many
// bytes these are.
func (s *Store) write(w io.Writer, all map[Key]*held) (size int64, err error) {
	n, err := io.WriteString(w, header)
	size = int64(n)
	for _, k := range s.sorted(maps.Keys(s.held)) {
		if err != nil {
			return size, err
		}
		nodes, err := s.merged(s.held[k])
		if err != nil {
			return size, err
		}
		h := &held{}
		s.buffer = appendRecord(s.buffer[:0], k, nodes, func(e Entry, at int, node []byte) {
			h.append(held{moments.Places{e.At}, []span{spanOf(size+int64(at), node)}, s.held[k].large})
		})
		n, err = w.Write(s.buffer)
		if err != nil {
			return size, err
		}
		size += int64(n)
		all[k] = h
	}
	return size, err
}

// merged are a cell's nodes, merged as far as the ladder allows, in the order of their places. Nodes inside longer ones,
// which a plan asked for that ends between two rungs, are merged among themselves.
func (s *Store) merged(h *held) ([]Entry, error) {
	var all []Entry
	there := map[moments.Place]bool{}
	for rest := h; len(rest.places) > 0; {
		var outer *held
		outer, rest = rest.layers()
		tree, err := s.tree(outer, h.joins())
		if err != nil {
			return nil, err
		}
		for _, e := range entries(tree) {
			if !there[e.At] { // inner ones may add up to an outer one
				there[e.At] = true
				all = append(all, e)
			}
		}
	}
	slices.SortFunc(all, func(a, b Entry) int { return a.At.Compare(b.At) })
	return all, nil
}

// joins says which nodes are merged.
func (h *held) joins() func(parent moments.Place) bool {
	end := int64(0)
	for _, at := range h.places {
		end = max(end, at.End())
	}
	return joins(end, h.large)
}

// joins says which nodes are merged of a cell that has blocks up to end. Nodes with windows are a thousand times as
// large, and where these lie depends on the octave that the plan's samples lie in: of lower octaves no plan wants the parts.
func joins(end int64, large bool) func(parent moments.Place) bool {
	return func(parent moments.Place) bool { return parent.BetweenRungs() || large && parent.End() <= end/2 }
}

// windowed reports whether a node has windows.
func windowed(e Entry) bool {
	n, err := e.Decoded()
	return err == nil && slices.ContainsFunc(n.Histograms, func(h moments.Histogram) bool { return len(h.Windows) > 0 })
}

// mergeable reports whether some nodes are to be merged that are not.
func (h *held) mergeable() bool {
	joins := h.joins()
	for rest := h; len(rest.places) > 0; {
		var outer *held
		outer, rest = rest.layers()
		for i, at := range outer.places[1:] {
			before := outer.places[i]
			if at.Level == before.Level && at.Parent() == before.Parent() && joins(at.Parent()) {
				return true
			}
		}
	}
	return false
}

// layers are the nodes that lie inside no other, and the rest.
func (h *held) layers() (outer, inner *held) {
	outer, inner = &held{}, &held{}
	end := int64(0) // of the outer places before
	for i, at := range h.places {
		one := held{h.places[i : i+1], h.spans[i : i+1], h.large}
		if at.First() < end {
			inner.append(one)
			continue
		}
		outer.append(one)
		end = at.End()
	}
	return outer, inner
}

// tree reads nodes, none of which lies inside another.
func (s *Store) tree(h *held, joins func(parent moments.Place) bool) (*moments.Tree, error) {
	tree := moments.NewTreeOf(joins)
	for i, at := range h.places {
		n, err := s.node(h.spans[i])
		if err != nil {
			return nil, err
		}
		if err := tree.Add(at, n); err != nil {
			return nil, err
		}
	}
	return tree, nil
}

// Take adds the nodes of a store of the same origin as they are, but for those that this one has in the same bytes. Where it
// has others in their place, it gives these up.
func (s *Store) Take(from *Store) error {
	from.mu.Lock()
	defer from.mu.Unlock()
	if err := from.flush(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range from.sorted(maps.Keys(from.held)) {
		h, own := from.held[k], s.of(k)
		var all []Entry
		for i, at := range h.places {
			b, err := from.bytes(h.spans[i])
			if err != nil {
				return err
			}
			there, found := own.places.Find(at)
			if found && own.spans[there].sum == h.spans[i].sum {
				continue
			}
			if found {
				own.drop(there)
				s.stale = true
			}
			all = append(all, Entry{At: at, Encoded: b})
		}
		if len(all) == 0 {
			continue
		}
		if err := s.append(k, all); err != nil {
			return err
		}
	}
	return nil
}

// drop forgets a node.
func (h *held) drop(i int) {
	h.places, h.spans = slices.Delete(h.places, i, i+1), slices.Delete(h.spans, i, i+1)
}

// Of says of a key whether it is that of one of the cells, under the store's origin.
func (s *Store) Of(cells []Cell) func(Key) bool {
	keys := map[Key]bool{}
	for _, c := range cells {
		keys[s.origin.key(c)] = true
	}
	return func(k Key) bool { return keys[k] }
}

// Drop forgets the nodes that drop names, and returns how many bytes the file is shorter for it.
func (s *Store) Drop(drop func(Key) bool) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.flush(); err != nil {
		return 0, err
	}
	before, all := s.size, s.held
	s.held = maps.Clone(all)
	maps.DeleteFunc(s.held, func(k Key, _ *held) bool { return drop(k) })
	if len(s.held) == len(all) {
		s.held = all
		return 0, nil
	}
	if err := s.rewrite(); err != nil {
		s.held = all
		return 0, err
	}
	return before - s.size, nil
}
