//go:build long

package attention

import (
	"math"
	"os"
	"os/exec"
	"testing"
)

// PyTorch itself says again what attention.json holds.
func TestLongPyTorch(t *testing.T) {
	if err := exec.Command("/usr/bin/python3", "-c", "import torch").Run(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("PyTorch is not installed")
		}
		t.Skip("PyTorch is not installed (.ci/tools long)")
	}
	made, err := exec.Command("/usr/bin/python3", "testdata/attention.py").Output()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("testdata/attention.json")
	if err != nil {
		t.Fatal(err)
	}
	now := torchCases(t, made)
	for i, c := range torchCases(t, kept) {
		for what, pair := range map[string][2][]hex{"weights": {c.Weights, now[i].Weights}, "blend": {c.Blend, now[i].Blend}, "∂Q": {c.Q, now[i].Q}, "∂K": {c.K, now[i].K}, "∂V": {c.V, now[i].V}} {
			for j, w := range pair[0] {
				if math.Abs(float64(w-pair[1][j])) > 1e-13*max(1, math.Abs(float64(w))) {
					t.Errorf("%s, %s %d: %v is kept, and PyTorch says %v", c.Name, what, j, w, pair[1][j])
				}
			}
		}
	}
}
