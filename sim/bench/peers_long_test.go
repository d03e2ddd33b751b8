//go:build long

package bench

import (
	"testing"
	"time"

	"mcsim/sim/kernel"
)

// Every peer that can run here draws what it should: each checks its own
// variance and ends with an error if it is off.
func TestPeers(t *testing.T) {
	peers, missing := findPeers(t.Context(), "../testdata/peers", t.TempDir(), kernel.Names())
	for _, why := range missing {
		t.Log("not here: ", why)
	}
	for _, p := range peers {
		if _, alone, err := p.runTheirs(t.Context(), 2e6); err != nil || alone <= 0 {
			t.Errorf("%s: %v seconds, error %v", p.Name, alone, err)
		}
	}
}

// The peers of softmax, of the products and of precision check their own
// results and end with an error if they are off.
func TestOtherPeers(t *testing.T) {
	s := Setting{Folder: "../testdata/peers", Program: "true", Rounds: 1, Measure: func(_, _ int, to float64) (float64, float64, error) { return 1, to, nil }}
	fastest := kernel.Names()[0]
	softmax, missing, err := compareSoftmax(t.Context(), s, fastest, time.Millisecond)
	check := func(what string, rows int, missing []string, err error) {
		if err != nil || len(missing) > 0 {
			t.Errorf("%s: missing %q, error %v", what, missing, err)
		}
		t.Logf("%d ratios of %s", rows, what)
	}
	check("softmax", len(softmax), missing, err)
	products, missing, err := compareProducts(t.Context(), s, fastest, time.Millisecond)
	check("products", len(products), missing, err)
	precision, missing, err := comparePrecision(t.Context(), s)
	check("precision", len(precision), missing, err)
}
