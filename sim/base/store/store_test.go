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

// units is how many numbers a block of these tests counts.
const units = 3

var (
	origin = Origin{Kernel: 1, Seed: 7, Draw: draws("v1")}
	cell   = CellID{ID: "variance/normal/d_k=64", Columns: "x4", Units: units}
	rows   = CellID{ID: "rows/normal", Contents: "bins", Columns: "x4", Units: units}
)

// draws are the versions of a program.
func draws(variance string) func(string) string {
	return func(experiment string) string {
		return map[string]string{"variance": variance, "rows": "r1"}[experiment]
	}
}

var fine = []moments.Window{{Lo: -1.5, Step: 0.25, Bins: 6}}

// block is a node whose bits depend on its cell and block alone; those of rows have histograms
// with windows, as those of quantiles.
func block(c CellID, i int64) moments.Node {
	x := float64(i)
	n := moments.Node{Moments: []moments.Moments{moments.New([]float64{x, 1 / (x + 1), x * x}, 4)}, Counts: []int64{i, int64(len(c.ID))}}
	if c.Contents == rows.Contents {
		n.Histograms = []moments.Histogram{{Windows: fine, From: int(i % 5), Counts: []int64{1, i + 1, 1}}}
	}
	return n
}

// drawn is the node of a place, its halves merged left before right.
func drawn(c CellID, at moments.BlockRange) moments.Node {
	if at.Level == 0 {
		return block(c, at.Index)
	}
	left, right := at.Halves()
	return moments.MergeNodes(drawn(c, left), drawn(c, right))
}

// straight is the binary form of a cell's first n blocks as they are merged where everything is
// drawn at once, without a store.
func straight(c CellID, n int64) []byte {
	var total moments.Node
	for i, p := range moments.Span(0, n) {
		if node := drawn(c, p); i == 0 {
			total = node
		} else {
			total = moments.MergeNodes(total, node)
		}
	}
	return moments.AppendNode(nil, total)
}

// failer is a test, or one of package rapid.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

func must(t failer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// draw adds what a cell lacks of its first n blocks, in places of at most 2^level blocks, and
// returns how many blocks these are.
func draw(t failer, s *Store, c CellID, n int64, level int) (blocks int64) {
	t.Helper()
	for _, at := range s.Missing(c, 0, n, level) {
		must(t, s.Add(c, at, drawn(c, at)))
		blocks += at.Blocks()
	}
	return blocks
}

// whole wants the total of a cell's first n blocks to be there and right.
func whole(t failer, s *Store, c CellID, n int64) {
	t.Helper()
	total, ok, err := s.Total(c, n)
	switch {
	case err != nil:
		t.Fatal(err)
	case !ok:
		t.Fatalf("%s is not drawn to %d blocks", c.ID, n)
	case !bytes.Equal(moments.AppendNode(nil, total), straight(c, n)):
		t.Errorf("%s: the total of %d blocks is wrong", c.ID, n)
	}
}

// opened opens a file of nodes and closes it when the test ends.
func opened(t *testing.T, path string, o Origin) *Store {
	t.Helper()
	s, err := Open(path, o)
	must(t, err)
	t.Cleanup(func() { s.Close() }) // some were closed
	return s
}

// holding opens a file in memory.
func holding(t failer, b []byte) *Store {
	t.Helper()
	s := newStore("", origin)
	s.file = &memory{bytes.Clone(b)}
	must(t, s.begin(int64(len(b))))
	return s
}

// content is the file of a store in memory.
func content(s *Store) []byte { return bytes.Clone(s.file.(*memory).b) }

func text(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}

// What was recorded is there when a file is opened again, before and after it is written anew, and
// one that is only read stays as it is.
func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes")
	s := opened(t, path, origin)
	for _, c := range []CellID{cell, rows} {
		draw(t, s, c, 5, 62)
		must(t, s.Flush())
		draw(t, s, c, 20, 62)
	}
	must(t, s.Add(cell.Pilot(), moments.BlockRange{}, block(cell.Pilot(), 1)))
	must(t, s.Sync())
	must(t, s.Close())
	for range 2 {
		s = opened(t, path, origin)
		for _, c := range []CellID{cell, rows} {
			for _, n := range []int64{12, 14, 16, 20} { // of the octave that the windows of rows are made for
				whole(t, s, c, n)
			}
		}
		if total, ok, err := s.Total(cell.Pilot(), 1); !ok || err != nil || !bytes.Equal(moments.AppendNode(nil, total), moments.AppendNode(nil, block(cell.Pilot(), 1))) {
			t.Errorf("the pilot has changed: %v, %v", ok, err)
		}
		must(t, s.Compact())
		must(t, s.Close())
	}
	before := text(t, path)
	read, err := Read(path, origin)
	must(t, err)
	must(t, read.Close())
	if !bytes.Equal(text(t, path), before) {
		t.Error("a file that was read has changed")
	}
}

// What decides the bits of a node is what it is found by: under anything else it is not found, and
// is still there.
func TestKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes")
	s := opened(t, path, origin)
	draw(t, s, cell, 8, 62)
	must(t, s.Add(cell.Pilot(), moments.BlockRange{}, block(cell, 1)))
	must(t, s.Compact())
	must(t, s.Close())
	for what, c := range map[string]struct {
		Origin
		CellID
		pilot bool // is found
	}{
		"seed":         {Origin{1, 8, 0, draws("v1")}, cell, true},
		"attempt":      {Origin{1, 7, 1, draws("v1")}, cell, true},
		"kernel":       {Origin{2, 7, 0, draws("v1")}, cell, false},
		"draw version": {Origin{1, 7, 0, draws("v2")}, cell, false},
		"id":           {origin, CellID{"variance/normal/d_k=65", "", "x4", units}, false},
		"contents":     {origin, CellID{cell.ID, "other", "x4", units}, false},
		"columns":      {origin, CellID{cell.ID, "", "x4 y2", units}, false},
		"units":        {origin, CellID{cell.ID, "", "x4", units + 1}, true},
	} {
		o, err := Open(path, c.Origin)
		must(t, err)
		if missing := o.Missing(c.CellID, 0, 8, 62); len(missing) == 0 {
			t.Errorf("another %s: the nodes are taken for its own", what)
		}
		if _, ok, _ := o.Total(c.Pilot(), 1); ok != c.pilot {
			t.Errorf("another %s: the pilot is found: %v", what, ok)
		}
		if c.Units == units {
			draw(t, o, c.CellID, 6, 62)
			whole(t, o, c.CellID, 6)
		}
		must(t, o.Compact())
		must(t, o.Close())
		first := opened(t, path, origin)
		whole(t, first, cell, 8)
		must(t, first.Close())
	}
	both := opened(t, path, Origin{1, 8, 0, draws("v1")})
	whole(t, both, cell, 6) // it was drawn beside the others
}

// A plan that asks for fewer blocks uses what is there, and one for more draws the rest alone,
// whether it ends on a rung or between two, and whether the file was written anew in between or
// not.
func TestLadder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New(origin)
		// of the octave that decides where its windows lie
		c, least, most := cell, int64(1), int64(200)
		if rapid.Bool().Draw(t, "windows") {
			c, least, most = rows, 65, 128
		}
		there, rungs := int64(0), rapid.Bool().Draw(t, "rungs")
		for range rapid.IntRange(2, 5).Draw(t, "plans") {
			n := rapid.Int64Range(least, most).Draw(t, "blocks")
			if rungs {
				n = moments.RoundUpBlocks(n)
			}
			got := draw(t, s, c, n, rapid.IntRange(0, 8).Draw(t, "level"))
			if want := max(0, n-there); rungs && got != want {
				t.Fatalf("of %d blocks %d are there, but %d are drawn", n, there, got)
			}
			if missing := s.Missing(c, 0, n, 62); len(missing) > 0 {
				t.Fatalf("%d blocks were drawn, but lack %v", n, missing)
			}
			there = max(there, n)
			whole(t, s, c, n)
			switch rapid.IntRange(0, 3).Draw(t, "then") {
			case 0:
				must(t, s.Compact())
			case 1:
				s = holding(t, content(s))
				whole(t, s, c, n)
			}
		}
	})
}

// scatter cuts what a cell lacks of its first n blocks into dyadic places at random.
func scatter(t *rapid.T, c CellID, n int64) []moments.BlockRange {
	var cut func(list []moments.BlockRange, at moments.BlockRange) []moments.BlockRange
	cut = func(list []moments.BlockRange, at moments.BlockRange) []moments.BlockRange {
		if at.Level == 0 || at.BetweenGridSizes() && rapid.Bool().Draw(t, "whole") {
			return append(list, at)
		}
		left, right := at.Halves()
		return cut(cut(list, left), right)
	}
	var all []moments.BlockRange
	for _, p := range moments.BlockRanges(nil).Missing(0, n, 62) {
		all = cut(all, p)
	}
	return rapid.Permutation(all).Draw(t, "order")
}

// The same nodes give the same bytes, in whatever order, parts and flushes they come, and however
// often the file was written anew or opened in between.
func TestCompactedBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := []CellID{cell, rows, {ID: "variance/uniform", Columns: "x4", Units: units}}
		n := rapid.Int64Range(1, 90).Draw(t, "n")
		inner := rapid.Int64Range(1, 90).Draw(t, "inner")
		final := func(random bool) []byte {
			s := New(origin)
			add := func(blocks int64) {
				for _, c := range cells {
					places := s.Missing(c, 0, blocks, 62)
					if random && len(s.Missing(c, 0, blocks, 62)) == len(moments.BlockRanges(nil).Missing(0, blocks, 62)) {
						places = scatter(t, c, blocks)
					}
					for _, at := range places {
						must(t, s.Add(c, at, drawn(c, at)))
						switch {
						case !random || rapid.IntRange(0, 3).Draw(t, "flush") > 0:
						case rapid.Bool().Draw(t, "compacted"):
							must(t, s.Compact())
						case rapid.Bool().Draw(t, "opened"):
							must(t, s.Sync())
							s = holding(t, content(s))
						default:
							must(t, s.Flush())
						}
					}
				}
			}
			add(n)
			must(t, s.Compact())
			add(inner) // which may end between two rungs, inside longer nodes
			must(t, s.Compact())
			must(t, s.Compact())
			return content(s)
		}
		if a, b := final(false), final(true); !bytes.Equal(a, b) {
			t.Fatalf("the same nodes have %d and %d bytes, or other ones", len(a), len(b))
		}
	})
}

// A file that grows beyond its limit is written anew by itself, and nothing is lost.
func TestGrowth(t *testing.T) {
	s := New(origin)
	s.compact = 4 << 10
	var most int64
	for n := int64(1); n <= 2000; n++ {
		must(t, s.Add(cell, moments.BlockRange{Index: n - 1}, block(cell, n-1)))
		must(t, s.Flush())
		most = max(most, s.size)
		s.compact = min(s.compact, 8<<10)
	}
	whole(t, s, cell, moments.RoundUpBlocks(1536))
	if most > 10<<10 {
		t.Errorf("the file grew to %d bytes", most)
	}
	must(t, s.Compact())
	fresh := New(origin)
	draw(t, fresh, cell, 2000, 62)
	must(t, fresh.Compact())
	if !bytes.Equal(content(s), content(fresh)) {
		t.Error("the file has other bytes than one that was written once")
	}
}

// Drop forgets what it is told to, gives back the room, and nothing else.
func TestDrop(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes")
	s := opened(t, path, origin)
	draw(t, s, rows, 20, 62)
	must(t, s.Compact())
	alone := text(t, path)
	draw(t, s, cell, 20, 62)
	must(t, s.Add(cell.Pilot(), moments.BlockRange{}, block(cell, 1)))
	if freed, err := s.Drop(func(ID) bool { return false }); freed != 0 || err != nil {
		t.Errorf("to drop nothing frees %d bytes: %v", freed, err)
	}
	must(t, s.Compact())
	size := len(text(t, path))
	freed, err := s.Drop(s.Of([]CellID{cell, cell.Pilot()}))
	must(t, err)
	if !bytes.Equal(text(t, path), alone) || freed != int64(size-len(alone)) {
		t.Errorf("%d bytes were freed, and %d of %d are left, want %d", freed, len(text(t, path)), size, len(alone))
	}
	if len(s.Missing(cell, 0, 20, 62)) == 0 {
		t.Error("the cell is still there")
	}
	whole(t, s, rows, 20)
	draw(t, s, cell, 20, 62)
	whole(t, s, cell, 20)
}

// What a store takes that it has already stands there once; where it has other nodes, those that it
// takes stand in their place.
func TestTake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes")
	from, into := New(origin), opened(t, path, origin)
	draw(t, from, rows, 20, 62)
	must(t, from.Compact())
	must(t, into.Take(from))
	must(t, into.Compact())
	alone := text(t, path)
	must(t, into.Take(from))
	must(t, into.Compact())
	if !bytes.Equal(text(t, path), alone) {
		t.Error("taken twice, the nodes are others, or stand twice")
	}
	other := New(origin)
	for _, at := range into.index[origin.key(rows)].places {
		n := drawn(rows, at)
		n.Moments[0].Mean += 1
		must(t, other.Add(rows, at, n))
	}
	must(t, other.Take(from))
	whole(t, holding(t, content(other)), rows, 20)
	must(t, other.Compact())
	whole(t, other, rows, 20)
}

func TestAddRefuses(t *testing.T) {
	s := New(origin)
	must(t, s.Add(cell, moments.BlockRange{Index: 3}, block(cell, 3)))
	for what, err := range map[string]error{
		"a block that is there":       s.Add(cell, moments.BlockRange{Index: 3}, block(cell, 3)),
		"a node of too few numbers":   s.Add(cell, moments.BlockRange{Level: 1}, block(cell, 0)),
		"a node without numbers":      s.Add(cell, moments.BlockRange{}, moments.Node{}),
		"a pilot of a second block":   s.Add(cell.Pilot(), moments.BlockRange{Index: 1}, block(cell, 1)),
		"a pilot of a pair of blocks": s.Add(cell.Pilot(), moments.BlockRange{Level: 1}, drawn(cell, moments.BlockRange{Level: 1})),
	} {
		if err == nil {
			t.Errorf("%s is added", what)
		}
	}
	if _, ok, _ := s.Total(CellID{ID: "no such cell", Units: 1}, 1); ok {
		t.Error("a cell that was never drawn has a total")
	}
}

// Many goroutines add at once, while others flush, sync, compact and ask: that leaves no trace.
func TestConcurrent(t *testing.T) {
	const blocks, adders = 600, 6
	path := filepath.Join(t.TempDir(), "nodes")
	s := opened(t, path, origin)
	done := make(chan struct{})
	var add, others sync.WaitGroup
	for w := range int64(adders) {
		add.Go(func() {
			for b := w; b < blocks; b += adders {
				c := []CellID{cell, rows}[b/adders%2]
				for _, c := range []CellID{c, {ID: fmt.Sprint("variance/", b), Columns: "x4", Units: units}} {
					if err := s.Add(c, moments.BlockRange{Index: b}, block(c, b)); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	for _, do := range []func() error{s.Flush, s.Sync, s.Compact, s.Sync, func() error {
		s.Missing(cell, 0, blocks, 62)
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
				if err := do(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	add.Wait()
	close(done)
	others.Wait()
	for _, c := range []CellID{cell, rows} {
		draw(t, s, c, blocks, 62)
		whole(t, s, c, blocks)
	}
	must(t, s.Compact())
	fresh := New(origin)
	for _, c := range []CellID{cell, rows} {
		draw(t, fresh, c, blocks, 62)
	}
	for b := range int64(blocks) {
		c := CellID{ID: fmt.Sprint("variance/", b), Columns: "x4", Units: units}
		must(t, fresh.Add(c, moments.BlockRange{Index: b}, block(c, b)))
	}
	must(t, fresh.Compact())
	if !bytes.Equal(text(t, path), content(fresh)) {
		t.Error("the file depends on who added what when")
	}
}
