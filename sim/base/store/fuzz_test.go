package store

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

// FuzzOpen replaces two parts of a valid file and checks that a store opens the file, that all
// nodes that it finds can be merged, and that a run can continue with the file. The fuzzer chooses
// positions and short texts, since it would need too much time to change whole files.
func FuzzOpen(f *testing.F) {
	file, compacted := newFiles(f)
	f.Add(false, uint16(0), uint16(0), []byte{}, uint16(0), uint16(0), []byte{})
	f.Add(true, uint16(3), uint16(9), []byte("mark"), uint16(99), uint16(0xffff), []byte{})
	f.Fuzz(func(t *testing.T, isCompacted bool, position, length uint16, text1 []byte, position2, length2 uint16,
		text2 []byte) {
		text := file
		if isCompacted {
			text = compacted
		}
		checkUsable(t, splice(splice(text, position, length, text1), position2, length2, text2))
	})
}

// splice returns a text with a part replaced.
func splice(text []byte, position, length uint16, replacement []byte) []byte {
	start := min(int(position), len(text))
	return slices.Concat(text[:start], replacement, text[min(start+int(length), len(text)):])
}

// checkUsable opens a file and merges all nodes in it. It then samples more nodes, compacts the
// file and opens it again.
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
		t.Errorf("found %+v, want 0 to %d lost bytes", found, len(text))
	}
	for _, idx := range s.index {
		nodes += len(idx.ranges)
		for _, r := range idx.ranges {
			if _, ok, err := s.merge(idx, r.First(), r.End()); r.First() == 0 && (!ok || err != nil) {
				t.Errorf("%v is in the file, but cannot be merged: %v", r, err)
			}
		}
	}
	if nodes != found.Nodes {
		t.Errorf("Found reports %d nodes, the index has %d", found.Nodes, nodes)
	}
	added := CellID{ID: "variance/of nobody else", Columns: "x4", Units: units}
	sampleMissing(t, s, added, 4, anyLevel)
	must(t, s.Compact())
	checkTotal(t, s, added, 4)
	reopened := openInMemory(t, fileContent(s))
	if f := reopened.Found(); f.Lost > 0 || f.Foreign || reopened.dirty {
		t.Errorf("after compaction: found %+v (dirty: %v), want no lost bytes and a compacted file", f, reopened.dirty)
	}
	checkTotal(t, reopened, added, 4)
}
