package models

import (
	"math"
	"testing"

	"mcsim/sim/names"
)

// "Nearly all of these models begin with spread weights; five begin concentrated", the page of
// models says of those whose context is known.
func TestNearlyAllBeginSpread(t *testing.T) {
	spread, all := 0, 0
	for _, m := range All() {
		if label := m.Label(); label != "" {
			all++
			if label == names.LabelSpread {
				spread++
			}
		}
	}
	if all < 80 || 10*spread < 9*all || all-spread != 5 {
		t.Errorf("%d of %d models begin spread", spread, all)
	}
}

// A scale that the ledger rounds to six digits is exact: a norm of queries and keys of 128 or 80
// components leaves a standard deviation of 1.
func TestRoundedScalesAreExact(t *testing.T) {
	for _, name := range []string{"qwen3-8b", "lfm2", "olmo-2-7b"} {
		m, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.LogitSD(); math.Abs(got-1) > 1e-12 {
			t.Errorf("%s begins at %v, want 1", name, got)
		}
	}
}
