package store

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"mcsim/sim/base/moments"
)

// units is the number of numbers in a block of these tests.
const units = 3

// anyLevel is the largest level of a range, with which the lengths of missing ranges are not
// limited.
const anyLevel = 62

var (
	origin = Origin{Kernel: 1, Seed: 7, SamplerVersion: sampleVersions("v1")}
	cell   = CellID{ID: "variance/normal/d_k=64", Columns: "x4", Units: units}
	rows   = CellID{ID: "rows/normal", Contents: "bins", Columns: "x4", Units: units}
)

// sampleVersions returns the SamplerVersion of a program whose experiment variance has the given
// version.
func sampleVersions(variance string) func(string) string {
	return func(experiment string) string {
		return map[string]string{"variance": variance, "rows": "r1"}[experiment]
	}
}

var fineWindows = []moments.Window{{Lo: -1.5, Step: 0.25, Bins: 6}}

// newBlockNode returns a node whose bits depend only on the cell and the block i. Nodes of the cell
// rows have histograms with windows, as cells with quantiles have.
func newBlockNode(c CellID, i int64) moments.Node {
	x := float64(i)
	n := moments.Node{Moments: []moments.Moments{moments.New([]float64{x, 1 / (x + 1), x * x}, 4)},
		Counts: []int64{i, int64(len(c.ID))}}
	if c.Contents == rows.Contents {
		n.Histograms = []moments.Histogram{{Windows: fineWindows, FirstBin: int(i % 5), Counts: []int64{1, i + 1, 1}}}
	}
	return n
}

// mergeHalves returns the node of a range. It merges the nodes of the halves, left before right.
func mergeHalves(c CellID, r moments.BlockRange) moments.Node {
	if r.Level == 0 {
		return newBlockNode(c, r.Index)
	}
	left, right := r.Halves()
	return moments.MergeNodes(mergeHalves(c, left), mergeHalves(c, right))
}

// mergeInOrder returns the binary form of a cell's first n blocks, merged without a store.
func mergeInOrder(c CellID, n int64) []byte {
	var total moments.Node
	for i, r := range moments.SplitDyadic(0, n) {
		if node := mergeHalves(c, r); i == 0 {
			total = node
		} else {
			total = moments.MergeNodes(total, node)
		}
	}
	return moments.AppendNode(nil, total)
}

// testingT is a testing.T, or a T of package rapid.
type testingT interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

func must(t testingT, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sampleMissing samples the missing blocks among a cell's first n, in ranges of at most 2^level
// blocks, and returns their number.
func sampleMissing(t testingT, s *Store, c CellID, n int64, level int) (blocks int64) {
	t.Helper()
	for _, r := range s.Missing(c, 0, n, level) {
		must(t, s.Add(c, r, mergeHalves(c, r)))
		blocks += r.Blocks()
	}
	return blocks
}

// checkTotal compares the total of a cell's first n blocks with mergeInOrder.
func checkTotal(t testingT, s *Store, c CellID, n int64) {
	t.Helper()
	total, ok, err := s.Total(c, n)
	switch {
	case err != nil:
		t.Fatal(err)
	case !ok:
		t.Fatalf("%s has no total of %d blocks", c.ID, n)
	case !bytes.Equal(moments.AppendNode(nil, total), mergeInOrder(c, n)):
		t.Errorf("%s: the total of %d blocks is wrong", c.ID, n)
	}
}

// mustOpen opens a file of nodes and closes it when the test ends.
func mustOpen(t *testing.T, path string, o Origin) *Store {
	t.Helper()
	s, err := Open(path, o)
	must(t, err)
	t.Cleanup(func() { s.Close() }) // further calls do nothing
	return s
}

// openInMemory opens a file in memory.
func openInMemory(t testingT, b []byte) *Store {
	t.Helper()
	s := newStore("", origin)
	s.file = &memory{bytes.Clone(b)}
	must(t, s.prepare(int64(len(b))))
	return s
}

// fileContent returns the file of a store in memory.
func fileContent(s *Store) []byte { return bytes.Clone(s.file.(*memory).b) }

func mustReadFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}

// TestRoundTrip checks that recorded nodes are found when the file is opened again, before and
// after it is compacted, and that reading does not change the file.
func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes")
	s := mustOpen(t, path, origin)
	for _, c := range []CellID{cell, rows} {
		sampleMissing(t, s, c, 5, anyLevel)
		must(t, s.Flush())
		sampleMissing(t, s, c, 20, anyLevel)
	}
	must(t, s.Add(cell.Pilot(), moments.BlockRange{}, newBlockNode(cell.Pilot(), 1)))
	must(t, s.Sync())
	must(t, s.Close())
	for range 2 {
		s = mustOpen(t, path, origin)
		for _, c := range []CellID{cell, rows} {
			for _, n := range []int64{12, 14, 16, 20} { // in the octave for which the windows of rows are made
				checkTotal(t, s, c, n)
			}
		}
		total, ok, err := s.Total(cell.Pilot(), 1)
		if !ok || err != nil {
			t.Fatalf("the pilot is found: %v (error %v), want true", ok, err)
		}
		want := newBlockNode(cell.Pilot(), 1)
		if !bytes.Equal(moments.AppendNode(nil, total), moments.AppendNode(nil, want)) {
			t.Errorf("the pilot is %+v, want %+v", total, want)
		}
		must(t, s.Compact())
		must(t, s.Close())
	}
	before := mustReadFile(t, path)
	read, err := Read(path, origin)
	must(t, err)
	must(t, read.Close())
	if !bytes.Equal(mustReadFile(t, path), before) {
		t.Error("Read changed the file")
	}
}

// TestIDs changes one field of an origin or a cell at a time. It checks that nodes are found only
// under the ID with which they were recorded, and that nodes with other IDs do not replace them.
func TestIDs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes")
	s := mustOpen(t, path, origin)
	sampleMissing(t, s, cell, 8, anyLevel)
	must(t, s.Add(cell.Pilot(), moments.BlockRange{}, newBlockNode(cell, 1)))
	must(t, s.Compact())
	must(t, s.Close())
	for name, c := range map[string]struct {
		Origin
		CellID
		findsPilot bool // whether the pilot must be found
	}{
		"seed":         {Origin{1, 8, 0, sampleVersions("v1")}, cell, true},
		"attempt":      {Origin{1, 7, 1, sampleVersions("v1")}, cell, true},
		"kernel":       {Origin{2, 7, 0, sampleVersions("v1")}, cell, false},
		"draw version": {Origin{1, 7, 0, sampleVersions("v2")}, cell, false},
		"id":           {origin, CellID{"variance/normal/d_k=65", "", "x4", units}, false},
		"contents":     {origin, CellID{cell.ID, "other", "x4", units}, false},
		"columns":      {origin, CellID{cell.ID, "", "x4 y2", units}, false},
		"units":        {origin, CellID{cell.ID, "", "x4", units + 1}, true},
	} {
		other, err := Open(path, c.Origin)
		must(t, err)
		if missing := other.Missing(c.CellID, 0, 8, anyLevel); len(missing) == 0 {
			t.Errorf("another %s: the nodes are found, want them missing", name)
		}
		if _, ok, _ := other.Total(c.Pilot(), 1); ok != c.findsPilot {
			t.Errorf("another %s: the pilot is found: %v, want %v", name, ok, c.findsPilot)
		}
		if c.Units == units {
			sampleMissing(t, other, c.CellID, 6, anyLevel)
			checkTotal(t, other, c.CellID, 6)
		}
		must(t, other.Compact())
		must(t, other.Close())
		first := mustOpen(t, path, origin)
		checkTotal(t, first, cell, 8)
		must(t, first.Close())
	}
	last := mustOpen(t, path, Origin{1, 8, 0, sampleVersions("v1")})
	checkTotal(t, last, cell, 6) // sampled in the loop, with another seed
}

// TestMissingOfPlans samples several plans with random numbers of blocks, in the grid of sample
// sizes or not, and compacts or reopens the file between them. It checks that every plan has the
// right total and, for sizes in the grid, samples only blocks that no earlier plan sampled.
func TestMissingOfPlans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New(origin)
		c, minBlocks, maxBlocks := cell, int64(1), int64(200)
		if rapid.Bool().Draw(t, "windows") {
			c, minBlocks, maxBlocks = rows, 65, 128 // one octave, since windows depend on the octave
		}
		sampled, isInGrid := int64(0), rapid.Bool().Draw(t, "on grid")
		for range rapid.IntRange(2, 5).Draw(t, "plans") {
			n := rapid.Int64Range(minBlocks, maxBlocks).Draw(t, "blocks")
			if isInGrid {
				n = moments.RoundUpBlocks(n)
			}
			got := sampleMissing(t, s, c, n, rapid.IntRange(0, 8).Draw(t, "level"))
			if want := max(0, n-sampled); isInGrid && got != want {
				t.Fatalf("a plan of %d blocks after one of %d samples %d blocks, want %d", n, sampled, got, want)
			}
			if missing := s.Missing(c, 0, n, anyLevel); len(missing) > 0 {
				t.Fatalf("the first %d blocks were sampled, but %v are missing", n, missing)
			}
			sampled = max(sampled, n)
			checkTotal(t, s, c, n)
			switch rapid.IntRange(0, 3).Draw(t, "then") {
			case 0:
				must(t, s.Compact())
			case 1:
				s = openInMemory(t, fileContent(s))
				checkTotal(t, s, c, n)
			}
		}
	})
}

// splitRandomly splits a cell's first n blocks into dyadic ranges without a size of the grid
// inside, in random order.
func splitRandomly(t *rapid.T, c CellID, n int64) []moments.BlockRange {
	var cut func(list []moments.BlockRange, r moments.BlockRange) []moments.BlockRange
	cut = func(list []moments.BlockRange, r moments.BlockRange) []moments.BlockRange {
		if r.Level == 0 || r.IsBetweenGridSizes() && rapid.Bool().Draw(t, "whole") {
			return append(list, r)
		}
		left, right := r.Halves()
		return cut(cut(list, left), right)
	}
	var ranges []moments.BlockRange
	for _, missing := range moments.BlockRanges(nil).Missing(0, n, anyLevel) {
		ranges = cut(ranges, missing)
	}
	return rapid.Permutation(ranges).Draw(t, "order")
}

// TestCompactedBytes checks that a compacted file has the same bytes whatever the order and the
// ranges in which nodes are added, and however often the file is flushed, compacted or opened in
// between.
func TestCompactedBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := []CellID{cell, rows, {ID: "variance/uniform", Columns: "x4", Units: units}}
		n := rapid.Int64Range(1, 90).Draw(t, "n")
		inner := rapid.Int64Range(1, 90).Draw(t, "inner")
		compactedFile := func(isRandom bool) []byte {
			s := New(origin)
			add := func(blocks int64) {
				for _, c := range cells {
					ranges := s.Missing(c, 0, blocks, anyLevel)
					areAllMissing := len(ranges) == len(moments.BlockRanges(nil).Missing(0, blocks, anyLevel))
					if isRandom && areAllMissing {
						ranges = splitRandomly(t, c, blocks)
					}
					for _, r := range ranges {
						must(t, s.Add(c, r, mergeHalves(c, r)))
						switch {
						case !isRandom || rapid.IntRange(0, 3).Draw(t, "flush") > 0: // nothing
						case rapid.Bool().Draw(t, "compacted"):
							must(t, s.Compact())
						case rapid.Bool().Draw(t, "opened"):
							must(t, s.Sync())
							s = openInMemory(t, fileContent(s))
						default:
							must(t, s.Flush())
						}
					}
				}
			}
			add(n)
			must(t, s.Compact())
			add(inner) // may end between two sizes of the grid, inside longer nodes
			must(t, s.Compact())
			must(t, s.Compact())
			return fileContent(s)
		}
		if a, b := compactedFile(false), compactedFile(true); !bytes.Equal(a, b) {
			t.Fatalf("the same nodes give different files of %d and %d bytes", len(a), len(b))
		}
	})
}

// TestGrowth checks that a file that grows beyond its limit is rewritten without loss.
func TestGrowth(t *testing.T) {
	s := New(origin)
	s.rewriteLimit = 4 << 10
	var maxSize int64
	for n := int64(1); n <= 2000; n++ {
		must(t, s.Add(cell, moments.BlockRange{Index: n - 1}, newBlockNode(cell, n-1)))
		must(t, s.Flush())
		maxSize = max(maxSize, s.size)
		s.rewriteLimit = min(s.rewriteLimit, 8<<10)
	}
	checkTotal(t, s, cell, moments.RoundUpBlocks(1536))
	if maxSize > 10<<10 {
		t.Errorf("the file grew to %d bytes, want at most %d", maxSize, 10<<10)
	}
	must(t, s.Compact())
	fresh := New(origin)
	sampleMissing(t, fresh, cell, 2000, anyLevel)
	must(t, fresh.Compact())
	if !bytes.Equal(fileContent(s), fileContent(fresh)) {
		t.Error("the compacted file differs from one whose nodes were added at once")
	}
}

// TestDrop checks that Drop removes only the selected nodes, and that the file becomes shorter.
func TestDrop(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes")
	s := mustOpen(t, path, origin)
	sampleMissing(t, s, rows, 20, anyLevel)
	must(t, s.Compact())
	onlyRows := mustReadFile(t, path)
	sampleMissing(t, s, cell, 20, anyLevel)
	must(t, s.Add(cell.Pilot(), moments.BlockRange{}, newBlockNode(cell, 1)))
	if freed, err := s.Drop(func(ID) bool { return false }); freed != 0 || err != nil {
		t.Errorf("dropping nothing frees %d bytes (error %v), want 0", freed, err)
	}
	must(t, s.Compact())
	size := len(mustReadFile(t, path))
	freed, err := s.Drop(s.CellSelector([]CellID{cell, cell.Pilot()}))
	must(t, err)
	if got := mustReadFile(t, path); !bytes.Equal(got, onlyRows) {
		t.Errorf("after Drop the file has %d bytes, want the %d bytes of the other cell", len(got), len(onlyRows))
	}
	if want := int64(size - len(onlyRows)); freed != want {
		t.Errorf("Drop returns %d bytes, want %d", freed, want)
	}
	if len(s.Missing(cell, 0, 20, anyLevel)) == 0 {
		t.Error("no blocks of the dropped cell are missing")
	}
	checkTotal(t, s, rows, 20)
	sampleMissing(t, s, cell, 20, anyLevel)
	checkTotal(t, s, cell, 20)
}

// TestCopyFrom checks that nodes that are copied twice are stored once, and that copied nodes
// replace others.
func TestCopyFrom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes")
	source, target := New(origin), mustOpen(t, path, origin)
	sampleMissing(t, source, rows, 20, anyLevel)
	must(t, source.Compact())
	must(t, target.CopyFrom(source))
	must(t, target.Compact())
	once := mustReadFile(t, path)
	must(t, target.CopyFrom(source))
	must(t, target.Compact())
	if !bytes.Equal(mustReadFile(t, path), once) {
		t.Error("the file changes if nodes are copied twice")
	}
	other := New(origin)
	for _, r := range target.index[origin.newID(rows)].ranges {
		n := mergeHalves(rows, r)
		n.Moments[0].Mean += 1
		must(t, other.Add(rows, r, n))
	}
	must(t, other.CopyFrom(source))
	checkTotal(t, openInMemory(t, fileContent(other)), rows, 20)
	must(t, other.Compact())
	checkTotal(t, other, rows, 20)
}

func TestAddRefuses(t *testing.T) {
	s := New(origin)
	must(t, s.Add(cell, moments.BlockRange{Index: 3}, newBlockNode(cell, 3)))
	for name, err := range map[string]error{
		"a block that is there":     s.Add(cell, moments.BlockRange{Index: 3}, newBlockNode(cell, 3)),
		"a node of too few numbers": s.Add(cell, moments.BlockRange{Level: 1}, newBlockNode(cell, 0)),
		"a node without numbers":    s.Add(cell, moments.BlockRange{}, moments.Node{}),
		"a pilot of a second block": s.Add(cell.Pilot(), moments.BlockRange{Index: 1}, newBlockNode(cell, 1)),
		"a pilot of a pair of blocks": s.Add(cell.Pilot(), moments.BlockRange{Level: 1},
			mergeHalves(cell, moments.BlockRange{Level: 1})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, ok, _ := s.Total(CellID{ID: "no such cell", Units: 1}, 1); ok {
		t.Error("a cell that was never sampled has a total")
	}
}

// TestConcurrent adds nodes in many goroutines while others flush, sync, compact and read. It
// checks that the compacted file is the same as without concurrency.
func TestConcurrent(t *testing.T) {
	const blocks, adderCount = 600, 6
	path := filepath.Join(t.TempDir(), "nodes")
	s := mustOpen(t, path, origin)
	done := make(chan struct{})
	var adders, others sync.WaitGroup
	for w := range int64(adderCount) {
		adders.Go(func() {
			for b := w; b < blocks; b += adderCount {
				c := []CellID{cell, rows}[b/adderCount%2]
				for _, c := range []CellID{c, {ID: fmt.Sprint("variance/", b), Columns: "x4", Units: units}} {
					if err := s.Add(c, moments.BlockRange{Index: b}, newBlockNode(c, b)); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	for _, call := range []func() error{s.Flush, s.Sync, s.Compact, s.Sync, func() error {
		s.Missing(cell, 0, blocks, anyLevel)
		_, _, err := s.Total(rows, 1+rand.Int64N(blocks))
		return err
	}} {
		others.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if err := call(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	adders.Wait()
	close(done)
	others.Wait()
	for _, c := range []CellID{cell, rows} {
		sampleMissing(t, s, c, blocks, anyLevel)
		checkTotal(t, s, c, blocks)
	}
	must(t, s.Compact())
	fresh := New(origin)
	for _, c := range []CellID{cell, rows} {
		sampleMissing(t, fresh, c, blocks, anyLevel)
	}
	for b := range int64(blocks) {
		c := CellID{ID: fmt.Sprint("variance/", b), Columns: "x4", Units: units}
		must(t, fresh.Add(c, moments.BlockRange{Index: b}, newBlockNode(c, b)))
	}
	must(t, fresh.Compact())
	if !bytes.Equal(mustReadFile(t, path), fileContent(fresh)) {
		t.Error("the file depends on the order of calls")
	}
}
