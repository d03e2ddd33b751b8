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
		s := Open(ID{Seed: uint64(r.Seed), Cell: r.Cell, Attempt: uint64(r.Attempt)}).Source(uint64(r.Block))
		for i, want := range r.Numbers {
			if got := s.Uint64(); got != want {
				t.Fatalf("seed %d, cell %q, block %d: number %d is %d, want %d", r.Seed, r.Cell, r.Block, i, got, want)
			}
		}
	}
}
