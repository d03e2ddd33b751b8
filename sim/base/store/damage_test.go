package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcsim/sim/base/moments"
)

// damaged are the cells of the file of these tests. One has the mark of records in its name.
var damaged = []CellID{cell, rows, {ID: "variance/" + mark, Columns: mark + mark, Units: units}, cell.Pilot()}

const damagedBlocks = 7

// fillAll draws what the cells lack.
func fillAll(t failer, s *Store) {
	t.Helper()
	for _, c := range damaged {
		draw(t, s, c, blocksOf(c), 62)
	}
}

func blocksOf(c CellID) int64 {
	if c.IsPilot() {
		return 1
	}
	return damagedBlocks
}

// spare is a file of several records, those of one cell in parts, and the same nodes in a file that
// was written anew.
func spare(t failer) (file, anew []byte) {
	t.Helper()
	s := New(origin)
	draw(t, s, cell, 3, 62)
	draw(t, s, rows, 4, 62)
	must(t, s.Flush())
	fillAll(t, s)
	must(t, s.Flush())
	file = content(s)
	must(t, s.Compact())
	return file, content(s)
}

// records are where the records of an undamaged file begin, and its end.
func records(file []byte) (starts []int) {
	for at := len(header); at < len(file); {
		starts = append(starts, at)
		at += frameSize + int(binary.LittleEndian.Uint64(file[at+len(mark):]))
	}
	return append(starts, len(file))
}

// mends wants a store to find nodes, and so many bytes lost, to have no wrong total, and the bytes
// of an undamaged file when what it asks for was drawn.
func mends(t *testing.T, what string, file, anew []byte, nodes, lost int) {
	t.Helper()
	s := holding(t, file)
	if f := s.Found(); f.Nodes != nodes || f.Lost != int64(lost) || f.Foreign {
		t.Errorf("%s: it found %+v, want %d nodes, and %d bytes lost", what, f, nodes, lost)
	}
	for _, c := range damaged {
		for n := range blocksOf(c) {
			total, ok, err := s.Total(c, n+1)
			if err != nil || ok && !bytes.Equal(moments.AppendNode(nil, total), straight(c, n+1)) {
				t.Errorf("%s: a wrong total of %d blocks of %s (%v)", what, n+1, c.ID, err)
			}
		}
	}
	fillAll(t, s)
	must(t, s.Flush())
	reopened := holding(t, content(s)) // before it was written anew
	for _, c := range damaged {
		whole(t, reopened, c, blocksOf(c))
	}
	must(t, s.Compact())
	if !bytes.Equal(content(s), anew) {
		t.Errorf("%s: mended, the file has other bytes than one that was never damaged", what)
	}
}

// nodesIn is how many nodes an undamaged file of these bytes has.
func nodesIn(t failer, file []byte) int {
	t.Helper()
	return holding(t, file).Found().Nodes
}

// Whatever byte changes, the records before the one that it is in are found, and the rest is drawn
// again.
func TestEveryByteFlipped(t *testing.T) {
	file, anew := spare(t)
	flipped := func(at int, by byte) []byte {
		b := bytes.Clone(file)
		b[at] ^= by
		return b
	}
	starts := records(file)
	for _, by := range []byte{0x01, 0x80} {
		for i := range len(header) {
			s := holding(t, flipped(i, by))
			if f := s.Found(); f.Nodes != nodesIn(t, file) || f.Lost != int64(len(header)) {
				t.Errorf("byte %d ^ %#x of the header: it found %+v", i, by, f)
			}
			must(t, s.Compact())
			if !bytes.Equal(content(s), anew) {
				t.Errorf("byte %d ^ %#x of the header: mended, the file has other bytes", i, by)
			}
		}
		for r, start := range starts[:len(starts)-1] {
			nodes := nodesIn(t, file[:start])
			for i := start; i < starts[r+1]; i++ {
				mends(t, fmt.Sprintf("byte %d ^ %#x", i, by), flipped(i, by), anew, nodes, len(file)-start)
			}
		}
	}
}

// Wherever the file ends, the records before are found.
func TestEveryLength(t *testing.T) {
	file, anew := spare(t)
	starts := records(file)
	for r, start := range starts[:len(starts)-1] {
		nodes := nodesIn(t, file[:start])
		for end := start; end < starts[r+1]; end++ {
			mends(t, fmt.Sprintf("cut at %d", end), file[:end], anew, nodes, end-start)
		}
	}
	for end := range len(header) {
		replaced(t, file[:end], anew)
	}
}

// replaced wants a file to be replaced by one without nodes, which says so.
func replaced(t *testing.T, file, anew []byte) {
	t.Helper()
	s := holding(t, file)
	if f := s.Found(); !f.Foreign || f.Nodes > 0 {
		t.Errorf("%q: it found %+v", file, f)
	}
	fillAll(t, s)
	must(t, s.Compact())
	if !bytes.Equal(content(s), anew) {
		t.Errorf("%q: the file has other bytes than one that was never damaged", file)
	}
}

// A write that was torn leaves zeros or noise, a part of itself, or a hole: what stands before is
// found.
func TestTorn(t *testing.T) {
	file, anew := spare(t)
	starts := records(file)
	noise := make([]byte, 5000)
	rand.NewChaCha8([32]byte{1}).Read(noise)
	huge := append([]byte(mark), bytes.Repeat([]byte{0xff}, 40)...)
	for what, torn := range map[string][]byte{
		"a byte": {0}, "noise": noise, "zeros": make([]byte, 4096), "half a mark": []byte(mark[:4]), "a mark": []byte(mark),
		"a record of 2⁶⁴−1 bytes": huge, "half a record": file[starts[1] : (starts[1]+starts[2])/2],
	} {
		for _, at := range starts {
			b := bytes.Join([][]byte{file[:at], torn, file[at:]}, nil)
			mends(t, fmt.Sprintf("%s at %d", what, at), b, anew, nodesIn(t, file[:at]), len(b)-at)
		}
	}
	for r, at := range starts[:len(starts)-1] {
		hole := bytes.Clone(file)
		clear(hole[(at+starts[r+1])/2 : starts[r+1]])
		mends(t, fmt.Sprintf("a hole behind %d", at), hole, anew, nodesIn(t, file[:at]), len(file)-at)
	}
}

// A file of an earlier format is replaced, and that is said; one of something else is refused, and
// left as it was.
func TestForeign(t *testing.T) {
	_, anew := spare(t)
	for _, text := range []string{"", header[:5], "mcsim nodes 3\n" + string(make([]byte, 500))} {
		replaced(t, []byte(text), anew)
	}
	path := filepath.Join(t.TempDir(), "nodes")
	for _, given := range []string{"a,b\n1,2\n", mark, "mcsim shard 1\n"} {
		must(t, os.WriteFile(path, []byte(given), 0o644))
		if _, err := Open(path, origin); !errors.Is(err, errNotNodes) || string(text(t, path)) != given {
			t.Errorf("%q: %v, and the file is %q", given, err, text(t, path))
		}
	}
}

// A record whose checksum is right and whose nodes are none that could be drawn, or merged, is
// damage.
func TestImpossible(t *testing.T) {
	good := block(cell, 0)
	four := moments.Node{Moments: []moments.Moments{moments.New([]float64{1, 2, 3}, 2)}, Counts: good.Counts}
	next := moments.BlockRange{Index: 1}
	first := NewEntry(moments.BlockRange{}, good)
	for what, entries := range map[string][]Entry{
		"no nodes":                        nil,
		"a node of too many numbers":      {NewEntry(moments.BlockRange{}, drawn(cell, moments.BlockRange{Level: 1}))},
		"a place of no end":               {NewEntry(moments.BlockRange{Level: 62, Index: 1}, good)},
		"a level beyond all":              {NewEntry(moments.BlockRange{Level: 63}, good)},
		"a byte too many":                 {{Node: append(moments.AppendNode(nil, good), 0)}},
		"another order of moments":        {first, NewEntry(next, four)},
		"fewer counts":                    {first, NewEntry(next, moments.Node{Moments: good.Moments})},
		"other windows than those before": {NewEntry(moments.BlockRange{}, windowedBy(good, 1)), NewEntry(next, windowedBy(good, 2))},
	} {
		s := holding(t, appendRecord([]byte(header), origin.key(cell), entries))
		if f := s.Found(); f.Nodes > 0 || f.Lost == 0 {
			t.Errorf("%s: %+v", what, f)
		}
		draw(t, s, cell, 4, 62)
		whole(t, s, cell, 4)
	}
}

func windowedBy(n moments.Node, step float64) moments.Node {
	n.Histograms = []moments.Histogram{{Windows: []moments.Window{{Step: step, Bins: 1}}, Counts: []int64{1}}}
	return n
}

// room is a file on a disk that is nearly full.
type room struct {
	memory
	left int // bytes
}

var errFull = errors.New("no space left on device")

func (f *room) WriteAt(b []byte, at int64) (int, error) {
	if len(b) > f.left {
		f.memory.WriteAt(b[:f.left], at)
		return f.left, errFull
	}
	f.left -= len(b)
	return f.memory.WriteAt(b, at)
}

// Wherever the disk is full, one line says so, all records before are there, and nothing of the one
// that has no room; with more room that is recorded too.
func TestFull(t *testing.T) {
	for left, full := 0, true; full; left++ {
		s := New(origin)
		f := &room{memory{content(s)}, left}
		s.file = f
		recorded := []CellID{}
		full = false
		for _, c := range damaged {
			draw(t, s, c, blocksOf(c), 62)
			err := s.Flush()
			if err == nil && !full {
				recorded = append(recorded, c)
				continue
			}
			full = true
			if !errors.Is(err, errFull) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%d bytes of room: %q", left, err)
			}
		}
		after := holding(t, f.b)
		if lost := after.Found().Lost; lost > 0 {
			t.Errorf("%d bytes of room: %d bytes are left of what has none", left, lost)
		}
		for _, c := range recorded {
			whole(t, after, c, blocksOf(c))
		}
		f.left = 1 << 20
		must(t, s.Flush())
		for _, c := range damaged {
			whole(t, holding(t, f.b), c, blocksOf(c))
		}
	}
}

// brokenSync is a file on a disk that cannot keep what is written.
type brokenSync struct{ memory }

var errDisk = errors.New("input/output error")

func (f *brokenSync) Sync() error { return errDisk }

// TestSyncReportsTheDisk: an error of the disk reaches the caller and names the file.
func TestSyncReportsTheDisk(t *testing.T) {
	s := New(origin)
	s.path, s.file = "nodes.bin", &brokenSync{*s.file.(*memory)}
	err := s.Sync()
	if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "nodes.bin") {
		t.Errorf("got %v", err)
	}
}

// TestOpenSweeps: Open removes the new files that killed processes left in the folder.
func TestOpenSweeps(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "nodes.bin"), []byte(header), 0o644))
	left := filepath.Join(dir, "nodes.bin.00000000-1-ABCDEFGHIJKL.new")
	must(t, os.WriteFile(left, nil, 0o644))
	old := time.Now().Add(-2 * time.Hour)
	must(t, os.Chtimes(left, old, old))
	opened(t, filepath.Join(dir, "nodes.bin"), origin)
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v", left, err)
	}
}

// TestReadErrorNamesFileAndCell: the file may be changed or cut short after it was opened.
func TestReadErrorNamesFileAndCell(t *testing.T) {
	for name, damage := range map[string]func(path string, size int64) error{
		"changed": func(path string, size int64) error {
			b := text(t, path)
			for i := len(header); i < len(b); i++ {
				b[i] = 0xff
			}
			return os.WriteFile(path, b, 0o644)
		},
		"cut short": func(path string, size int64) error { return os.Truncate(path, size-8) },
	} {
		path := filepath.Join(t.TempDir(), "nodes.bin")
		s := opened(t, path, origin)
		draw(t, s, cell, 4, 62)
		must(t, s.Flush())
		info, err := os.Stat(path)
		must(t, err)
		must(t, damage(path, info.Size()))
		_, _, err = s.Total(cell, 4)
		if !errors.Is(err, ErrDamaged) || !strings.HasPrefix(err.Error(), "cell "+cell.ID+": "+path+": ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
