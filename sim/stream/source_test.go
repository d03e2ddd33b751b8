package stream

import (
	stdrand "math/rand/v2"
	"testing"

	//lint:ignore SA1019 docs/dependencies.md says why the deprecated package is fine
	"golang.org/x/exp/rand"
)

var (
	_ rand.Source    = (*Source)(nil)
	_ stdrand.Source = (*Source)(nil)
)

func TestSourceAgainstPython(t *testing.T) {
	for _, r := range readReference(t).Sources {
		s := Open(Key{Seed: uint64(r.Seed), Cell: r.Cell, Attempt: uint64(r.Attempt)}).Source(uint64(r.Block))
		for i, want := range r.Numbers {
			if got := s.Uint64(); got != want {
				t.Fatalf("seed %d, cell %q, block %d: number %d is %d, want %d", r.Seed, r.Cell, r.Block, i, got, want)
			}
		}
	}
}

func take(s rand.Source, n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = s.Uint64()
	}
	return out
}

// Seed starts the stream that a key of that seed has, from its first word.
func TestSeedRestarts(t *testing.T) {
	for _, drawn := range []int{0, 1, 7, 8, 9} {
		s := Open(Key{Seed: 1, Cell: "a"}).Source(4)
		take(s, drawn)
		s.Seed(2)
		fresh := Open(Key{Seed: 2, Cell: "a"}).Source(4)
		for i, want := range take(fresh, 20) {
			if got := s.Uint64(); got != want {
				t.Fatalf("after %d numbers and Seed(2), number %d is %d, want %d", drawn, i, got, want)
			}
		}
	}
}
