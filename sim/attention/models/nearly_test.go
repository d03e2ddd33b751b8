package models

import (
	"math"
	"testing"

	"mcsim/sim/names"
)

// TestNearlyAllBeginSpread checks a sentence of the page of models about the models with a known
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
	if labelled < 80 {
		t.Errorf("%d models have a label, want at least 80", labelled)
	}
	if concentrated := labelled - spread; concentrated != 5 || 10*spread < 9*labelled {
		t.Errorf("%d of %d models begin spread and %d concentrated, want at least 90 %% and 5", spread, labelled,
			concentrated)
	}
}

// TestRoundedScalesAreExact checks that a scale 1/√d_k is exact although the ledger has only six of
// its digits. These models normalise queries and keys, so that their logits have the standard
// deviation 1.
func TestRoundedScalesAreExact(t *testing.T) {
	for _, name := range []string{"qwen3-8b", "lfm2", "olmo-2-7b"} {
		m, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.LogitSD(); math.Abs(got-1) > 1e-12 {
			t.Errorf("%s: the standard deviation of a logit is %v, want 1", name, got)
		}
	}
}
