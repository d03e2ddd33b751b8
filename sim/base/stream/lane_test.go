package stream

import (
	"slices"
	"testing"
)

// vignaWords are the first ten words from the state 1, 2, 3, 4, by Vigna's reference
// xoshiro128plusplus.c (prng.di.unimi.it). rand_xoshiro and other libraries use the same words in
// their tests.
var vignaWords = []uint32{641, 1573767, 3222811527, 3517856514, 836907274,
	4247214768, 3867114732, 1355841295, 495546011, 621204420}

func TestLaneAgainstVigna(t *testing.T) {
	if pythonWords := readReference(t).Xoshiro; !slices.Equal(pythonWords, vignaWords) {
		t.Errorf("testdata/reference.py gives the words %d, want %d", pythonWords, vignaWords)
	}
	g := Lane{1, 2, 3, 4}
	for i, want := range vignaWords {
		var got uint32
		if g, got = g.Next(); got != want {
			t.Fatalf("word %d is %d, want %d", i, got, want)
		}
	}
}

func TestLanesAgainstPython(t *testing.T) {
	for _, r := range readReference(t).Lanes {
		var lanes Lanes
		Open(ID{Seed: uint64(r.Seed), Cell: r.Cell, Attempt: uint64(r.Attempt)}).Block(&lanes, uint64(r.Block))
		var row [Width]uint32
		for i, want := range r.Words {
			lanes.Next(&row)
			if row[r.Lane] != want {
				t.Fatalf("seed %d, cell %q, attempt %d, block %d, lane %d: word %d is %d, want %d",
					r.Seed, r.Cell, r.Attempt, r.Block, r.Lane, i, row[r.Lane], want)
			}
		}
	}
}
