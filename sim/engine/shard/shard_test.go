package shard

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/run"
	"mcsim/sim/simtest"
)

// plans draw cells of many kinds: few and many blocks, joined gates, pilots, histograms.
var plans = map[string]string{
	"scores": "seed: 3\nexperiments:\n  - {experiment: variance, distribution: [normal, uniform], d_k: [4, 64], tolerance: 5%}\n  - {experiment: exponents, tolerance: 5%}\n",
	"rows":   "seed: 4\nexperiments:\n  - {experiment: softmax, distribution: normal, d_k: [8, 16], keys: 8, samples: 20000, gate: false}\n  - {experiment: init, init: glorot-uniform, d_model: 128, d_k: 64, samples: 13, gate: false}\n",
	"small":  "seed: 5\nexperiments: [{experiment: variance, distribution: normal, d_k: [64, 65], samples: 20000, gate: false}]\n",
}

// single are the bytes that one program gives.
func single(t *testing.T, text string) []byte {
	t.Helper()
	s := simtest.NewSchedule(t, text)
	return simtest.SampleInto(t, s, simtest.NewStore(s), 2)
}

// draw writes the file of one shard and returns its path.
func draw(t testing.TB, dir, text string, index, of int) string {
	t.Helper()
	s := simtest.NewSchedule(t, text)
	part := s.Shard(index, of)
	nodes := store.New(run.Origin(s.Plan))
	simtest.Must(t, run.Sample(context.Background(), s.Select(part), nodes, run.Options{Workers: 2}))
	if err := nodes.Compact(); err != nil { // as it happens on the way where much is drawn
		t.Fatal(err)
	}
	path := filepath.Join(dir, fmt.Sprintf("%d-of-%d.shard", index, of))
	simtest.Must(t, Write(path, s, part, nodes))
	return path
}

// drawAll writes the files of all shards.
func drawAll(t testing.TB, dir, text string, of int) (paths []string) {
	t.Helper()
	for i := range of {
		paths = append(paths, draw(t, dir, text, i, of))
	}
	return paths
}

// However many shards there are, in whatever order they come, and though some come twice or are of another number,
// their document has the bytes of one program's.
func TestMerge(t *testing.T) {
	for name, text := range plans {
		want := single(t, text)
		dir := t.TempDir()
		others := drawAll(t, dir, text, 5)
		for _, of := range []int{1, 2, 3, 7, 64} {
			if testing.Short() && of > 3 {
				continue
			}
			paths := drawAll(t, dir, text, of)
			paths = append(paths, paths[rand.IntN(of)])
			if of == 3 {
				paths = append(paths, others[1], others[4])
			}
			rand.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
			m, err := Merge(paths, 0)
			if err != nil {
				t.Fatalf("%s: %d shards: %v", name, of, err)
			}
			if m.Files != len(paths) {
				t.Errorf("%s: of %d files it says %d", name, len(paths), m.Files)
			}
			if !bytes.Equal(simtest.EncodeDocument(t, m.Schedule, m.Nodes), want) {
				t.Errorf("%s: %d shards give other bytes than one program", name, of)
			}
		}
	}
}

// Gaps are refused, with the shards that close them.
func TestMissing(t *testing.T) {
	paths := drawAll(t, t.TempDir(), plans["scores"], 12)
	for _, c := range []struct {
		out  []int
		spec string
	}{{[]int{3}, "3"}, {[]int{0, 11}, "0,11"}, {[]int{3, 7, 8, 9}, "3,7-9"}, {[]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, "1-11"}} {
		var given []string
		for i, path := range paths {
			if !slices.Contains(c.out, i) {
				given = append(given, path)
			}
		}
		_, err := Merge(given, 0)
		e := wants(t, fmt.Sprint("without ", c.out), err, Missing)
		if Spec(e.Again) != c.spec {
			t.Errorf("without %v it wants %q, not %q", c.out, Spec(e.Again), c.spec)
		}
	}
}

// wants wants an error of a kind, in one line.
func wants(t *testing.T, what string, err error, kind Kind) Error {
	t.Helper()
	var e Error
	if !errors.As(err, &e) || e.Kind != kind || strings.Contains(e.Error(), "\n") {
		t.Errorf("%s: %v, want a line of kind %d", what, err, kind)
	}
	return e
}

// Whatever byte changes, and wherever the file ends, it is refused as damaged, and its shard is to be drawn again.
func TestDamaged(t *testing.T) {
	paths := drawAll(t, t.TempDir(), plans["small"], 3)
	whole, err := os.ReadFile(paths[1])
	simtest.Must(t, err)
	check := func(what string, b []byte) {
		t.Helper()
		_, _, err := parse(paths[1], b)
		wants(t, what, err, Damaged)
	}
	for i := range whole {
		b := bytes.Clone(whole)
		b[i] ^= 1 << (i % 8)
		check(fmt.Sprintf("byte %d changed", i), b)
		check(fmt.Sprintf("cut at %d", i), whole[:i])
	}
	check("a byte more", append(bytes.Clone(whole), 0))
	simtest.Must(t, os.WriteFile(paths[1], whole[1:], 0o644))
	_, err = Merge(paths, 0)
	if e := wants(t, "merged", err, Damaged); Spec(e.Again) != "1" {
		t.Errorf("it wants %v again", e.Again)
	}
}

// A script that draws a plan in other parts than before learns which of its own are missing, all
// of them where no file is whole.
func TestMissingOfOtherParts(t *testing.T) {
	paths := drawAll(t, t.TempDir(), plans["small"], 4)
	for parts, want := range map[int]string{0: "2-3", 2: "1", 4: "2-3", 8: "4-7"} {
		_, err := Merge(paths[:2], parts)
		if e := wants(t, "merged", err, Missing); Spec(e.Again) != want {
			t.Errorf("of %d shards it wants %s again, not %s", parts, Spec(e.Again), want)
		}
	}
	simtest.Must(t, os.WriteFile(paths[0], []byte(magic), 0o644))
	_, err := Merge(paths[:1], 3)
	if e := wants(t, "merged", err, Damaged); Spec(e.Again) != "0-2" {
		t.Errorf("of 3 shards it wants %q again", Spec(e.Again))
	}
}

// sealed gives a file that somebody changed a checksum that fits.
func sealed(b []byte) []byte {
	body := b[:len(b)-sha256.Size]
	sum := sha256.Sum256(body)
	return append(bytes.Clone(body), sum[:]...)
}

// What does not fit together is refused by its kind, though every checksum fits.
func TestForged(t *testing.T) {
	dir := t.TempDir()
	paths := drawAll(t, dir, plans["small"], 3)
	whole, err := os.ReadFile(paths[1])
	simtest.Must(t, err)
	for _, c := range []struct {
		what     string
		from, to string
		kind     Kind
	}{
		{"another kernel", `"kernel":`, `"kernel":9`, OtherBits},
		{"another fingerprint", `"fingerprints":{"variance":"`, `"fingerprints":{"variance":"f`, OtherBits},
		{"another index", `"shard":1`, `"shard":2`, OtherBits},
		{"another number", `"of":3`, `"of":4`, OtherBits},
		{"other blocks", `"first_block":`, `"first_block":1`, OtherBits},
		{"fewer than no shards", `"of":3`, `"of":-5`, Damaged},
		{"no shards", `"of":3`, `"of":0`, Damaged},
		{"too many shards", `"of":3`, `"of":2000000000`, Damaged},
		{"an index before the first", `"shard":1`, `"shard":-1`, Damaged},
		{"an architecture that is none", `"architecture":"`, `"architecture":"\u001b`, Damaged},
		{"another plan than its digest", `"seed":5`, `"seed":6`, Damaged},
	} {
		b := bytes.Replace(whole, []byte(c.from), []byte(c.to), 1)
		if bytes.Equal(b, whole) {
			t.Fatalf("%s: nothing was changed", c.what)
		}
		b[len(magic)] += byte(len(b) - len(whole)) // the length of the header
		simtest.Must(t, os.WriteFile(paths[1], sealed(b), 0o644))
		_, err := Merge(paths, 0)
		wants(t, c.what, err, c.kind)
	}
	simtest.Must(t, os.WriteFile(paths[1], sealed(append(whole[:len(whole)-sha256.Size:len(whole)-sha256.Size], append([]byte("more"), make([]byte, sha256.Size)...)...)), 0o644))
	_, err = Merge(paths, 0)
	wants(t, "bytes behind the records", err, Damaged)
	paths[1] = draw(t, dir, strings.Replace(plans["small"], "seed: 5", "seed: 6", 1), 1, 3)
	_, err = Merge(paths, 0)
	wants(t, "another plan", err, OtherPlan)
}

// A machine that erred gives a whole file with other numbers: where two have the same blocks, whether cut alike or
// not, they are refused.
func TestDiffering(t *testing.T) {
	dir := t.TempDir()
	text := plans["scores"]
	paths := drawAll(t, dir, text, 3)
	s := simtest.NewSchedule(t, text)
	for _, of := range []int{3, 7} {
		part := s.Shard(1, of)
		nodes := store.New(run.Origin(s.Plan))
		simtest.Must(t, run.Sample(context.Background(), s.Select(part), nodes, run.Options{Workers: 1}))
		wrong := store.New(run.Origin(s.Plan))
		for _, r := range records(s.Select(part)) {
			for _, at := range r.places {
				n, ok, err := nodes.MergeBlocks(r.cell, at.First(), at.End())
				if !ok || err != nil {
					t.Fatal(ok, err)
				}
				n.Moments[0].Mean += 1e-9
				simtest.Must(t, wrong.Add(r.cell, at, n))
			}
		}
		path := filepath.Join(dir, "wrong.shard")
		simtest.Must(t, Write(path, s, part, wrong))
		_, err := Merge(append(slices.Clone(paths), path), 0)
		wants(t, fmt.Sprintf("a shard of %d that differs", of), err, Differing)
	}
}

// FuzzRead: whatever is put into a shard in place of some of its bytes, with the sum made right
// again, the reader does not panic, and takes no other records. The fuzzer changes places and
// short texts, since it spends its time on making whole files shorter.
func FuzzRead(f *testing.F) {
	path := draw(f, f.TempDir(), plans["small"], 1, 3)
	whole, err := os.ReadFile(path)
	simtest.Must(f, err)
	h, records, err := parse(path, whole)
	simtest.Must(f, err)
	s, err := h.schedule()
	simtest.Must(f, err)
	body := whole[:len(whole)-sha256.Size]
	f.Add(uint16(0), uint16(0), []byte{}, uint16(0), uint16(0), []byte{})
	f.Add(uint16(len(magic)), uint16(4), []byte{2, 0, 0, 0}, uint16(999), uint16(0xffff), []byte("{}"))
	splice := func(text []byte, at, cut uint16, with []byte) []byte {
		from := min(int(at), len(text))
		return slices.Concat(text[:from], with, text[min(from+int(cut), len(text)):])
	}
	f.Fuzz(func(t *testing.T, at, cut uint16, with []byte, at2, cut2 uint16, with2 []byte) {
		body := splice(splice(body, at, cut, with), at2, cut2, with2)
		h, found, err := parse(path, sealed(append(body, make([]byte, sha256.Size)...)))
		if err == nil {
			err = h.nodes(path, s, found, pool{})
		}
		switch {
		case err == nil && !bytes.Equal(found, records):
			t.Error("other records are taken")
		case err != nil && !errors.As(err, new(Error)):
			t.Errorf("%v is no refusal of a shard", err)
		}
	})
}

// TestNestedRangesMustAgree: a node must have the bits of the nodes inside its range that another
// file has, if these make up all its blocks.
func TestNestedRangesMustAgree(t *testing.T) {
	c := cell{CellID: store.CellID{ID: "c", Columns: "x 2 ", Units: 3}}
	node := func(numbers ...float64) moments.Node {
		return moments.Node{Moments: []moments.Moments{moments.New(numbers, 2)}}
	}
	left, right := node(1, 2, 4), node(8, 16, 32)
	whole := moments.MergeNodes(node(1, 2, 4), node(8, 16, 32))
	changed := node(8, 16, 33)
	first, second := moments.BlockRange{Level: 1}.Halves()
	for name, test := range map[string]struct {
		inner  []pooled
		differ bool
	}{
		"the same bits": {[]pooled{{store.NewEntry(first, left), "b"}, {store.NewEntry(second, right), "b"}}, false},
		"other bits":    {[]pooled{{store.NewEntry(first, left), "b"}, {store.NewEntry(second, changed), "b"}}, true},
		"one half only": {[]pooled{{store.NewEntry(second, changed), "b"}}, false}, // cannot be compared
	} {
		outer := pooled{store.NewEntry(moments.BlockRange{Level: 1}, whole), "a"}
		_, err := c.agreed(append([]pooled{outer}, test.inner...))
		var refused Error
		if got := errors.As(err, &refused) && refused.Kind == Differing; got != test.differ {
			t.Errorf("%s: %v", name, err)
		}
	}
}
