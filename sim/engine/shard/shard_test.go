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

// plans are the plans of the tests by name. Their cells have few or many blocks, gates on several
// cells, pilots, and histograms.
var plans = map[string]string{
	"scores": "seed: 3\nexperiments:\n" +
		"  - {experiment: variance, distribution: [normal, uniform], d_k: [4, 64], tolerance: 5%}\n" +
		"  - {experiment: exponents, tolerance: 5%}\n",
	"rows": "seed: 4\nexperiments:\n" +
		"  - {experiment: softmax, distribution: normal, d_k: [8, 16], keys: 8, samples: 20000, gate: false}\n" +
		"  - {experiment: init, init: glorot-uniform, d_model: 128, d_k: 64, samples: 13, gate: false}\n",
	"small": "seed: 5\nexperiments: [{experiment: variance, distribution: normal, d_k: [64, 65], samples: 20000, " +
		"gate: false}]\n",
}

// sampleAtOnce samples a plan without shards and returns the bytes of its document.
func sampleAtOnce(t *testing.T, text string) []byte {
	t.Helper()
	s := simtest.NewSchedule(t, text)
	return simtest.SampleInto(t, s, simtest.NewStore(s), 2)
}

// writeShard samples one shard and returns the path of its file.
func writeShard(t testing.TB, dir, text string, index, count int) string {
	t.Helper()
	s := simtest.NewSchedule(t, text)
	shardRange := s.Shard(index, count)
	nodes := store.New(run.Origin(s.Plan))
	simtest.Must(t, run.Sample(context.Background(), s.Select(shardRange), nodes, run.Options{Workers: 2}))
	if err := nodes.Compact(); err != nil { // as happens during a long run
		t.Fatal(err)
	}
	path := filepath.Join(dir, fmt.Sprintf("%d-of-%d.shard", index, count))
	simtest.Must(t, Write(path, s, shardRange, nodes))
	return path
}

// writeShards samples all shards of a plan and returns the paths of their files.
func writeShards(t testing.TB, dir, text string, count int) (paths []string) {
	t.Helper()
	for i := range count {
		paths = append(paths, writeShard(t, dir, text, i, count))
	}
	return paths
}

// TestMerge checks that merged shards give the bytes of a document that was sampled at once. The
// files have a random order and one duplicate. For three shards, two shards of five are added.
func TestMerge(t *testing.T) {
	for name, text := range plans {
		want := sampleAtOnce(t, text)
		dir := t.TempDir()
		fifths := writeShards(t, dir, text, 5)
		for _, count := range []int{1, 2, 3, 7, 64} {
			if testing.Short() && count > 3 {
				continue
			}
			paths := writeShards(t, dir, text, count)
			paths = append(paths, paths[rand.IntN(count)])
			if count == 3 {
				paths = append(paths, fifths[1], fifths[4])
			}
			rand.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
			m, err := Merge(paths, 0)
			if err != nil {
				t.Fatalf("%s: %d shards: %v", name, count, err)
			}
			if m.Files != len(paths) {
				t.Errorf("%s: the merge counts %d files, want %d", name, m.Files, len(paths))
			}
			if !bytes.Equal(simtest.EncodeDocument(t, m.Schedule, m.Nodes), want) {
				t.Errorf("%s: the bytes of %d merged shards differ from the document sampled at once", name, count)
			}
		}
	}
}

// TestMissing checks that the error for missing shards has their indices.
func TestMissing(t *testing.T) {
	paths := writeShards(t, t.TempDir(), plans["scores"], 12)
	for _, c := range []struct {
		missing []int
		spec    string
	}{{[]int{3}, "3"}, {[]int{0, 11}, "0,11"}, {[]int{3, 7, 8, 9}, "3,7-9"},
		{[]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, "1-11"}} {
		var given []string
		for i, path := range paths {
			if !slices.Contains(c.missing, i) {
				given = append(given, path)
			}
		}
		_, err := Merge(given, 0)
		e := requireKind(t, fmt.Sprint("without ", c.missing), err, Missing)
		if Spec(e.Resample) != c.spec {
			t.Errorf("without the shards %v, the error names %q, want %q", c.missing, Spec(e.Resample), c.spec)
		}
	}
}

// requireKind fails unless err is an Error of the kind with a message of one line.
func requireKind(t *testing.T, what string, err error, kind Kind) Error {
	t.Helper()
	var e Error
	if !errors.As(err, &e) || e.Kind != kind || strings.Contains(e.Error(), "\n") {
		t.Errorf("%s: got the error %v, want one line of the kind %d", what, err, kind)
	}
	return e
}

// TestDamaged checks that a file with any one changed byte, with an added byte, or truncated to any
// length is refused as damaged.
func TestDamaged(t *testing.T) {
	paths := writeShards(t, t.TempDir(), plans["small"], 3)
	file, err := os.ReadFile(paths[1])
	simtest.Must(t, err)
	check := func(what string, b []byte) {
		t.Helper()
		_, _, err := parse(paths[1], b)
		requireKind(t, what, err, Damaged)
	}
	for i := range file {
		b := bytes.Clone(file)
		b[i] ^= 1 << (i % 8)
		check(fmt.Sprintf("byte %d changed", i), b)
		check(fmt.Sprintf("cut at %d", i), file[:i])
	}
	check("one more byte", append(bytes.Clone(file), 0))
	simtest.Must(t, os.WriteFile(paths[1], file[1:], 0o644))
	_, err = Merge(paths, 0)
	if e := requireKind(t, "merged", err, Damaged); Spec(e.Resample) != "1" {
		t.Errorf("the shards to sample again are %v, want 1", e.Resample)
	}
}

// TestMissingOfOtherCounts checks that missing shards have the indices of the division into count
// shards that the caller wants; 0 means the count of the files. If no file is complete, all shards
// are missing.
func TestMissingOfOtherCounts(t *testing.T) {
	paths := writeShards(t, t.TempDir(), plans["small"], 4)
	for count, want := range map[int]string{0: "2-3", 2: "1", 4: "2-3", 8: "4-7"} {
		_, err := Merge(paths[:2], count)
		if e := requireKind(t, "merged", err, Missing); Spec(e.Resample) != want {
			t.Errorf("of %d shards, %s must be sampled again, want %s", count, Spec(e.Resample), want)
		}
	}
	simtest.Must(t, os.WriteFile(paths[0], []byte(magic), 0o644))
	_, err := Merge(paths[:1], 3)
	if e := requireKind(t, "merged", err, Damaged); Spec(e.Resample) != "0-2" {
		t.Errorf("of 3 shards, %s must be sampled again, want 0-2", Spec(e.Resample))
	}
}

// reseal returns a copy of a file with the right checksum of its contents.
func reseal(b []byte) []byte {
	body := b[:len(b)-sha256.Size]
	sum := sha256.Sum256(body)
	return append(bytes.Clone(body), sum[:]...)
}

// TestForged checks the kinds of errors for files with wrong contents and a right checksum.
func TestForged(t *testing.T) {
	dir := t.TempDir()
	paths := writeShards(t, dir, plans["small"], 3)
	file, err := os.ReadFile(paths[1])
	simtest.Must(t, err)
	for _, c := range []struct {
		what     string
		old, new string
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
		{"an invalid architecture", `"architecture":"`, `"architecture":"\u001b`, Damaged},
		{"another plan than its digest", `"seed":5`, `"seed":6`, Damaged},
	} {
		b := bytes.Replace(file, []byte(c.old), []byte(c.new), 1)
		if bytes.Equal(b, file) {
			t.Fatalf("%s: nothing was changed", c.what)
		}
		b[len(magic)] += byte(len(b) - len(file)) // correct the length of the header
		simtest.Must(t, os.WriteFile(paths[1], reseal(b), 0o644))
		_, err := Merge(paths, 0)
		requireKind(t, c.what, err, c.kind)
	}
	simtest.Must(t, os.WriteFile(paths[1],
		reseal(append(file[:len(file)-sha256.Size:len(file)-sha256.Size],
			append([]byte("more"), make([]byte, sha256.Size)...)...)), 0o644))
	_, err = Merge(paths, 0)
	requireKind(t, "bytes after the records", err, Damaged)
	paths[1] = writeShard(t, dir, strings.Replace(plans["small"], "seed: 5", "seed: 6", 1), 1, 3)
	_, err = Merge(paths, 0)
	requireKind(t, "another plan", err, OtherPlan)
}

// TestDiffering checks that two complete files with different numbers for the same blocks are
// refused. The ranges of their shards may be equal or overlap.
func TestDiffering(t *testing.T) {
	dir := t.TempDir()
	text := plans["scores"]
	paths := writeShards(t, dir, text, 3)
	s := simtest.NewSchedule(t, text)
	for _, count := range []int{3, 7} {
		shardRange := s.Shard(1, count)
		nodes := store.New(run.Origin(s.Plan))
		simtest.Must(t, run.Sample(context.Background(), s.Select(shardRange), nodes, run.Options{Workers: 1}))
		wrong := store.New(run.Origin(s.Plan))
		for _, r := range listRecords(s.Select(shardRange)) {
			for _, blocks := range r.ranges {
				n, ok, err := nodes.MergeBlocks(r.cell, blocks.First(), blocks.End())
				if !ok || err != nil {
					t.Fatal(ok, err)
				}
				n.Moments[0].Mean += 1e-9
				simtest.Must(t, wrong.Add(r.cell, blocks, n))
			}
		}
		path := filepath.Join(dir, "wrong.shard")
		simtest.Must(t, Write(path, s, shardRange, wrong))
		_, err := Merge(append(slices.Clone(paths), path), 0)
		requireKind(t, fmt.Sprintf("a different shard of %d", count), err, Differing)
	}
}

// FuzzRead replaces two ranges of bytes of a file and corrects its checksum. The reader must not
// panic, and must not accept other records. The fuzzer chooses positions and short texts. If it
// changed whole files, it would spend its time on making them shorter.
func FuzzRead(f *testing.F) {
	path := writeShard(f, f.TempDir(), plans["small"], 1, 3)
	file, err := os.ReadFile(path)
	simtest.Must(f, err)
	h, records, err := parse(path, file)
	simtest.Must(f, err)
	s, err := h.schedule()
	simtest.Must(f, err)
	body := file[:len(file)-sha256.Size]
	f.Add(uint16(0), uint16(0), []byte{}, uint16(0), uint16(0), []byte{})
	f.Add(uint16(len(magic)), uint16(4), []byte{2, 0, 0, 0}, uint16(999), uint16(0xffff), []byte("{}"))
	splice := func(text []byte, position, length uint16, inserted []byte) []byte {
		start := min(int(position), len(text))
		return slices.Concat(text[:start], inserted, text[min(start+int(length), len(text)):])
	}
	f.Fuzz(func(t *testing.T, position1, length1 uint16, text1 []byte, position2, length2 uint16, text2 []byte) {
		body := splice(splice(body, position1, length1, text1), position2, length2, text2)
		h, found, err := parse(path, reseal(append(body, make([]byte, sha256.Size)...)))
		if err == nil {
			err = h.addNodes(path, s, found, collection{})
		}
		switch {
		case err == nil && !bytes.Equal(found, records):
			t.Error("a file with other records is accepted")
		case err != nil && !errors.As(err, new(Error)):
			t.Errorf("%v is not an Error of this package", err)
		}
	})
}

// TestNestedRangesMustAgree compares a node of one file with the nodes of another file inside its
// range. If these cover all its blocks, they must have the same bits after they are merged.
func TestNestedRangesMustAgree(t *testing.T) {
	c := cellMerger{CellID: store.CellID{ID: "c", Columns: "x 2 ", Units: 3}}
	node := func(numbers ...float64) moments.Node {
		return moments.Node{Moments: []moments.Moments{moments.New(numbers, 2)}}
	}
	left, right := node(1, 2, 4), node(8, 16, 32)
	sum := moments.MergeNodes(node(1, 2, 4), node(8, 16, 32))
	changed := node(8, 16, 33)
	first, second := moments.BlockRange{Level: 1}.Halves()
	for name, test := range map[string]struct {
		inner      []fileNode
		wantDiffer bool
	}{
		"the same bits": {[]fileNode{{store.NewEntry(first, left), "b"}, {store.NewEntry(second, right), "b"}}, false},
		"other bits":    {[]fileNode{{store.NewEntry(first, left), "b"}, {store.NewEntry(second, changed), "b"}}, true},
		"one half only": {[]fileNode{{store.NewEntry(second, changed), "b"}}, false}, // cannot be compared
	} {
		outer := fileNode{store.NewEntry(moments.BlockRange{Level: 1}, sum), "a"}
		_, err := c.checkAgreement(append([]fileNode{outer}, test.inner...))
		var refused Error
		if got := errors.As(err, &refused) && refused.Kind == Differing; got != test.wantDiffer {
			t.Errorf("%s: got the error %v, want Differing: %v", name, err, test.wantDiffer)
		}
	}
}
