package store

import (
	"bytes"
	"errors"
	"testing"

	"mcsim/sim/moments"
)

// Whatever the bytes of a file, it opens; what it holds can be merged, and a run goes on in it.
func FuzzOpen(f *testing.F) {
	file, anew := spare(f)
	f.Add(file)
	f.Add(anew)
	f.Fuzz(func(t *testing.T, text []byte) { goesOn(t, text) })
}

// goesOn opens a file, merges all that it holds, and draws, records and compacts in it.
func goesOn(t *testing.T, text []byte) {
	t.Helper()
	d := holding(text)
	if _, err := OpenOn(holding(text), "nodes", origin); errors.Is(err, ErrForeign) {
		return
	}
	s := on(t, d)
	found := s.Found()
	if found.Bytes != int64(len(text)) || found.Lost < 0 || found.Lost > found.Bytes || (found.Damaged > 0) != (found.Lost > 0) {
		t.Errorf("%d bytes: %+v", len(text), found)
	}
	nodes := 0
	for _, h := range s.held {
		nodes += len(h.places)
		for _, at := range h.places {
			if _, ok, err := h.places.Merged(at.First(), at.End(), func(i int) (moments.Node, error) { return s.node(h.spans[i]) }); at.First() == 0 && (!ok || err != nil) {
				t.Errorf("%v is held, and cannot be merged: %v", at, err)
			}
		}
	}
	if nodes != found.Nodes {
		t.Errorf("it found %d nodes, and holds %d", found.Nodes, nodes)
	}
	added := Cell{ID: "variance/of nobody else", Columns: "x4", Units: units}
	draw(t, s, added, 4, 62)
	must(t, s.Compact())
	whole(t, s, added, 4)
	once := bytes.Clone(d.files["nodes"].b)
	again := on(t, d)
	if f := again.Found(); f.Damaged > 0 || f.Foreign {
		t.Errorf("written anew it is damaged: %+v", f)
	}
	whole(t, again, added, 4)
	must(t, again.Compact())
	if !bytes.Equal(d.files["nodes"].b, once) {
		t.Error("to write it anew twice gives other bytes")
	}
}

// Whatever the body of a record, with the right checksum, it is refused or written as it was; a file with it opens.
func FuzzBody(f *testing.F) {
	file, anew := spare(f)
	for _, b := range [][]byte{file, anew} {
		starts := records(f, b)
		for i, start := range starts[:len(starts)-1] {
			f.Add(b[start+frameSize : starts[i+1]])
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var entries []Entry
		k, err := body(text, func(at moments.Place, from, length int, n moments.Node) {
			if inner := moments.AppendNode(nil, n); !bytes.Equal(inner, text[from:from+length]) {
				t.Errorf("a node of %x is written as %x", text[from:from+length], inner)
			}
			entries = append(entries, Entry{At: at, Node: n})
		})
		if err != nil {
			return
		}
		file := appendRecord([]byte(header), k, entries, func(Entry, int, []byte) {})
		if !bytes.Equal(file[len(header)+frameSize:], text) {
			t.Errorf("%x is written as %x", text, file[len(header)+frameSize:])
		}
		goesOn(t, file)
		goesOn(t, append(file, file[len(header):]...))
	})
}

// Whatever the bytes, a key is refused or written as it was.
func FuzzReadKey(f *testing.F) {
	f.Add([]byte{})
	for _, c := range damaged {
		f.Add(appendKey(nil, origin.key(c)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := moments.Reader{B: text}
		k := readKey(&r)
		if b := append(appendKey(nil, k), r.B...); !r.Bad && !bytes.Equal(b, text) {
			t.Errorf("%x is written as %x", text, b)
		}
		if k.compare(k) != 0 {
			t.Error("a key is not its own equal")
		}
	})
}
