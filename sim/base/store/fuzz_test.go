package store

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

// Whatever is put into a file in place of some of its bytes, it opens; what it holds can be merged,
// and a run goes on in it. The fuzzer changes places and short texts, since it spends its time on
// making whole files shorter.
func FuzzOpen(f *testing.F) {
	file, anew := spare(f)
	f.Add(false, uint16(0), uint16(0), []byte{}, uint16(0), uint16(0), []byte{})
	f.Add(true, uint16(3), uint16(9), []byte("mark"), uint16(99), uint16(0xffff), []byte{})
	f.Fuzz(func(t *testing.T, other bool, at, cut uint16, with []byte, at2, cut2 uint16, with2 []byte) {
		text := file
		if other {
			text = anew
		}
		goesOn(t, spliced(spliced(text, at, cut, with), at2, cut2, with2))
	})
}

// spliced is a text with another in place of some of its bytes.
func spliced(text []byte, at, cut uint16, with []byte) []byte {
	from := min(int(at), len(text))
	return slices.Concat(text[:from], with, text[min(from+int(cut), len(text)):])
}

// goesOn opens a file, merges all that it holds, and draws, records and compacts in it.
func goesOn(t *testing.T, text []byte) {
	t.Helper()
	s := newStore("", origin)
	s.file = &memory{bytes.Clone(text)}
	if err := s.begin(int64(len(text))); err != nil {
		if !errors.Is(err, errNotNodes) {
			t.Error(err)
		}
		return
	}
	found, nodes := s.Found(), 0
	if found.Lost < 0 || found.Lost > int64(len(text)) {
		t.Errorf("%d bytes: %+v", len(text), found)
	}
	for _, h := range s.index {
		nodes += len(h.places)
		for _, at := range h.places {
			if _, ok, err := s.merge(h, at.First(), at.End()); at.First() == 0 && (!ok || err != nil) {
				t.Errorf("%v is held, and cannot be merged: %v", at, err)
			}
		}
	}
	if nodes != found.Nodes {
		t.Errorf("it found %d nodes, and holds %d", found.Nodes, nodes)
	}
	added := CellID{ID: "variance/of nobody else", Columns: "x4", Units: units}
	draw(t, s, added, 4, 62)
	must(t, s.Compact())
	whole(t, s, added, 4)
	again := holding(t, content(s))
	if f := again.Found(); f.Lost > 0 || f.Foreign || again.dirty {
		t.Errorf("written anew it is damaged, or not as it should be: %+v", f)
	}
	whole(t, again, added, 4)
}
