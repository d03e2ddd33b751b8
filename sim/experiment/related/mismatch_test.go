package related

import (
	"testing"

	"mcsim/sim/experiment/experimenttest"
)

func TestMismatchHoldsTheory(t *testing.T) {
	for _, law := range []string{"normal", "uniform", "rademacher", "laplace"} {
		for _, more := range []map[string]string{
			{}, {"q_sd": "2", "k_sd": "1/3"}, {"q_mean": "1/2"}, {"k_mean": "-2"}, {"q_mean": "1", "k_mean": "1"},
			{"q_correlation": "1/10", "k_correlation": "1/2"}, {"q_correlation": "1", "k_correlation": "1"},
			{"q_mean": "1/4", "k_mean": "3", "q_sd": "1/2", "k_sd": "2", "q_correlation": "1/5", "k_correlation": "1/10"},
		} {
			more["law"], more["d_k"] = law, "9"
			c := experimenttest.PointOf(t, Mismatch, more)
			n := experimenttest.Drawn(c, 40)
			found := Mismatch.Rows(c, n)
			experimenttest.HoldsTheory(t, found.Rows)
		}
	}
}

// What a cell does not say is not in its id.
func TestMismatchID(t *testing.T) {
	c := experimenttest.PointOf(t, Mismatch, map[string]string{"law": "normal", "d_k": "4", "q_sd": "2", "k_mean": "-1/2"})
	if c.ID != "mismatch/normal/d_k=4/q_sd=2/k_mean=-0.5" || len(c.Params()) != 4 {
		t.Errorf("%s, %v", c.ID, c.Params())
	}
	if c := experimenttest.PointOf(t, Alignment, map[string]string{"law": "normal", "d_k": "4", "rho": "0"}); c.ID != "alignment/normal/d_k=4/rho=0/keys=8" {
		t.Error(c.ID)
	}
}
