//go:build long

package bench

import (
	"testing"

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
