package store

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/replace"
)

// Store is the nodes of all cells under one origin. Its methods may be called from several
// goroutines at the same time.
type Store struct {
	origin Origin
	path   string // empty in memory
	lock   *lock  // nil where nobody else can have the file

	mu      sync.Mutex
	file    file
	size    int64 // of the file, up to the end of its last record
	compact int64 // size at which the file is rewritten
	dirty   bool  // a rewrite may change the file
	closed  bool
	index   map[ID]*nodeIndex
	added   map[ID]*moments.Tree // not yet in the file
	pending int                  // bytes that these take
	found   Found
	buffer  []byte // of a record that is written
}

// nodeIndex says where the file has the nodes of a cell.
type nodeIndex struct {
	places     moments.BlockRanges // of the nodes, in their order
	spans      []span              // of the nodes in these places
	hasWindows bool                // nodes have windows
	layout     moments.Layout      // of those that were read
}

// span is the position of a node in the file.
type span struct {
	at     int64
	length int
}

// Found is what a store found in its file when it was opened.
type Found struct {
	Nodes   int   // that it can use
	Lost    int64 // bytes that are damaged, and that stand behind these
	Foreign bool  // the file is of an earlier format, or of another program
}

// header begins the file.
const header = family + "4\n"

// family begins the file in all versions.
const family = "mcsim nodes "

// New returns an empty store in memory.
func New(o Origin) *Store {
	s := newStore("", o)
	if err := s.rewrite(); err != nil {
		panic("store: memory cannot be written")
	}
	return s
}

func newStore(path string, o Origin) *Store {
	return &Store{origin: o, path: path, index: map[ID]*nodeIndex{}, added: map[ID]*moments.Tree{}}
}

// errNotNodes is the error of a file that mcsim did not write, and does not change.
var errNotNodes = errors.New("not a file of nodes")

// Open opens a file of nodes for reading and writing, or creates it, and locks it until Close. It
// drops a damaged record and all that follow it, and replaces a file of an earlier format; Found
// reports both.
func Open(path string, o Origin) (*Store, error) {
	if there, err := filepath.EvalSymlinks(path); err == nil {
		path = there // whose lock is the one that others take
	}
	l, err := acquireLock(path)
	if err != nil {
		return nil, err
	}
	replace.Sweep(filepath.Dir(path))
	s := newStore(path, o)
	s.lock = l
	f, size, err := open(path, os.O_RDWR)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = s.rewrite()
	case err == nil:
		s.file = f
		err = s.begin(size)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// begin reads a file that will be written to.
func (s *Store) begin(size int64) error {
	begun, err := s.load(size)
	switch {
	case err != nil:
		return err
	case s.found.Foreign && !begun:
		return fmt.Errorf("%s: %w; remove it, or name another place", s.path, errNotNodes)
	case s.found.Foreign:
		return s.rewrite()
	}
	s.compact = rewriteSize(s.size)
	if err := s.file.Truncate(s.size); err != nil {
		return replace.CannotWrite(s.path, err)
	}
	return nil
}

// Read opens a file of nodes for reading.
func Read(path string, o Origin) (*Store, error) {
	f, size, err := open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	s := newStore(path, o)
	s.file, s.compact = f, math.MaxInt64 // it is never rewritten
	if _, err := s.load(size); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// load reads the records of a file of the given size. begun reports whether the file begins as
// files of nodes do, of any version.
func (s *Store) load(size int64) (begun bool, err error) {
	start := make([]byte, min(int64(len(header)), size))
	if _, err := s.file.ReadAt(start, 0); err != nil {
		return false, err
	}
	s.size = int64(len(start))
	var keys []ID
	r := &moments.Reader{CountsBuffer: []int64{}} // since nodes are looked at alone, and not their counts
	err = scan(s.file, s.size, size, func(body []byte) error {
		k, err := s.indexRecord(body, r)
		keys = append(keys, k)
		return err
	})
	s.dirty = len(keys) != len(s.index) || !slices.IsSortedFunc(keys, ID.compare)
	s.found = Found{Lost: size - s.size}
	if string(start) != header {
		s.found.Lost += int64(len(start))
		s.dirty = true
	}
	for _, h := range s.index {
		s.found.Nodes += len(h.spans)
		s.dirty = s.dirty || h.canMerge()
	}
	s.found.Foreign = string(start) != header && s.found.Nodes == 0
	return strings.HasPrefix(string(start), family[:min(len(family), len(start))]), err
}

// indexRecord adds the nodes of the next record to the index. It returns ErrDamaged for nodes that
// no run samples, or that cannot be merged with those of the same cell before them.
func (s *Store) indexRecord(body []byte, r *moments.Reader) (ID, error) {
	k, entries, err := parseRecord(body)
	if err != nil {
		return k, err
	}
	var of nodeIndex
	if before := s.index[k]; before != nil {
		of = *before
	}
	for _, e := range entries {
		n, err := e.decoded(k.CellID, r)
		if err != nil || !of.layout.Accepts(n) {
			return k, ErrDamaged
		}
		of.hasWindows = of.hasWindows || hasWindows(n)
	}
	s.addToIndex(k, entries, frameSize+len(body), of.hasWindows)
	s.index[k].layout = of.layout
	return k, nil
}

// addToIndex adds the nodes of the record of the given length that ends the file.
func (s *Store) addToIndex(k ID, entries []Entry, length int, large bool) {
	h := s.index[k]
	if h == nil {
		h = &nodeIndex{}
		s.index[k] = h
	}
	h.hasWindows = h.hasWindows || large
	for _, e := range entries {
		i, there := h.places.Find(e.At)
		if !there {
			h.places, h.spans = slices.Insert(h.places, i, e.At), slices.Insert(h.spans, i, span{})
		}
		h.spans[i] = span{s.size + int64(e.from), len(e.Node)}
	}
	s.size += int64(length)
}

// Found returns what the store found in its file when it was opened.
func (s *Store) Found() Found { return s.found }

// Path returns the path of the file; it is empty for a store in memory.
func (s *Store) Path() string { return s.path }

// Close releases the file and its lock. What was not flushed is lost. Further calls do nothing.
func (s *Store) Close() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed, s.index = true, map[ID]*nodeIndex{}
	if s.file != nil {
		err = s.file.Close()
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.release())
	}
	return err
}

// Remove closes the store and removes its file.
func (s *Store) Remove() error {
	var err error
	if s.path != "" {
		err = os.Remove(s.path)
	}
	return errors.Join(err, s.Close())
}

// sorted returns the keys in order.
func sorted(keys func(func(ID) bool)) []ID { return slices.SortedFunc(keys, ID.compare) }
