//go:build long

package main

import (
	"testing"
	"time"

	"mcsim/sim/kernel"
)

// Every peer that can run here draws and computes what it should: each checks its own
// results and ends with an error if they are off.
func TestPeers(t *testing.T) {
	s := Setting{Folder: "testdata/peers", Rounds: 1, Components: 2e6, temp: t.TempDir(), program: "true", kernel: kernel.Names()[0], round: time.Millisecond,
		Measure: func(_, _ int, to float64) (float64, float64, error) { return 1, to, nil }}
	all, err := s.sections(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range all {
		t.Logf("%s: %d ratios", x.title, len(x.rows))
		if i == 0 { // which says what is not installed here
			t.Log("not here: ", x.missing)
		} else if len(x.missing) > 0 {
			t.Errorf("%s: missing %q", x.title, x.missing)
		}
	}
}
