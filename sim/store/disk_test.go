package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
)

// faulty is a disk that loses its power, or is full.
type faulty struct {
	r     *rand.Rand        // decides what of that which was not synced is kept; nil: nothing is
	names map[string]*inode // as a program sees them
	kept  map[string]*inode // as they are on the disk
	steps int               // that the power lasts for; negative: for ever
	room  int               // bytes; negative: any number
}

// inode is a file, whatever its name.
type inode struct {
	now, kept []byte
	pending   []change // that were made since it was synced
}

// change is a write, or, without bytes, a cut.
type change struct {
	at    int64
	bytes []byte
}

func (c change) on(b []byte) []byte {
	if c.bytes == nil {
		return b[:min(int(c.at), len(b))]
	}
	if more := int(c.at) + len(c.bytes) - len(b); more > 0 {
		b = append(b, make([]byte, more)...)
	}
	copy(b[c.at:], c.bytes)
	return b
}

func newFaulty(r *rand.Rand) *faulty {
	return &faulty{r: r, names: map[string]*inode{}, kept: map[string]*inode{}, steps: -1, room: -1}
}

var (
	errPower = errors.New("the power is lost")
	errFull  = errors.New("no space left on device")
)

// step is something that the disk does; it fails from a crash on.
func (d *faulty) step() error {
	if d.steps == 0 {
		return errPower
	}
	d.steps--
	return nil
}

// crash is the disk as it is found when the power is back.
func (d *faulty) crash() *faulty {
	after := newFaulty(d.r)
	names := d.kept
	if d.r != nil && d.r.IntN(2) == 0 {
		names = d.names
	}
	for name, f := range names {
		b := bytes.Clone(f.kept)
		for _, c := range f.pending {
			if d.r == nil || d.r.IntN(2) == 0 {
				continue
			}
			if c.bytes != nil && d.r.IntN(2) == 0 {
				c.bytes = c.bytes[:d.r.IntN(len(c.bytes)+1)]
				if len(c.bytes) == 0 {
					continue
				}
			}
			b = c.on(b)
		}
		whole := &inode{now: b, kept: bytes.Clone(b)}
		after.names[name], after.kept[name] = whole, whole
	}
	return after
}

func (d *faulty) Open(path string) (File, error) {
	f, ok := d.names[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return handle{d, f}, d.step()
}

// Replace does what that of the system does: the new file is synced before it has the name, and then the folder.
func (d *faulty) Replace(path string, write func(io.Writer) error, ready func()) error {
	f := &inode{}
	h := handle{d, f}
	err := write(appender{h})
	if err == nil {
		err = h.Sync()
	}
	if err != nil {
		if d.room >= 0 {
			d.room += len(f.now) // it is removed
		}
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	ready()
	if err := d.step(); err != nil {
		return err
	}
	if old := d.names[path]; old != nil && d.room >= 0 {
		d.room += len(old.now)
	}
	d.names[path] = f
	if err := d.step(); err != nil {
		return err
	}
	d.kept[path] = f
	return nil
}

// appender writes to the end of a file.
type appender struct{ handle }

func (a appender) Write(b []byte) (int, error) { return a.WriteAt(b, int64(len(a.f.now))) }

type handle struct {
	d *faulty
	f *inode
}

func (h handle) ReadAt(b []byte, at int64) (int, error) {
	return (&memoryFile{h.f.now}).ReadAt(b, at)
}

func (h handle) WriteAt(b []byte, at int64) (int, error) {
	if err := h.d.step(); err != nil {
		return 0, err
	}
	var full error
	if h.d.room >= 0 && len(b) > h.d.room {
		b, full = b[:h.d.room], errFull
	}
	if len(b) > 0 {
		h.f.do(change{at, bytes.Clone(b)})
	}
	if h.d.room >= 0 {
		h.d.room -= len(b)
	}
	return len(b), full
}

func (f *inode) do(c change) {
	f.now = c.on(f.now)
	f.pending = append(f.pending, c)
}

func (h handle) Truncate(size int64) error {
	if err := h.d.step(); err != nil {
		return err
	}
	if h.d.room >= 0 {
		h.d.room += len(h.f.now) - int(size)
	}
	h.f.do(change{at: size})
	return nil
}

func (h handle) Sync() error {
	if err := h.d.step(); err != nil {
		return err
	}
	h.f.kept, h.f.pending = bytes.Clone(h.f.now), nil
	return nil
}

func (h handle) Size() (int64, error) { return int64(len(h.f.now)), nil }
func (h handle) Close() error         { return nil }

// last is how many blocks of each cell a life draws.
const last = 16

// life is what a run does on a disk: it draws some blocks, has the file written anew by and by, syncs it, and
// at last compacts it. there is called with a cell and a number of blocks that are drawn, and synced or only flushed.
func life(d Disk, there func(c Cell, n int64, synced bool)) error {
	s, err := OpenOn(d, "nodes", origin)
	if err != nil {
		return err
	}
	for n := int64(2); n <= last; n += 2 {
		for _, c := range []Cell{cell, rows} {
			for _, at := range s.Missing(c, 0, last, 1) {
				if at.First() >= n {
					break
				}
				if err := s.Add(c, at, drawn(c, at)); err != nil {
					return err
				}
			}
		}
		record := map[int64]func() error{0: s.Sync, 6: s.Compact}[n%8]
		if record == nil {
			record = s.Flush
		}
		if err := record(); err != nil {
			return err
		}
		for _, c := range []Cell{cell, rows} {
			there(c, n, n%8 == 0)
		}
	}
	if err := s.Compact(); err != nil {
		return err
	}
	there(cell, last, true)
	there(rows, last, true)
	return s.Close()
}

// lived is the file of a life without trouble.
func lived(t failer) []byte {
	t.Helper()
	d := newFaulty(nil)
	must(t, life(d, func(Cell, int64, bool) {}))
	return d.kept["nodes"].kept
}

// Whenever the power is lost, and again, whatever a Sync had returned for is there; the rest is drawn again.
func TestPowerLost(t *testing.T) {
	want := lived(t)
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		if seed == 0 {
			r = nil // nothing that was not synced is kept
		}
		for steps, ended := 0, false; !ended; steps++ {
			synced := map[Cell]int64{}
			d := newFaulty(r)
			for crashes := 0; ; crashes++ {
				d.steps = steps
				if crashes > 3 {
					d.steps = -1
				}
				err := life(d, func(c Cell, n int64, sync bool) {
					if sync {
						synced[c] = max(synced[c], n)
					}
				})
				if err == nil {
					ended = ended || crashes == 0
					break
				}
				if !errors.Is(err, errPower) {
					t.Fatalf("seed %d, %d steps: %v", seed, steps, err)
				}
				d = d.crash()
				after := on(t, d.copied())
				for c, n := range synced {
					total(t, after, c, n, fmt.Sprintf("seed %d, %d steps, crash %d", seed, steps, crashes))
				}
			}
			if !bytes.Equal(d.names["nodes"].now, want) {
				t.Fatalf("seed %d, %d steps: the file has other bytes than one that was never lost", seed, steps)
			}
		}
	}
}

// copied is a disk with the same files, so that to look at them leaves no trace.
func (d *faulty) copied() *faulty {
	c := newFaulty(d.r)
	for name, f := range d.names {
		c.names[name] = &inode{now: bytes.Clone(f.now), kept: bytes.Clone(f.kept)}
	}
	return c
}

// total wants the blocks of a cell that were recorded.
func total(t failer, s *Store, c Cell, n int64, when string) {
	t.Helper()
	if missing := s.Missing(c, 0, last, 0); len(missing) > 0 && missing[0].First() < n {
		t.Fatalf("%s: %d blocks of %s were recorded, and %v is lost", when, n, c.ID, missing[0])
	}
	draw(t, s, c, last, 62)
	whole(t, s, c, last)
}

// Wherever the disk is full, one line says so, and all records before are there; with more room the run goes on to the same bytes.
func TestFull(t *testing.T) {
	want := lived(t)
	for room, ended := 0, false; !ended; room += 7 {
		d := newFaulty(nil)
		d.room = room
		recorded := map[Cell]int64{}
		err := life(d, func(c Cell, n int64, _ bool) { recorded[c] = max(recorded[c], n) })
		if ended = err == nil; ended {
			break
		}
		if !errors.Is(err, errFull) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "nodes cannot be written") {
			t.Fatalf("%d bytes of room: %q", room, err)
		}
		after := on(t, d.copied())
		if f := after.Found(); f.Damaged > 0 || f.Foreign {
			t.Errorf("%d bytes of room: the file is left with %+v", room, f)
		}
		for c, n := range recorded {
			total(t, after, c, n, fmt.Sprintf("%d bytes of room", room))
		}
		d.room = -1
		must(t, life(d, func(Cell, int64, bool) {}))
		if !bytes.Equal(d.names["nodes"].now, want) {
			t.Fatalf("%d bytes of room, and then more: the file has other bytes", room)
		}
	}
}

// A store outlives that its disk is full: what could not be recorded is when there is room again.
func TestFullAndEmptied(t *testing.T) {
	for room := range 400 {
		d := newFaulty(nil)
		s := on(t, d)
		draw(t, s, cell, 4, 62)
		must(t, s.Flush())
		d.room = room
		draw(t, s, rows, 4, 62)
		if err := s.Flush(); err == nil {
			break
		}
		d.room = -1
		draw(t, s, cell, 8, 62)
		must(t, s.Sync())
		again := on(t, d)
		whole(t, again, cell, 8)
		whole(t, again, rows, 4)
		if f := again.Found(); f.Damaged > 0 {
			t.Errorf("%d bytes of room: the file is left with %+v", room, f)
		}
	}
}
