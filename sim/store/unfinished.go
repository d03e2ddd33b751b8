package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"mcsim/sim/checkpoint"
	"mcsim/sim/moments"
)

// Unfinished is a place that takes long to draw: beside the file of nodes stands a file with what was last kept of
// it, from which another process goes on. It goes when the node of the place is on the disk.
type Unfinished struct {
	store *Store
	cell  Cell
	at    moments.Place
	busy  sync.Mutex // held while the file is written
	path  string     // empty until it is needed
	head  []byte     // of the file, before the state
}

// unfinishedHeader begins such a file. Behind it stand the CRC-32C of the rest, the hash of the program, the key, level
// and index of the place, and the state.
const (
	unfinishedHeader = "mcsim unfinished 1\n"
	unfinishedStart  = len(unfinishedHeader) + crc32.Size
)

// castagnoli is of the polynomial that processors have an instruction for: states are large, and kept often.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// UnfinishedName stands between the path of the file of nodes and what tells the places apart.
const UnfinishedName = ".unfinished-"

// Records reports whether a path is that of a file of nodes, or of what is kept beside it.
func Records(nodes, path string) bool {
	return path == nodes || strings.HasPrefix(path, nodes+UnfinishedName)
}

// Unfinished is a place of the cell as something that takes long to draw.
func (s *Store) Unfinished(c Cell, at moments.Place) *Unfinished {
	return &Unfinished{store: s, cell: c, at: at}
}

// named finds the path of the file, which costs a little; false where nothing can be kept.
func (u *Unfinished) named() bool {
	program, ok := checkpoint.Program()
	if u.store.path == "" || !ok {
		return false
	}
	head := binary.LittleEndian.AppendUint64(appendKey(program[:], u.store.origin.key(u.cell)), uint64(u.at.Level))
	u.head = binary.LittleEndian.AppendUint64(head, uint64(u.at.Index))
	name := sha256.Sum256(u.head[len(program):])
	u.path = u.store.path + UnfinishedName + hex.EncodeToString(name[:8])
	return true
}

// State is what was kept of the place before the store was opened, nil where nothing was.
func (u *Unfinished) State() []byte {
	s := u.store
	s.mu.Lock()
	none := len(s.unfinished) == 0
	s.mu.Unlock()
	if none || !u.named() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if state, ok := bytes.CutPrefix(s.unfinished[u.path], u.head); ok {
		return state
	}
	return nil
}

// Keep has the disk keep a state, if it has kept the one before, and does not wait for it. An error is that of the next
// Flush.
func (u *Unfinished) Keep(state []byte) {
	if u.store.path == "" || !u.busy.TryLock() {
		return
	}
	s := u.store
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended { // nobody waits for it any more
		u.busy.Unlock()
		return
	}
	s.keeping.Add(1)
	go func() {
		defer s.keeping.Done()
		defer u.busy.Unlock()
		if u.path == "" && !u.named() {
			return
		}
		err := s.disk.Replace(u.path, func(w io.Writer) error { return u.write(w, state) }, func() {})
		s.mu.Lock()
		defer s.mu.Unlock()
		s.failed = cmp.Or(s.failed, err)
		s.unfinished[u.path] = nil
	}()
}

// write writes the file with a state.
func (u *Unfinished) write(w io.Writer, state []byte) error {
	sum := crc32.Update(crc32.Checksum(u.head, castagnoli), castagnoli, state)
	for _, part := range [][]byte{[]byte(unfinishedHeader), binary.LittleEndian.AppendUint32(nil, sum), u.head, state} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// stopKeeping waits until nothing is being kept, and nothing will be.
func (s *Store) stopKeeping() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.keeping.Wait()
}

// Done says that the node of the place was added.
func (u *Unfinished) Done() {
	u.busy.Lock()
	defer u.busy.Unlock()
	u.store.mu.Lock()
	defer u.store.mu.Unlock()
	if _, ok := u.store.unfinished[u.path]; ok {
		u.store.done = append(u.store.done, u.path)
	}
}

// readUnfinished reads what was kept of places. What another program kept has no use, nor has what is damaged.
func (s *Store) readUnfinished() error {
	for _, path := range s.disk.Beside(s.path + UnfinishedName) {
		program, ok := checkpoint.Program()
		b, err := s.whole(path)
		if err != nil {
			return err
		}
		s.found.Beside += int64(len(b))
		body, whole := unfinishedBody(b)
		switch {
		case !whole:
			s.found.Spoilt = append(s.found.Spoilt, path)
		case ok && bytes.HasPrefix(body, program[:]):
			s.unfinished[path] = body
			continue
		}
		s.useless = append(s.useless, path)
	}
	return nil
}

// dropUseless removes what has no use.
func (s *Store) dropUseless() error {
	for _, path := range s.useless {
		if err := s.disk.Remove(path); err != nil {
			return err
		}
	}
	s.useless = nil
	return nil
}

// whole reads a file.
func (s *Store) whole(path string) ([]byte, error) {
	f, err := s.disk.Open(path)
	if err != nil {
		return nil, cannotRead(path, err)
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return nil, cannotRead(path, err)
	}
	b := make([]byte, size)
	if _, err = f.ReadAt(b, 0); err != nil && size > 0 {
		return nil, cannotRead(path, err)
	}
	return b, nil
}

// unfinishedBody is what follows the checksum of such a file, false if that is not its own.
func unfinishedBody(b []byte) ([]byte, bool) {
	if len(b) < unfinishedStart || string(b[:len(unfinishedHeader)]) != unfinishedHeader {
		return nil, false
	}
	body := b[unfinishedStart:]
	return body, binary.LittleEndian.Uint32(b[len(unfinishedHeader):]) == crc32.Checksum(body, castagnoli)
}

// Begun is of how many places of the keys that of names something was kept before the store was opened.
func (s *Store) Begun(of func(Key) bool) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.begun(of))
}

// begun are the paths of what was kept before the store was opened of the keys that of names.
func (s *Store) begun(of func(Key) bool) (paths []string) {
	for path, body := range s.unfinished {
		if body == nil {
			continue
		}
		r := moments.Reader{B: body[sha256.Size:]}
		if k := readKey(&r); !r.Bad && of(k) {
			paths = append(paths, path)
		}
	}
	return paths
}

// Finished is Sync, and says that all that anybody wants is drawn: what was begun before is removed, since a folder with
// finished results holds no more than these need.
func (s *Store) Finished() error {
	if err := s.Sync(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.forget(func(Key) bool { return true })
	return err
}

// forget removes what was begun of the keys that drop names, and returns how many bytes these were.
func (s *Store) forget(drop func(Key) bool) (bytes int64, err error) {
	for _, path := range s.begun(drop) {
		if err := s.disk.Remove(path); err != nil {
			return bytes, err
		}
		bytes += int64(unfinishedStart + len(s.unfinished[path]))
		delete(s.unfinished, path)
	}
	return bytes, nil
}

// clear removes what was kept of places that are done.
func (s *Store) clear(done []string) (err error) {
	s.mu.Lock()
	s.done = slices.DeleteFunc(s.done, func(path string) bool { return slices.Contains(done, path) })
	for _, path := range done {
		delete(s.unfinished, path)
	}
	s.mu.Unlock()
	for _, path := range done {
		err = errors.Join(err, s.disk.Remove(path))
	}
	return err
}

// Remove removes a file of the system.
func (System) Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s cannot be removed: %w", filepath.Clean(path), err)
	}
	return nil
}

// Beside lists the files whose paths begin like that, in their order, but for those that are being written.
func (System) Beside(start string) (paths []string) {
	folder, base := filepath.Split(start)
	entries, err := os.ReadDir(filepath.Clean(folder))
	if err != nil {
		return nil // whoever opens a file there says so
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), base) && e.Type().IsRegular() && !strings.Contains(e.Name()[len(base):], ".") {
			paths = append(paths, folder+e.Name())
		}
	}
	return paths
}

func (m memory) Remove(path string) error {
	delete(m.files, path)
	return nil
}

func (m memory) Beside(start string) (paths []string) {
	for path := range m.files {
		if strings.HasPrefix(path, start) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}
