//go:build long

package sim_test

import (
	"os/exec"
	"testing"
)

// TestSameBits draws the whole default plan on every kernel, portable Go
// among them, and with 1, 2 and 7 workers.
func TestSameBits(t *testing.T) {
	out, err := exec.Command("../.ci/bits", "--full").CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Errorf(".ci/bits --full: %v", err)
	}
}
