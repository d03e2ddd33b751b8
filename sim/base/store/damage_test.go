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

// damagedCells are the cells in the files of these tests. One has the mark of records in its ID.
var damagedCells = []CellID{cell, rows, {ID: "variance/" + mark, Columns: mark + mark, Units: units}, cell.Pilot()}

const damagedBlocks = 7

// sampleAllMissing samples the missing blocks of the cells.
func sampleAllMissing(t testingT, s *Store) {
	t.Helper()
	for _, c := range damagedCells {
		sampleMissing(t, s, c, countBlocks(c), anyLevel)
	}
}

func countBlocks(c CellID) int64 {
	if c.IsPilot() {
		return 1
	}
	return damagedBlocks
}

// newFiles returns a file of several records, two of them of one cell, and a compacted file with
// the same nodes.
func newFiles(t testingT) (file, compacted []byte) {
	t.Helper()
	s := New(origin)
	sampleMissing(t, s, cell, 3, anyLevel)
	sampleMissing(t, s, rows, 4, anyLevel)
	must(t, s.Flush())
	sampleAllMissing(t, s)
	must(t, s.Flush())
	file = fileContent(s)
	must(t, s.Compact())
	return file, fileContent(s)
}

// findRecords returns the positions of the records of an undamaged file, and its end.
func findRecords(file []byte) (starts []int) {
	for start := len(header); start < len(file); {
		starts = append(starts, start)
		start += frameSize + int(binary.LittleEndian.Uint64(file[start+len(mark):]))
	}
	return append(starts, len(file))
}

// checkRepair opens a damaged file. It checks the number of nodes that the store finds, the number
// of lost bytes, and that no total is wrong. After the missing blocks are sampled again, the file
// must have the bytes of a file that was never damaged.
func checkRepair(t *testing.T, name string, file, compacted []byte, nodes, lost int) {
	t.Helper()
	s := openInMemory(t, file)
	if f := s.Found(); f.Nodes != nodes || f.Lost != int64(lost) || f.Foreign {
		t.Errorf("%s: found %+v, want %d nodes and %d lost bytes", name, f, nodes, lost)
	}
	for _, c := range damagedCells {
		for n := range countBlocks(c) {
			total, ok, err := s.Total(c, n+1)
			if err != nil {
				t.Errorf("%s: total of %d blocks of %s: %v", name, n+1, c.ID, err)
			}
			if ok && !bytes.Equal(moments.AppendNode(nil, total), mergeInOrder(c, n+1)) {
				t.Errorf("%s: the total of %d blocks of %s is wrong", name, n+1, c.ID)
			}
		}
	}
	sampleAllMissing(t, s)
	must(t, s.Flush())
	reopened := openInMemory(t, fileContent(s)) // before it is compacted
	for _, c := range damagedCells {
		checkTotal(t, reopened, c, countBlocks(c))
	}
	must(t, s.Compact())
	if !bytes.Equal(fileContent(s), compacted) {
		t.Errorf("%s: the repaired file differs from one that was never damaged", name)
	}
}

// countNodes returns the number of nodes in an undamaged file.
func countNodes(t testingT, file []byte) int {
	t.Helper()
	return openInMemory(t, file).Found().Nodes
}

// TestEveryByteFlipped checks for every byte that the records before it are found if it changes,
// and that the lost records can be sampled again.
func TestEveryByteFlipped(t *testing.T) {
	file, compacted := newFiles(t)
	flip := func(position int, mask byte) []byte {
		b := bytes.Clone(file)
		b[position] ^= mask
		return b
	}
	starts := findRecords(file)
	for _, mask := range []byte{0x01, 0x80} {
		for i := range len(header) {
			s := openInMemory(t, flip(i, mask))
			if f := s.Found(); f.Nodes != countNodes(t, file) || f.Lost != int64(len(header)) {
				t.Errorf("byte %d ^ %#x of the header: found %+v, want all nodes and the header lost", i, mask, f)
			}
			must(t, s.Compact())
			if !bytes.Equal(fileContent(s), compacted) {
				t.Errorf("byte %d ^ %#x of the header: the repaired file has other bytes", i, mask)
			}
		}
		for r, start := range starts[:len(starts)-1] {
			nodes := countNodes(t, file[:start])
			for i := start; i < starts[r+1]; i++ {
				checkRepair(t, fmt.Sprintf("byte %d ^ %#x", i, mask), flip(i, mask), compacted, nodes, len(file)-start)
			}
		}
	}
}

// TestEveryLength checks for every length that the complete records of a file truncated to it are
// found.
func TestEveryLength(t *testing.T) {
	file, compacted := newFiles(t)
	starts := findRecords(file)
	for r, start := range starts[:len(starts)-1] {
		nodes := countNodes(t, file[:start])
		for end := start; end < starts[r+1]; end++ {
			checkRepair(t, fmt.Sprintf("cut at %d", end), file[:end], compacted, nodes, end-start)
		}
	}
	for end := range len(header) {
		checkReplaced(t, file[:end], compacted)
	}
}

// checkReplaced checks that a file is replaced by a new one without nodes, and that Found reports
// this.
func checkReplaced(t *testing.T, file, compacted []byte) {
	t.Helper()
	s := openInMemory(t, file)
	if f := s.Found(); !f.Foreign || f.Nodes > 0 {
		t.Errorf("%q: found %+v, want a foreign file without nodes", file, f)
	}
	sampleAllMissing(t, s)
	must(t, s.Compact())
	if !bytes.Equal(fileContent(s), compacted) {
		t.Errorf("%q: the file differs from one that was never damaged", file)
	}
}

// TestTorn checks that the records before an incomplete write are found. Such a write may leave
// zeros, other bytes, a part of a record, or zeros within a record.
func TestTorn(t *testing.T) {
	file, compacted := newFiles(t)
	starts := findRecords(file)
	noise := make([]byte, 5000)
	rand.NewChaCha8([32]byte{1}).Read(noise)
	huge := append([]byte(mark), bytes.Repeat([]byte{0xff}, 40)...)
	for name, torn := range map[string][]byte{
		"a byte": {0}, "noise": noise, "zeros": make([]byte, 4096), "half a mark": []byte(mark[:4]),
		"a mark":                  []byte(mark),
		"a record of 2⁶⁴−1 bytes": huge, "half a record": file[starts[1] : (starts[1]+starts[2])/2],
	} {
		for _, position := range starts {
			b := bytes.Join([][]byte{file[:position], torn, file[position:]}, nil)
			checkRepair(t, fmt.Sprintf("%s at %d", name, position), b, compacted, countNodes(t, file[:position]),
				len(b)-position)
		}
	}
	for r, start := range starts[:len(starts)-1] {
		zeroed := bytes.Clone(file)
		clear(zeroed[(start+starts[r+1])/2 : starts[r+1]])
		checkRepair(t, fmt.Sprintf("zeros in the second half of the record at %d", start), zeroed, compacted,
			countNodes(t, file[:start]), len(file)-start)
	}
}

// TestForeign checks that a file of an earlier format is replaced, and that files of other programs
// are refused and not changed.
func TestForeign(t *testing.T) {
	_, compacted := newFiles(t)
	for _, text := range []string{"", header[:5], "mcsim nodes 3\n" + string(make([]byte, 500))} {
		checkReplaced(t, []byte(text), compacted)
	}
	path := filepath.Join(t.TempDir(), "nodes")
	for _, content := range []string{"a,b\n1,2\n", mark, "mcsim shard 1\n"} {
		must(t, os.WriteFile(path, []byte(content), 0o644))
		if _, err := Open(path, origin); !errors.Is(err, errNotNodes) {
			t.Errorf("%q: error %v, want %v", content, err, errNotNodes)
		}
		if got := string(mustReadFile(t, path)); got != content {
			t.Errorf("the file %q is changed to %q", content, got)
		}
	}
}

// TestImpossible checks that a record with a correct checksum counts as damaged if no run could
// have sampled its nodes, or if they cannot be merged.
func TestImpossible(t *testing.T) {
	good := newBlockNode(cell, 0)
	other := moments.Node{Moments: []moments.Moments{moments.New([]float64{1, 2, 3}, 2)}, Counts: good.Counts}
	next := moments.BlockRange{Index: 1}
	first := NewEntry(moments.BlockRange{}, good)
	for name, entries := range map[string][]Entry{
		"no nodes": nil,
		"a node of too many numbers": {NewEntry(moments.BlockRange{},
			mergeHalves(cell, moments.BlockRange{Level: 1}))},
		"a range without an end":    {NewEntry(moments.BlockRange{Level: 62, Index: 1}, good)},
		"a level above the maximum": {NewEntry(moments.BlockRange{Level: 63}, good)},
		"a byte too many":           {{Node: append(moments.AppendNode(nil, good), 0)}},
		"another order of moments":  {first, NewEntry(next, other)},
		"fewer counts":              {first, NewEntry(next, moments.Node{Moments: good.Moments})},
		"other windows than those before": {NewEntry(moments.BlockRange{}, addWindow(good, 1)),
			NewEntry(next, addWindow(good, 2))},
	} {
		s := openInMemory(t, appendRecord([]byte(header), origin.newID(cell), entries))
		if f := s.Found(); f.Nodes > 0 || f.Lost == 0 {
			t.Errorf("%s: found %+v, want no nodes and some lost bytes", name, f)
		}
		sampleMissing(t, s, cell, 4, anyLevel)
		checkTotal(t, s, cell, 4)
	}
}

func addWindow(n moments.Node, step float64) moments.Node {
	n.Histograms = []moments.Histogram{{Windows: []moments.Window{{Step: step, Bins: 1}}, Counts: []int64{1}}}
	return n
}

// smallDisk is a file on a disk with few free bytes.
type smallDisk struct {
	memory
	free int // bytes
}

var errFull = errors.New("no space left on device")

func (f *smallDisk) WriteAt(b []byte, offset int64) (int, error) {
	if len(b) > f.free {
		f.memory.WriteAt(b[:f.free], offset)
		return f.free, errFull
	}
	f.free -= len(b)
	return f.memory.WriteAt(b, offset)
}

// TestFull fills the disk at every byte of a file. It checks that the error has one line, that only
// complete records remain, and that the other nodes are recorded when there is room again.
func TestFull(t *testing.T) {
	for free, isFull := 0, true; isFull; free++ {
		s := New(origin)
		f := &smallDisk{memory{fileContent(s)}, free}
		s.file = f
		recorded := []CellID{}
		isFull = false
		for _, c := range damagedCells {
			sampleMissing(t, s, c, countBlocks(c), anyLevel)
			err := s.Flush()
			if err == nil && !isFull {
				recorded = append(recorded, c)
				continue
			}
			isFull = true
			if !errors.Is(err, errFull) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%d free bytes: error %q, want one line with %v", free, err, errFull)
			}
		}
		reopened := openInMemory(t, f.b)
		if lost := reopened.Found().Lost; lost > 0 {
			t.Errorf("%d free bytes: the file has %d bytes of incomplete records, want none", free, lost)
		}
		for _, c := range recorded {
			checkTotal(t, reopened, c, countBlocks(c))
		}
		f.free = 1 << 20
		must(t, s.Flush())
		for _, c := range damagedCells {
			checkTotal(t, openInMemory(t, f.b), c, countBlocks(c))
		}
	}
}

// brokenDisk is a file on a disk that fails to sync.
type brokenDisk struct{ memory }

var errDisk = errors.New("input/output error")

func (f *brokenDisk) Sync() error { return errDisk }

// TestSyncReportsTheDisk checks that an error of the disk reaches the caller and names the file.
func TestSyncReportsTheDisk(t *testing.T) {
	s := New(origin)
	s.path, s.file = "nodes.bin", &brokenDisk{*s.file.(*memory)}
	err := s.Sync()
	if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "nodes.bin") {
		t.Errorf("error %v, want %v with the name of the file", err, errDisk)
	}
}

// TestOpenSweeps checks that Open removes new files that killed processes left.
func TestOpenSweeps(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "nodes.bin"), []byte(header), 0o644))
	stale := filepath.Join(dir, "nodes.bin.00000000-1-ABCDEFGHIJKL.new")
	must(t, os.WriteFile(stale, nil, 0o644))
	old := time.Now().Add(-2 * time.Hour)
	must(t, os.Chtimes(stale, old, old))
	mustOpen(t, filepath.Join(dir, "nodes.bin"), origin)
	if _, err := os.Stat(stale); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is not removed (error %v)", stale, err)
	}
}

// TestReadErrorNamesFileAndCell changes or truncates the file after it was opened, and checks the
// error of Total.
func TestReadErrorNamesFileAndCell(t *testing.T) {
	for name, damage := range map[string]func(path string, size int64) error{
		"changed": func(path string, size int64) error {
			b := mustReadFile(t, path)
			for i := len(header); i < len(b); i++ {
				b[i] = 0xff
			}
			return os.WriteFile(path, b, 0o644)
		},
		"cut short": func(path string, size int64) error { return os.Truncate(path, size-8) },
	} {
		path := filepath.Join(t.TempDir(), "nodes.bin")
		s := mustOpen(t, path, origin)
		sampleMissing(t, s, cell, 4, anyLevel)
		must(t, s.Flush())
		info, err := os.Stat(path)
		must(t, err)
		must(t, damage(path, info.Size()))
		_, _, err = s.Total(cell, 4)
		if !errors.Is(err, ErrDamaged) || !strings.HasPrefix(err.Error(), "cell "+cell.ID+": "+path+": ") {
			t.Errorf("%s: error %v, want %v with the cell and the file", name, err, ErrDamaged)
		}
	}
}

// TestManyRecordsInFallingOrder checks that a file with many records in an unfavourable order is
// read, and that the last of two nodes of one range is used.
func TestManyRecordsInFallingOrder(t *testing.T) {
	const count = 60_000
	s := New(origin)
	entry := func(index int64, mean float64) []Entry {
		m := moments.New([]float64{mean, mean, mean}, 2)
		m.N = units
		return []Entry{NewEntry(moments.BlockRange{Index: index}, moments.Node{Moments: []moments.Moments{m}})}
	}
	file := []byte(header)
	for i := range int64(count) {
		file = origin.AppendRecord(file, cell, entry(count-i-1, 1))
	}
	file = origin.AppendRecord(file, cell, entry(0, 2))
	s.file = &memory{file}
	_, err := s.load(int64(len(file)))
	must(t, err)
	if s.found.Nodes != count || s.found.Lost != 0 {
		t.Errorf("%d nodes are read and %d bytes lost, want %d nodes", s.found.Nodes, s.found.Lost, count)
	}
	n, ok, err := s.Total(cell, 1)
	if err != nil || !ok || n.Moments[0].Mean != 2 {
		t.Errorf("got the mean %v, want that of the last node, 2 (%v, %v)", n.Moments, ok, err)
	}
}

// TestOtherLayouts checks that nodes of a file that cannot be merged with added nodes are an error.
func TestOtherLayouts(t *testing.T) {
	m := moments.New([]float64{1, 2}, 2)
	m.N = units
	for name, other := range map[string]moments.Node{
		"moments": {Moments: []moments.Moments{m, m}},
		"order":   {Moments: []moments.Moments{{N: units, Order: 4}}},
		"counts":  {Moments: []moments.Moments{m}, Counts: []int64{1}},
	} {
		s := New(origin)
		must(t, s.Add(cell, moments.BlockRange{}, other))
		must(t, s.Flush())
		must(t, s.Add(cell, moments.BlockRange{Index: 1}, moments.Node{Moments: []moments.Moments{m}}))
		if _, _, err := s.Total(cell, 2); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: got the error %v, want %v", name, err, ErrDamaged)
		}
	}
}
