package run_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"path/filepath"
	"testing"

	"mcsim/sim/moments"
	"mcsim/sim/run"
	"mcsim/sim/simtest"
	"mcsim/sim/store"
)

// level is a part of a state of so many bytes.
func level(n int) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, uint64(n)), make([]byte, n)...)
}

// drawnFrom draws a plan of one cell in a folder where something is kept of its pilot, or of its first block, and returns
// what it drew.
func drawnFrom(t *testing.T, text string, pilot bool, kept []byte, others run.Pilots) []byte {
	t.Helper()
	s := simtest.Scheduled(t, text)
	path := filepath.Join(t.TempDir(), "nodes.bin")
	open := func() *store.Store {
		nodes, err := store.Open(path, run.OriginOf(s))
		if err != nil {
			t.Fatal(err)
		}
		return nodes
	}
	w := &s.Works[0]
	if kept != nil {
		nodes, key := open(), w.Cell.Key()
		if pilot {
			key = w.Cell.PilotKey()
		}
		nodes.Unfinished(key, moments.Place{}).Keep(kept)
		if err := nodes.Close(); err != nil {
			t.Fatal(err)
		}
	}
	nodes := open()
	defer nodes.Close()
	if begun := nodes.Begun(nodes.Of(s.Keys())); begun != min(len(kept), 1) {
		t.Fatalf("of %d places something is kept", begun)
	}
	if err := run.Draw(context.Background(), s, nodes, run.Options{Workers: 1, Keep: true, Pilots: others}); err != nil {
		t.Fatal(err)
	}
	n, ok, err := nodes.Total(w.Cell.Key(), w.Blocks)
	if !ok || err != nil {
		t.Fatalf("not all is drawn: %v", err)
	}
	if left := (store.System{}).Beside(path + store.UnfinishedName); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
	return moments.AppendNode(nil, n)
}

// the pilot that another run drew.
type drawnBefore struct{ node moments.Node }

func (d *drawnBefore) Pilot(store.Cell) (moments.Node, bool) { return d.node, d.node.Moments != nil }
func (d *drawnBefore) Keep(_ store.Cell, n moments.Node)     { d.node = n }

// A state that is not of the block, or of the pilot, as none should be, harms nobody: it is drawn from its beginning.
func TestStateOfAnother(t *testing.T) {
	const block = "experiments: [{experiment: training, d_k: 16, exponent: 1/2, optimiser: adam, octave: 0, steps: 10}]\n"
	const rows = "experiments: [{experiment: softmax, law: normal, d_k: 4, keys: 4, samples: 4096, gate: false}]\n"
	for _, text := range []string{block, rows} {
		want := drawnFrom(t, text, false, nil, nil)
		for what, state := range map[string][]byte{"short": level(3), "long": level(5000), "cut": {1, 2, 3}, "many": bytes.Repeat(level(0), 9)} {
			for _, pilot := range []bool{false, text == rows} {
				if got := drawnFrom(t, text, pilot, state, nil); !bytes.Equal(got, want) {
					t.Errorf("%s, pilot %v: something else is drawn", what, pilot)
				}
			}
		}
	}
}

// A pilot that was begun here, and finished by another run meanwhile, is taken from that one.
func TestPilotOfAnother(t *testing.T) {
	const rows = "experiments: [{experiment: softmax, law: normal, d_k: 4, keys: 4, samples: 4096, gate: false}]\n"
	others := &drawnBefore{}
	want := drawnFrom(t, rows, false, nil, others)
	if got := drawnFrom(t, rows, true, level(3), others); others.node.Moments == nil || !bytes.Equal(got, want) {
		t.Error("something else is drawn")
	}
}
