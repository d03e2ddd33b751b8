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

// Store holds the nodes of cells under one origin. Its methods may be called from several
// goroutines at the same time.
type Store struct {
	origin Origin
	path   string // empty for a store in memory
	lock   *lock  // nil in memory, and for a store that only reads

	mu           sync.Mutex
	file         file
	size         int64 // size of the file, up to the end of its last record
	rewriteLimit int64 // size at which the file is rewritten
	dirty        bool  // whether Compact must rewrite the file
	closed       bool
	index        map[ID]*nodeIndex
	added        map[ID]*moments.Tree // nodes that are not yet in the file
	pendingBytes int                  // approximate size of the added nodes
	found        Found
	buffer       []byte // buffer for a record
}

// nodeIndex has the ranges of the nodes of a cell and their positions in the file.
type nodeIndex struct {
	ranges     moments.BlockRanges // ranges of the nodes, in order
	spans      []span              // positions of the nodes, by index in ranges
	hasWindows bool                // whether nodes have windows
	layout     moments.Layout      // layout of the nodes that were read
}

// span is the position of a node in the file.
type span struct {
	offset int64
	length int
}

// Found describes the content of a file when it was opened.
type Found struct {
	Nodes   int   // number of usable nodes
	Lost    int64 // damaged bytes, and all bytes after them
	Foreign bool  // the file is of an earlier format, or of another program
}

// header is the beginning of the file, with the version of the format.
const header = family + "4\n"

// family is the beginning of files of nodes of all versions.
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

// errNotNodes is the error of a file that is not a file of nodes. Such files are not changed.
var errNotNodes = errors.New("not a file of nodes")

// Open opens a file of nodes for reading and writing, or creates it, and locks it until Close. It
// drops a damaged record and all records after it, and replaces a file of an earlier format. Found
// reports this.
func Open(path string, o Origin) (*Store, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // so that all processes use the same lock
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
		err = s.prepare(size)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// prepare loads a file and prepares it for writing.
func (s *Store) prepare(size int64) error {
	isNodeFile, err := s.load(size)
	switch {
	case err != nil:
		return err
	case s.found.Foreign && !isNodeFile:
		return fmt.Errorf("%s: %w; remove it, or use another folder", s.path, errNotNodes)
	case s.found.Foreign:
		return s.rewrite()
	}
	s.rewriteLimit = rewriteSize(s.size)
	if err := s.file.Truncate(s.size); err != nil {
		return replace.CannotWrite(s.path, err)
	}
	return nil
}

// Read opens a file of nodes for reading, without a lock.
func Read(path string, o Origin) (*Store, error) {
	f, size, err := open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	s := newStore(path, o)
	s.file, s.rewriteLimit = f, math.MaxInt64 // never rewrite it
	if _, err := s.load(size); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// load indexes the records of a file of the given size. isNodeFile reports whether the file begins
// as a file of nodes of any version.
func (s *Store) load(size int64) (isNodeFile bool, err error) {
	start := make([]byte, min(int64(len(header)), size))
	if _, err := s.file.ReadAt(start, 0); err != nil {
		return false, err
	}
	s.size = int64(len(start))
	var ids []ID
	r := &moments.Reader{CountsBuffer: []int64{}} // the counts are not used
	err = scan(s.file, s.size, size, func(body []byte) error {
		id, err := s.indexRecord(body, r)
		ids = append(ids, id)
		return err
	})
	s.dirty = len(ids) != len(s.index) || !slices.IsSortedFunc(ids, ID.compare)
	s.found = Found{Lost: size - s.size}
	if string(start) != header {
		s.found.Lost += int64(len(start))
		s.dirty = true
	}
	for _, idx := range s.index {
		idx.sort()
		s.found.Nodes += len(idx.spans)
		s.dirty = s.dirty || idx.canMerge()
	}
	s.found.Foreign = string(start) != header && s.found.Nodes == 0
	return strings.HasPrefix(string(start), family[:min(len(family), len(start))]), err
}

// indexRecord adds the nodes of the next record to the index. It returns ErrDamaged if no run could
// have sampled the nodes, or if they cannot be merged with earlier nodes of the same cell.
func (s *Store) indexRecord(body []byte, r *moments.Reader) (ID, error) {
	id, entries, err := parseRecord(body)
	if err != nil {
		return id, err
	}
	var updated nodeIndex
	if existing := s.index[id]; existing != nil {
		updated = *existing
	}
	for _, e := range entries {
		n, err := e.decode(id.CellID, r)
		if err != nil || !updated.layout.Accepts(n) {
			return id, ErrDamaged
		}
		updated.hasWindows = updated.hasWindows || hasWindows(n)
	}
	s.addToIndex(id, entries, frameSize+len(body), updated.hasWindows)
	s.index[id].layout = updated.layout
	return id, nil
}

// addToIndex adds the nodes of a record to the index, which nodeIndex.sort must sort then. The
// record has the given length and is at the
// end of the file.
func (s *Store) addToIndex(id ID, entries []Entry, length int, withWindows bool) {
	idx := s.index[id]
	if idx == nil {
		idx = &nodeIndex{}
		s.index[id] = idx
	}
	idx.hasWindows = idx.hasWindows || withWindows
	for _, e := range entries {
		idx.ranges = append(idx.ranges, e.Range)
		idx.spans = append(idx.spans, span{s.size + int64(e.offset), len(e.Node)})
	}
	s.size += int64(length)
}

// sort sorts the ranges. Of several nodes of the same range it keeps the last one. It is called
// once for many records, since inserting them one by one would take quadratic time.
func (idx *nodeIndex) sort() {
	order := make([]int, len(idx.ranges)) // indices of the sorted ranges
	isSorted := true
	for i := range order {
		order[i] = i
		isSorted = isSorted && (i == 0 || idx.ranges[i-1].Compare(idx.ranges[i]) < 0)
	}
	if isSorted {
		return
	}
	slices.SortStableFunc(order, func(i, j int) int { return idx.ranges[i].Compare(idx.ranges[j]) })
	var sorted nodeIndex
	for k, i := range order {
		if k+1 < len(order) && idx.ranges[order[k+1]] == idx.ranges[i] {
			continue
		}
		sorted.ranges, sorted.spans = append(sorted.ranges, idx.ranges[i]), append(sorted.spans, idx.spans[i])
	}
	idx.ranges, idx.spans = sorted.ranges, sorted.spans
}

// Found returns a description of the file's content when it was opened.
func (s *Store) Found() Found { return s.found }

// Path returns the path of the file; it is empty for a store in memory.
func (s *Store) Path() string { return s.path }

// Close releases the file and its lock. Unflushed nodes are lost. Further calls do nothing.
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

// sortIDs returns the IDs in order.
func sortIDs(ids func(func(ID) bool)) []ID { return slices.SortedFunc(ids, ID.compare) }
