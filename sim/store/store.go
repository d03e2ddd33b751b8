// Package store holds the nodes of a run: in memory while it draws, and in a
// file between runs, so that an interrupted run goes on, a finished one need
// not be drawn again, and a longer one only draws what is new.
package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"

	"mcsim/sim/moments"
	"mcsim/sim/replace"
)

// Origin says which random bits the nodes come from. Nodes of different
// origins never meet in one store.
type Origin struct {
	Kernel int    // version of the sampled bits
	Seed   uint64 // of the plan
	// Attempt is the plan's; a later attempt draws other bits.
	Attempt uint64
	Probe   [32]byte // fingerprint of the bits
}

// Store is the trees of all cells. Its methods may be called from many
// goroutines at once.
type Store struct {
	origin Origin
	mu     sync.Mutex
	trees  map[string]*moments.Tree
	spent  bool
}

// New returns an empty store.
func New(o Origin) *Store { return &Store{origin: o, trees: map[string]*moments.Tree{}} }

// Add puts a node of the cell in its place.
func (s *Store) Add(cell string, at moments.Place, n moments.Node) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.trees[cell]
	if t == nil {
		t = moments.NewTree()
		s.trees[cell] = t
	}
	if err := t.Add(at, n); err != nil {
		return fmt.Errorf("cell %s: %w", cell, err)
	}
	return nil
}

// Missing lists what the cell lacks of its first n blocks, in places of at
// most 2^level blocks. A cell that was drawn further than n is dropped: a
// merged node cannot be parted again. So is one whose blocks are not of the
// given number of units.
func (s *Store) Missing(cell string, n, units int64, level int) []moments.Place {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.trees[cell]
	if t == nil || !t.Extends(n) || !uniform(t, units) {
		t = moments.NewTree()
		s.trees[cell] = t
	}
	return t.Missing(n, level)
}

// uniform reports whether every block in the tree counts the given units.
func uniform(t *moments.Tree, units int64) bool {
	for _, p := range t.Places() {
		n, _ := t.Node(p)
		if len(n.Moments) == 0 || n.Moments[0].N != units*p.Blocks() {
			return false
		}
	}
	return true
}

// Total merges the cell's first n blocks; false if they are not all there.
func (s *Store) Total(cell string, n int64) (moments.Node, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.trees[cell]
	if t == nil {
		return moments.Node{}, false
	}
	return t.Total(n)
}

// Spend lets Take drop nodes, which stand on the disk.
func (s *Store) Spend() { s.spent = true }

// Take is Total for the last time: of a store that is spent the nodes are dropped, so that
// many cells are not held twice, as nodes and as what is read off them.
func (s *Store) Take(cell string, n int64) (moments.Node, bool) {
	total, ok := s.Total(cell, n)
	if s.spent {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.trees, cell)
	}
	return total, ok
}

// The file: magic, kernel, seed, attempt, probe; then for each cell its id and nodes;
// then the SHA-256 of all before.
const magic = "mcsim nodes 3\n"

// Save writes the store to a file, atomically.
func (s *Store) Save(path string) error { return replace.File(path, s.Write) }

// Write writes the store as Load reads it, cell by cell.
func (s *Store) Write(to io.Writer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := sha256.New()
	w := io.MultiWriter(to, sum)
	if _, err := w.Write(s.origin.header()); err != nil {
		return err
	}
	var b []byte
	for _, cell := range slices.Sorted(maps.Keys(s.trees)) {
		b = appendTree(b[:0], cell, s.trees[cell])
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	_, err := to.Write(sum.Sum(nil))
	return err
}

// appendTree appends a cell's id and its nodes.
func appendTree(b []byte, cell string, t *moments.Tree) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(cell)))
	b = append(b, cell...)
	places := t.Places()
	b = binary.LittleEndian.AppendUint32(b, uint32(len(places)))
	for _, p := range places {
		b = binary.LittleEndian.AppendUint32(b, uint32(p.Level))
		b = binary.LittleEndian.AppendUint64(b, uint64(p.Index))
		n, _ := t.Node(p)
		b = moments.AppendNode(b, n)
	}
	return b
}

// header is the origin as the file begins with it.
func (o Origin) header() []byte {
	b := []byte(magic)
	b = binary.LittleEndian.AppendUint64(b, uint64(o.Kernel))
	b = binary.LittleEndian.AppendUint64(b, o.Seed)
	b = binary.LittleEndian.AppendUint64(b, o.Attempt)
	return append(b, o.Probe[:]...)
}

// ErrForeign says that a file holds nodes of another seed, kernel or version.
var ErrForeign = errors.New("holds draws of another seed, attempt or version")

// ErrDamaged says that a file is not what Save wrote.
var ErrDamaged = errors.New("is damaged")

// Load reads a store of the given origin from a file. A file that does not
// exist is an empty store. With any error the store is empty and usable.
func Load(path string, o Origin) (*Store, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return New(o), nil
	}
	if err != nil {
		return New(o), err
	}
	s := New(o)
	if err := s.decode(b); err != nil {
		return New(o), fmt.Errorf("%s %w", path, err)
	}
	return s, nil
}

// decode reads what Save writes.
func (s *Store) decode(b []byte) error {
	head := s.origin.header()
	if len(b) < len(head)+sha256.Size || !bytes.HasPrefix(b, []byte(magic)) {
		return ErrDamaged
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if found := sha256.Sum256(body); !bytes.Equal(found[:], sum) {
		return ErrDamaged
	}
	if !bytes.HasPrefix(body, head) {
		return ErrForeign
	}
	r := moments.Reader{B: body[len(head):]}
	for len(r.B) > 0 && !r.Bad {
		if err := s.readCell(&r); err != nil {
			return err
		}
	}
	if r.Bad {
		return ErrDamaged
	}
	return nil
}

// readCell reads the tree of one cell.
func (s *Store) readCell(r *moments.Reader) error {
	cell := string(r.Take(int(r.Uint32())))
	t := moments.NewTree()
	for range r.Uint32() {
		at := moments.Place{Level: int(r.Uint32()), Index: int64(r.Uint64())}
		n := r.Node()
		if r.Bad {
			return nil
		}
		if err := t.Add(at, n); err != nil {
			return err
		}
	}
	s.trees[cell] = t
	return nil
}
