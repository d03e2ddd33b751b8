package models

import (
	"math"
	"testing"

	"mcsim/sim/names"
)

// TestNearlyAllBeginSpread checks a sentence of the page of models, about those with a known
// context: "Nearly all of these models begin with spread weights; five begin concentrated".
func TestNearlyAllBeginSpread(t *testing.T) {
	spread, labelled := 0, 0
	for _, m := range All() {
		if label := m.Label(); label != "" {
			labelled++
			if label == names.LabelSpread {
				spread++
			}
		}
	}
	if labelled < 80 || 10*spread < 9*labelled || labelled-spread != 5 {
		t.Errorf("%d of %d models begin spread", spread, labelled)
	}
}

// TestRoundedScalesAreExact checks that a scale that the ledger rounds to six digits is exact: with
// a norm of queries and keys of 128 or 80 components, logits have a standard deviation of 1.
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
