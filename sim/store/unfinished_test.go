package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mcsim/sim/checkpoint"
	"mcsim/sim/moments"
)

// versions are how many states of a place are kept one after the other.
const versions = 3

// stateOf is a state of a place.
func stateOf(block int64, version int) []byte {
	return append([]byte{byte(version)}, bytes.Repeat([]byte{byte(block), byte(version)}, 20)...)
}

// keeping draws four blocks on a disk, which take long: of each some states are kept. kept is called with a block and
// the version that the disk keeps of it, or versions+1 where it has its node.
func keeping(d Disk, kept func(block int64, version int)) error {
	s, err := OpenOn(d, "nodes", origin)
	if err != nil {
		return err
	}
	var drawnSince []int64
	for block := range int64(4) {
		at := moments.Place{Index: block}
		if len(s.Missing(rows, block, block+1, 0)) == 0 {
			continue
		}
		u, from := s.Unfinished(rows, at), 0
		if state := u.State(); state != nil {
			from = int(state[0])
			if !bytes.Equal(state, stateOf(block, from)) {
				return fmt.Errorf("of block %d stands there %x", block, state)
			}
		}
		for v := from + 1; v <= versions; v++ {
			u.Keep(stateOf(block, v))
			s.keeping.Wait()
			if err := s.Flush(); err != nil {
				return err
			}
			kept(block, v)
		}
		if err := s.Add(rows, at, drawn(rows, at)); err != nil {
			return err
		}
		u.Done()
		drawnSince = append(drawnSince, block)
		if block%2 == 1 {
			if err := s.Sync(); err != nil {
				return err
			}
			for _, b := range drawnSince {
				kept(b, versions+1)
			}
			drawnSince = nil
		}
	}
	if err := s.Finished(); err != nil {
		return err
	}
	return s.Close()
}

// Whenever the power is lost, and again, of every block there is its node, or the state that was kept last, or one behind
// it; and when all is drawn no state is left.
func TestUnfinishedOutlivesPower(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 2))
		if seed == 0 {
			r = nil
		}
		for steps, ended := 0, false; !ended; steps++ {
			known := map[int64]int{}
			d := newFaulty(r)
			for crashes := 0; ; crashes++ {
				if d.steps = steps; crashes > 3 {
					d.steps = -1
				}
				err := keeping(d, func(block int64, v int) { known[block] = max(known[block], v) })
				if err == nil {
					ended = ended || crashes == 0
					break
				}
				if !errors.Is(err, errPower) {
					t.Fatalf("seed %d, %d steps: %v", seed, steps, err)
				}
				d = d.crash()
				after := on(t, d.copied())
				for block, v := range known {
					there := len(after.Missing(rows, block, block+1, 0)) == 0
					state := after.Unfinished(rows, moments.Place{Index: block}).State()
					if !there && (v > versions || len(state) == 0 || int(state[0]) < v) {
						t.Fatalf("seed %d, %d steps: of block %d version %d was kept, and %x is there", seed, steps, block, v, state)
					}
				}
			}
			whole(t, on(t, d.copied()), rows, 4)
			if len(d.names) != 1 {
				t.Fatalf("seed %d, %d steps: at the end %d files are left", seed, steps, len(d.names))
			}
		}
	}
}

// begun is a disk on which a state of a block is kept, and the path of its file.
func begun(t failer) (d *faulty, path string) {
	t.Helper()
	d = newFaulty(nil)
	s := on(t, d)
	draw(t, s, cell, 2, 62)
	s.Unfinished(rows, moments.Place{Index: 5}).Keep(stateOf(5, 1))
	s.keeping.Wait()
	must(t, s.Sync())
	for path = range d.names {
		if path != "nodes" {
			return d, path
		}
	}
	t.Fatal("nothing is kept")
	return nil, ""
}

// Whatever byte of a state is another, or missing, it is found out, said, and not used; nor is it that of another place,
// seed or program.
func TestUnfinishedDamaged(t *testing.T) {
	d, path := begun(t)
	good := d.names[path].now
	with := func(b []byte) *Store {
		other := d.copied()
		other.names[path] = &inode{now: b, kept: b}
		return on(t, other)
	}
	stateIn := func(s *Store) []byte { return s.Unfinished(rows, moments.Place{Index: 5}).State() }
	if !bytes.Equal(stateIn(with(good)), stateOf(5, 1)) {
		t.Fatal("what was kept is not there")
	}
	for i := range good {
		flipped := bytes.Clone(good)
		flipped[i] ^= 1 << (i % 8)
		for what, b := range map[string][]byte{"flipped": flipped, "cut": good[:i]} {
			s := with(b)
			if f := s.Found(); stateIn(s) != nil || len(f.Spoilt) != 1 || f.Spoilt[0] != path || f.Damaged != 0 || f.Nodes == 0 {
				t.Errorf("%s at byte %d: found %+v, state %x", what, i, f, stateIn(s))
			}
			whole(t, s, cell, 2)
		}
	}
	s := with(good)
	for what, u := range map[string]*Unfinished{
		"another block": s.Unfinished(rows, moments.Place{Index: 6}), "another place": s.Unfinished(rows, moments.Place{Level: 1, Index: 5}),
		"another cell": s.Unfinished(cell, moments.Place{Index: 5}), "a pilot": s.Unfinished(rows.Pilot(), moments.Place{Index: 5}),
	} {
		if u.State() != nil {
			t.Errorf("%s has the state", what)
		}
	}
	other := bytes.Clone(good)
	other[unfinishedStart]++
	binary.LittleEndian.PutUint32(other[len(unfinishedHeader):], crc32.Checksum(other[unfinishedStart:], castagnoli))
	if s := with(other); stateIn(s) != nil || s.Found().Spoilt != nil || len(s.disk.Beside("nodes"+UnfinishedName)) > 0 {
		t.Errorf("of another program: found %+v, state %x", s.Found(), stateIn(s))
	}
}

// What was begun goes with its cell, and counts as begun until then.
func TestUnfinishedDropped(t *testing.T) {
	for what, drop := range map[string]func(*Store) error{
		"forgotten": func(s *Store) error {
			bytes, err := s.Drop(s.Of([]Cell{rows}))
			if bytes == 0 {
				t.Error("nothing is freed")
			}
			return err
		},
		"finished": func(s *Store) error { return s.Finished() },
	} {
		d, path := begun(t)
		s := on(t, d)
		if s.Begun(s.Of([]Cell{rows})) != 1 || s.Begun(s.Of([]Cell{cell})) != 0 {
			t.Errorf("%d places are begun", s.Begun(s.Of([]Cell{rows})))
		}
		size := int64(len(d.names[path].now))
		if bytes, err := s.Drop(func(k Key) bool { return k.ID == "another" }); err != nil || bytes != 0 || d.names[path] == nil || s.Found().Beside != size {
			t.Errorf("it goes with another cell: %d bytes, %v, found %+v", bytes, err, s.Found())
		}
		must(t, drop(s))
		if d.names[path] != nil || s.Begun(s.Of([]Cell{rows})) != 0 || s.Unfinished(rows, moments.Place{Index: 5}).State() != nil {
			t.Errorf("%s, it is there", what)
		}
		whole(t, s, cell, 2)
	}
}

// Where the disk is full, one line says so, and the nodes stay.
func TestUnfinishedFull(t *testing.T) {
	d := newFaulty(nil)
	s := on(t, d)
	draw(t, s, cell, 2, 62)
	must(t, s.Sync())
	d.room = 50
	s.Unfinished(rows, moments.Place{}).Keep(stateOf(0, 1))
	s.keeping.Wait()
	if err := s.Flush(); !errors.Is(err, errFull) || strings.Contains(err.Error(), "\n") {
		t.Errorf("it says %v", err)
	}
	whole(t, on(t, d.copied()), cell, 2)
	d.room = -1
	draw(t, s, cell, 4, 62)
	must(t, s.Sync())
	whole(t, on(t, d.copied()), cell, 4)
}

// On the disk of the system: a state is there for the next process, and goes with the node or the whole store.
func TestUnfinishedFiles(t *testing.T) {
	dir := t.TempDir()
	path, at := filepath.Join(dir, "nodes.bin"), moments.Place{Index: 1}
	open := func() *Store {
		s, err := Open(path, origin)
		must(t, err)
		return s
	}
	files := func() (n int) {
		all, err := filepath.Glob(path + UnfinishedName + "*")
		must(t, err)
		return len(all)
	}
	s := open()
	s.Unfinished(rows, at).Keep(stateOf(1, 1))
	must(t, s.Close())
	s.Unfinished(rows, moments.Place{}).Keep(stateOf(0, 1)) // by a worker that nobody waits for
	if files() != 1 {
		t.Fatalf("%d states are kept", files())
	}
	must(t, os.WriteFile(path+UnfinishedName+"0123456789abcdef.XYZ.new", []byte("half"), 0o644)) // of one that was killed
	s = open()
	u := s.Unfinished(rows, at)
	if !bytes.Equal(u.State(), stateOf(1, 1)) || s.Found().Spoilt != nil {
		t.Errorf("the next process has %x, and found %+v", u.State(), s.Found())
	}
	u.Keep(stateOf(1, 2))
	must(t, s.Add(rows, at, drawn(rows, at)))
	u.Done()
	must(t, s.Flush())
	if files() != 1 {
		t.Error("the state goes before the disk has the node")
	}
	must(t, s.Sync())
	if files() != 0 {
		t.Error("the state stays")
	}
	s.Unfinished(rows, moments.Place{}).Keep(stateOf(0, 1))
	s.keeping.Wait()
	if r, err := Read(path, Origin{}); err != nil || r.Found().Beside == 0 || r.Found().Spoilt != nil || files() != 1 {
		t.Errorf("to be read it has %+v, %v", r.Found(), err)
	} else {
		must(t, r.Close())
	}
	must(t, s.Remove())
	if all, _ := os.ReadDir(dir); len(all) != 0 {
		t.Errorf("%v are left", all)
	}
}

// Whatever the bytes behind a right checksum, the store opens, and what it takes for a state is of that place.
func FuzzUnfinished(f *testing.F) {
	d, path := begun(f)
	f.Add(d.names[path].now[unfinishedStart:])
	f.Add([]byte{})
	program, _ := checkpoint.Program()
	f.Add(program[:])
	f.Fuzz(func(t *testing.T, body []byte) {
		other := d.copied()
		file := append(binary.LittleEndian.AppendUint32([]byte(unfinishedHeader), crc32.Checksum(body, castagnoli)), body...)
		other.names[path] = &inode{now: file, kept: file}
		s := on(t, other)
		u := s.Unfinished(rows, moments.Place{Index: 5})
		if state := u.State(); state != nil && !bytes.Equal(append(bytes.Clone(u.head), state...), body) {
			t.Errorf("%x is read as %x", body, state)
		}
		must(t, s.Finished())
		draw(t, s, cell, 4, 62)
		whole(t, s, cell, 4)
	})
}

// slow is a disk that takes its time for what is kept.
type slow struct{ System }

func (s slow) Replace(path string, write func(io.Writer) error, ready func()) error {
	if strings.Contains(path, UnfinishedName) {
		time.Sleep(20 * time.Millisecond)
	}
	return s.System.Replace(path, write, ready)
}

// Workers that keep states all the time, on a slow disk, hold up nobody who has nodes synced, and nothing is kept once
// the store is closed.
func TestUnfinishedHoldsUpNobody(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes.bin")
	s, err := OpenOn(slow{}, path, origin)
	must(t, err)
	stop := make(chan struct{})
	var group sync.WaitGroup
	for i := range int64(8) {
		group.Go(func() {
			for u := s.Unfinished(rows, moments.Place{Index: i}); ; time.Sleep(100 * time.Microsecond) {
				select {
				case <-stop:
					return
				default:
					u.Keep(stateOf(i, 1))
				}
			}
		})
	}
	syncs := 0
	for begun := time.Now(); time.Since(begun) < 300*time.Millisecond; syncs++ {
		must(t, s.Sync())
	}
	if syncs < 3 {
		t.Errorf("%d syncs in 300 ms", syncs)
	}
	must(t, s.Close())
	kept := len(slow{}.Beside(path + UnfinishedName))
	time.Sleep(50 * time.Millisecond)
	close(stop)
	group.Wait()
	if n := len(slow{}.Beside(path + ".")); n != kept || kept == 0 {
		t.Errorf("%d states were kept, and %d files are there after the end", kept, n)
	}
}

// Several that have nodes synced at once do not meet in what they remove.
func TestSyncsAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes.bin")
	s, err := OpenOn(System{}, path, origin)
	must(t, err)
	var group sync.WaitGroup
	for i := range int64(6) {
		group.Go(func() {
			for j := range int64(20) {
				u := s.Unfinished(rows, moments.Place{Index: 100*i + j})
				u.Keep(stateOf(i, 1))
				u.Done()
				if err := s.Sync(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	must(t, s.Sync())
	if left := (System{}).Beside(path + UnfinishedName); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
	must(t, s.Close())
}
