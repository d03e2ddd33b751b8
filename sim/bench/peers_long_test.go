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
	peers, missing := FindPeers("../testdata/peers", t.TempDir(), kernel.Names())
	for _, why := range missing {
		t.Log("not here: ", why)
	}
	for _, p := range peers {
		if _, alone, err := p.runTheirs(2e6); err != nil || alone <= 0 {
			t.Errorf("%s: %v seconds, error %v", p.Name, alone, err)
		}
	}
}

// The peers of softmax, of the products and of precision check their own
// results and end with an error if they are off.
func TestOtherPeers(t *testing.T) {
	const folder = "../testdata/peers"
	fastest := kernel.Names()[0]
	softmax, err := CompareSoftmax(folder, fastest, 1, time.Millisecond)
	if err != nil {
		t.Error(err)
	}
	products, err := CompareProducts(folder, fastest, 1, time.Millisecond)
	if err != nil {
		t.Error(err)
	}
	precision, err := ComparePrecision(folder, 2, 1, 0, func(p Point) (float64, float64, error) { return 1, p.Relative, nil })
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d ratios of softmax, %d of products, %d of precision", len(softmax), len(products), len(precision))
}
