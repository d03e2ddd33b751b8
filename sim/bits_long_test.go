//go:build long

package sim_test

import (
	"os/exec"
	"testing"
)

// TestSameBits samples the whole default plan with every kernel, including portable Go, and with 1,
// 2 and 7 workers.
func TestSameBits(t *testing.T) {
	output, err := exec.Command("../.ci/bits", "--full").CombinedOutput()
	t.Logf("%s", output)
	if err != nil {
		t.Errorf(".ci/bits --full: %v", err)
	}
}
