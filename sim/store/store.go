package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"mcsim/sim/moments"
	"mcsim/sim/replace"
)

// Store is the nodes of all cells under one origin. Its methods may be called from many
// goroutines at once.
type Store struct {
	origin Origin
	disk   Disk
	path   string
	lock   *lock // nil where nobody else can have the file

	mu      sync.Mutex
	file    File
	size    int64 // of the file, up to the end of its last record
	compact int64 // size from which on the file is written anew
	stale   bool  // to write it anew would change it
	closed  bool
	ours    bool // the file begins as files of nodes do, of whatever version
	last    *Key // of the record that was read or appended last
	held    map[Key]*held
	added   map[Key]*moments.Tree // not yet in the file
	found   Found
	buffer  []byte // of a record that is written
}

// held is what the file has of a cell.
type held struct {
	places moments.Places
	spans  []span // of the nodes, in the order of places
	large  bool   // some node has windows
}

// span is where a node stands in the file.
type span struct {
	at     int64
	length int
	sum    uint64 // of its bytes
}

// Found is what a store found in its file.
type Found struct {
	Nodes   int   // that it can use
	Bytes   int64 // of the file
	Damaged int   // places where bytes stand that are no whole record
	Lost    int64 // how many bytes these are
	Foreign bool  // the file is of another program, or of an earlier format
}

// header begins the file.
const header = family + "4\n"

// family begins the file in all versions.
const family = "mcsim nodes "

// New returns an empty store in memory.
func New(o Origin) *Store {
	s, err := OpenOn(newMemory(), "", o)
	if err != nil {
		panic("store: memory does not open")
	}
	return s
}

// ErrForeign says that a file is none of nodes, and is left alone.
var ErrForeign = errors.New("is no file of nodes")

// Open opens a file of nodes to be read and written, or makes it. Nobody else has it until Close. What is damaged in it is passed over,
// and a file of an earlier format is replaced; Found says so.
func Open(path string, o Origin) (*Store, error) {
	if there, err := filepath.EvalSymlinks(path); err == nil {
		path = there // whose lock is the one that others take
	}
	l, err := take(path)
	if err != nil {
		return nil, err
	}
	replace.Clear(path)
	s, err := OpenOn(System{}, path, o)
	if err != nil {
		return nil, errors.Join(err, l.release())
	}
	s.lock = l
	return s, nil
}

// OpenOn is Open on another disk, without a lock.
func OpenOn(d Disk, path string, o Origin) (*Store, error) {
	s := &Store{origin: o, disk: d, path: path, held: map[Key]*held{}, added: map[Key]*moments.Tree{}}
	f, err := d.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, s.rewrite()
	}
	if err != nil {
		return nil, err
	}
	if err := s.load(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if s.found.Foreign && !s.ours {
		return nil, errors.Join(fmt.Errorf("%s %w; remove it, or name another place", path, ErrForeign), f.Close())
	}
	if s.found.Foreign {
		return s, errors.Join(f.Close(), s.rewrite())
	}
	if err := f.Truncate(s.size); err != nil {
		return nil, errors.Join(cannotWrite(path, err), f.Close())
	}
	s.compact = limit(s.size)
	return s, nil
}

// Read reads a file of nodes, which is not written to.
func Read(path string, o Origin) (*Store, error) {
	f, err := open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	s := &Store{origin: o, path: path, held: map[Key]*held{}, added: map[Key]*moments.Tree{}}
	if err := s.load(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

// load reads what the file has.
func (s *Store) load(f File) error {
	size, err := f.Size()
	if err != nil {
		return err
	}
	s.file, s.found.Bytes = f, size
	begin := make([]byte, min(int64(len(header)), size))
	if _, err := f.ReadAt(begin, 0); err != nil {
		return err
	}
	start := begin[:min(len(begin), len(family))]
	s.ours = string(start) == family[:len(start)]
	from := int64(0)
	if string(begin) == header {
		from = int64(len(header))
	}
	layouts := map[Key]*moments.Layout{}
	s.size, s.found.Damaged, s.found.Lost, err = scan(f, from, size, func(at int64, b []byte) error { return s.note(at, b, layouts) })
	s.stale = s.stale || s.found.Damaged > 0
	for _, h := range s.held {
		h.sort()
		s.stale = s.stale || h.mergeable()
		s.found.Nodes += len(h.places)
	}
	s.found.Foreign = from == 0 && len(s.held) == 0
	return err
}

// note notes the nodes of a record whose body stands at a byte of the file. It refuses nodes that
// cannot be merged with those of the cell that were noted before.
func (s *Store) note(at int64, b []byte, layouts map[Key]*moments.Layout) error {
	var more held
	var nodes []moments.Node
	k, err := body(b, func(p moments.Place, from, length int, n moments.Node) {
		more.places = append(more.places, p)
		more.spans = append(more.spans, spanOf(at+int64(from), b[from:from+length]))
		nodes = append(nodes, n)
		more.large = more.large || windowed(Entry{Node: n})
	})
	if err != nil {
		return err
	}
	if layouts[k] == nil {
		layouts[k] = &moments.Layout{}
	}
	if slices.ContainsFunc(nodes, func(n moments.Node) bool { return !layouts[k].Fits(n) }) {
		return ErrDamaged
	}
	if s.last != nil && s.last.compare(k) >= 0 || !slices.IsSortedFunc(more.places, moments.Place.Compare) {
		s.stale = true
	}
	s.last = &k
	s.of(k).append(more)
	return nil
}

// of is what the file has of a cell.
func (s *Store) of(k Key) *held {
	h := s.held[k]
	if h == nil {
		h = &held{}
		s.held[k] = h
	}
	return h
}

func (h *held) append(more held) {
	h.places = append(h.places, more.places...)
	h.spans = append(h.spans, more.spans...)
	h.large = h.large || more.large
}

// sort puts the nodes in the order of their places, and drops those that stand twice.
func (h *held) sort() {
	order := make([]int, len(h.places))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return h.places[i].Compare(h.places[j]) })
	order = slices.CompactFunc(order, func(i, j int) bool { return h.places[i] == h.places[j] })
	sorted := held{large: h.large}
	for _, i := range order {
		sorted.places = append(sorted.places, h.places[i])
		sorted.spans = append(sorted.spans, h.spans[i])
	}
	*h = sorted
}

// Found is what the store found in its file as it was opened.
func (s *Store) Found() Found { return s.found }

// Path is the file; empty in memory.
func (s *Store) Path() string { return s.path }

// Close gives the file back, without what was not flushed. Once it is closed it does nothing.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	err := s.file.Close()
	if s.lock != nil {
		err = errors.Join(err, s.lock.release())
	}
	return err
}

// Remove closes the store and removes its file.
func (s *Store) Remove() error {
	if s.path != "" {
		if err := os.Remove(s.path); err != nil {
			return err
		}
	}
	return s.Close()
}

// sorted are keys in their order.
func (s *Store) sorted(keys func(func(Key) bool)) []Key { return slices.SortedFunc(keys, Key.compare) }

// compare orders keys by seed, attempt, cell and the rest.
func (k Key) compare(o Key) int {
	return cmp.Or(cmp.Compare(k.Seed, o.Seed), cmp.Compare(k.Attempt, o.Attempt), cmp.Compare(k.ID, o.ID), cmp.Compare(k.Contents, o.Contents),
		cmp.Compare(k.Kernel, o.Kernel), cmp.Compare(k.Draw, o.Draw), cmp.Compare(k.Columns, o.Columns), cmp.Compare(k.Units, o.Units))
}
