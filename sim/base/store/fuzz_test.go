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
	file, anew := newFiles(f)
	f.Add(false, uint16(0), uint16(0), []byte{}, uint16(0), uint16(0), []byte{})
	f.Add(true, uint16(3), uint16(9), []byte("mark"), uint16(99), uint16(0xffff), []byte{})
	f.Fuzz(func(t *testing.T, isCompacted bool, position, length uint16, text1 []byte, position2, length2 uint16, text2 []byte) {
		text := file
		if isCompacted {
			text = anew
		}
		checkUsable(t, splice(splice(text, position, length, text1), position2, length2, text2))
	})
}

// splice is a text with another in place of some of its bytes.
func splice(text []byte, position, length uint16, replacement []byte) []byte {
	start := min(int(position), len(text))
	return slices.Concat(text[:start], replacement, text[min(start+int(length), len(text)):])
}

// checkUsable opens a file, merges all that it holds, and draws, records and compacts in it.
func checkUsable(t *testing.T, text []byte) {
	t.Helper()
	s := newStore("", origin)
	s.file = &memory{bytes.Clone(text)}
	if err := s.prepare(int64(len(text))); err != nil {
		if !errors.Is(err, errNotNodes) {
			t.Error(err)
		}
		return
	}
	found, nodes := s.Found(), 0
	if found.Lost < 0 || found.Lost > int64(len(text)) {
		t.Errorf("%d bytes: %+v", len(text), found)
	}
	for _, idx := range s.index {
		nodes += len(idx.ranges)
		for _, r := range idx.ranges {
			if _, ok, err := s.merge(idx, r.First(), r.End()); r.First() == 0 && (!ok || err != nil) {
				t.Errorf("%v is held, and cannot be merged: %v", r, err)
			}
		}
	}
	if nodes != found.Nodes {
		t.Errorf("it found %d nodes, and holds %d", found.Nodes, nodes)
	}
	added := CellID{ID: "variance/of nobody else", Columns: "x4", Units: units}
	sampleMissing(t, s, added, 4, 62)
	must(t, s.Compact())
	checkTotal(t, s, added, 4)
	reopened := openInMemory(t, fileContent(s))
	if f := reopened.Found(); f.Lost > 0 || f.Foreign || reopened.dirty {
		t.Errorf("written anew it is damaged, or not as it should be: %+v", f)
	}
	checkTotal(t, reopened, added, 4)
}
