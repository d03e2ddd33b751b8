package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"mcsim/sim/moments"
)

// holding is a disk with a file of these bytes.
func holding(b []byte) memory { return memory{map[string]*memoryFile{"nodes": {bytes.Clone(b)}}} }

// damaged are the cells of the file of these tests. One has the mark of records in its name.
var damaged = []Cell{cell, rows, {ID: "variance/" + mark, Columns: mark + mark, Units: units}, cell.Pilot()}

const damagedBlocks = 7

// fillAll draws what the cells lack.
func fillAll(t failer, s *Store) {
	t.Helper()
	for _, c := range damaged {
		draw(t, s, c, blocksOf(c), 62)
	}
}

func blocksOf(c Cell) int64 {
	if c.IsPilot() {
		return 1
	}
	return damagedBlocks
}

// spare is a file of several records, those of one cell in parts, and the same nodes in a file that was written anew.
func spare(t failer) (file, anew []byte) {
	t.Helper()
	d := newMemory()
	s := on(t, d)
	draw(t, s, cell, 3, 62)
	draw(t, s, rows, 4, 62)
	must(t, s.Flush())
	fillAll(t, s)
	must(t, s.Flush())
	file = bytes.Clone(d.files["nodes"].b)
	must(t, s.Compact())
	return file, bytes.Clone(d.files["nodes"].b)
}

// records are where the records of an undamaged file begin, and its end.
func records(t failer, file []byte) (starts []int) {
	t.Helper()
	for at := len(header); at < len(file); {
		starts = append(starts, at)
		at += frameSize + int(binary.LittleEndian.Uint64(file[at+len(mark):]))
	}
	return append(starts, len(file))
}

// inside is how many nodes a file of these bytes has.
func inside(t failer, file []byte) int {
	t.Helper()
	s := on(t, holding(file))
	return s.Found().Nodes
}

// mends wants a store to have no wrong total, and the bytes of an undamaged file when what it asks for
// was drawn. It wants it to have found nodes, and that many places of damage and bytes in them.
func mends(t *testing.T, what string, file, anew []byte, nodes, places, lost int) {
	t.Helper()
	d := holding(file)
	s := on(t, d)
	if f := s.Found(); f.Nodes != nodes || f.Damaged != places || f.Lost != int64(lost) || f.Foreign || f.Bytes != int64(len(file)) {
		t.Errorf("%s: it found %+v, want %d nodes, and %d bytes lost in %d places", what, f, nodes, lost, places)
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
	for _, c := range damaged {
		whole(t, s, c, blocksOf(c))
	}
	must(t, s.Flush())
	reopened := on(t, holding(d.files["nodes"].b)) // with the damage still in it
	for _, c := range damaged {
		whole(t, reopened, c, blocksOf(c))
	}
	must(t, s.Compact())
	if !bytes.Equal(d.files["nodes"].b, anew) {
		t.Errorf("%s: mended, the file has other bytes than one that was never damaged", what)
	}
}

// Whatever byte changes, the records that it is not in are found, and the rest is drawn again.
func TestEveryByteFlipped(t *testing.T) {
	file, anew := spare(t)
	starts, all := records(t, file), inside(t, file)
	for _, by := range []byte{0x01, 0x80} {
		for i := range len(header) {
			mends(t, fmt.Sprintf("byte %d ^ %#x", i, by), flipped(file, i, by), anew, all, 1, len(header))
		}
		for r, start := range starts[:len(starts)-1] {
			end := starts[r+1]
			rest := all - inside(t, append([]byte(header), file[start:end]...))
			for i := start; i < end; i++ {
				// a mark in the record's own body is a second place where no record begins
				mends(t, fmt.Sprintf("byte %d ^ %#x", i, by), flipped(file, i, by), anew, rest, marks(flipped(file, i, by)[start:end]), end-start)
			}
		}
	}
}

func flipped(b []byte, at int, by byte) []byte {
	b = bytes.Clone(b)
	b[at] ^= by
	return b
}

// marks is how many places a damaged record is passed over in: one, and one more at each mark inside.
func marks(record []byte) int { return 1 + bytes.Count(record[1:], []byte(mark)) }

// Wherever the file ends, the records before are found.
func TestEveryLength(t *testing.T) {
	file, anew := spare(t)
	starts := records(t, file)
	for r, start := range starts[:len(starts)-1] {
		nodes := inside(t, file[:start])
		for end := start; end < starts[r+1]; end++ {
			places := 0
			if end > start {
				places = marks(file[start:end])
			}
			mends(t, fmt.Sprintf("cut at %d", end), file[:end], anew, nodes, places, end-start)
		}
	}
	for end := range len(header) {
		d := holding(file[:end])
		s := on(t, d)
		if f := s.Found(); !f.Foreign || f.Nodes > 0 {
			t.Errorf("cut at %d: it found %+v", end, f)
		}
		fillAll(t, s)
		must(t, s.Compact())
		if !bytes.Equal(d.files["nodes"].b, anew) {
			t.Errorf("cut at %d: the file has other bytes than one that was never damaged", end)
		}
	}
}

// What is appended, put between records or written over them costs what it covers.
func TestGarbage(t *testing.T) {
	file, anew := spare(t)
	starts, all := records(t, file), inside(t, file)
	noise := make([]byte, 5000)
	r := rand.NewChaCha8([32]byte{1})
	r.Read(noise)
	huge := append([]byte(mark), bytes.Repeat([]byte{0xff}, 40)...)
	for what, garbage := range map[string][]byte{
		"a byte": {0}, "noise": noise, "zeros": make([]byte, 4096), "half a mark": []byte(mark[:4]), "a mark": []byte(mark),
		"a record of 2⁶⁴−1 bytes": huge, "half a record": file[starts[1] : (starts[1]+starts[2])/2],
	} {
		for r, at := range starts {
			places := 1
			mends(t, fmt.Sprintf("%s before record %d", what, r), bytes.Join([][]byte{file[:at], garbage, file[at:]}, nil), anew, all, places, len(garbage))
		}
	}
	twice := append(bytes.Clone(file), file[len(header):]...)
	mends(t, "every record twice", twice, anew, all, 0, 0)
	swapped := bytes.Join([][]byte{file[:starts[0]], file[starts[1]:], file[starts[0]:starts[1]]}, nil)
	mends(t, "records in another order", swapped, anew, all, 0, 0)
}

// A file of an earlier format is replaced, and that is said; one of something else is refused, and left as it was.
func TestForeign(t *testing.T) {
	_, anew := spare(t)
	for what, text := range map[string]string{"": "", "cut": header[:5], "an earlier format": "mcsim nodes 3\n" + string(make([]byte, 500))} {
		d := holding([]byte(text))
		s := on(t, d)
		if !s.Found().Foreign {
			t.Errorf("%q is taken for a file of nodes", what)
		}
		fillAll(t, s)
		must(t, s.Compact())
		if !bytes.Equal(d.files["nodes"].b, anew) {
			t.Errorf("%q: the file has other bytes", what)
		}
	}
	for _, text := range []string{"a,b\n1,2\n", mark, "mcsim shard 1\n"} {
		d := holding([]byte(text))
		if _, err := OpenOn(d, "nodes", origin); !errors.Is(err, ErrForeign) || string(d.files["nodes"].b) != text {
			t.Errorf("%q: %v, and the file is %q", text, err, d.files["nodes"].b)
		}
	}
}

// A record whose checksum is right and whose nodes are none that could be drawn, or merged, is damage.
func TestImpossible(t *testing.T) {
	k := origin.key(cell)
	good := block(cell, 0)
	four := moments.Node{Moments: []moments.Moments{moments.Of([]float64{1, 2, 3}, 2)}, Counts: good.Counts}
	for what, entries := range map[string][]Entry{
		"no nodes":                        nil,
		"a node of too many numbers":      {{At: moments.Place{}, Node: drawn(cell, moments.Place{Level: 1})}},
		"a place of no end":               {{At: moments.Place{Level: 62, Index: 1}, Node: good}},
		"a level beyond all":              {{At: moments.Place{Level: 63}, Node: good}},
		"another order of moments":        {{At: moments.Place{}, Node: good}, {At: moments.Place{Index: 1}, Node: four}},
		"fewer counts":                    {{At: moments.Place{}, Node: good}, {At: moments.Place{Index: 1}, Node: moments.Node{Moments: good.Moments}}},
		"other windows than those before": {{At: moments.Place{}, Node: windowedBy(good, 1)}, {At: moments.Place{Index: 1}, Node: windowedBy(good, 2)}},
	} {
		file := appendRecord([]byte(header), k, entries, func(Entry, int, []byte) {})
		s := on(t, holding(file))
		if f := s.Found(); f.Nodes > 0 || f.Damaged+map[bool]int{true: 1}[f.Foreign] == 0 {
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
